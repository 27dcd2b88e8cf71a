/// How much is read of a database on a server at once. Whatever there is beyond is refused, or said to be
/// left out: no answer is short of something without a word.
package struct ReadingLimits: Sendable, Hashable {
  /// The rows of an answer.
  package var rows = 1_000_000
  /// What one row is linked with along one link, of a whole answer.
  package var linkedRows = 100_000
  /// The same on a screen.
  package var linkedRowsShown = 1_000
  /// A database with more rows, by its statistics, is not read into memory to answer what SQL cannot say.
  package var rowsInMemory = 200_000

  package init() {}
}

/// An answer is larger than is read at once.
struct AnswerLimit: Error, CustomStringConvertible {
  /// Half a sentence: what there is too much of, and what to do.
  let description: String

  static func rows(of namespace: String, limit: Int) -> AnswerLimit {
    AnswerLimit(
      description:
        "the answer needs more than \(limit) rows of \(namespace): narrow the question, or add "
        + "a limit")
  }

  static func values(of label: String, limit: Int) -> AnswerLimit {
    AnswerLimit(description: "\(label) has more than \(limit) different values: filter first")
  }

  static func linked(_ label: String, of namespace: String, limit: Int) -> AnswerLimit {
    AnswerLimit(
      description:
        "a row of \(namespace) has more than \(limit) \(label): give the relation a limit")
  }

  static func linkedTogether(_ label: String, of namespace: String, limit: Int) -> AnswerLimit {
    AnswerLimit(
      description:
        "the rows of \(namespace) have more than \(limit) \(label) together: give the relation "
        + "a limit")
  }
}
