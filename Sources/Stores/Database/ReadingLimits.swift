/// The limits for reading one result from a database. A result that exceeds a limit fails, is marked
/// as incomplete, or is sorted by the database's own collation.
package struct ReadingLimits: Sendable, Hashable {
  /// The maximum number of rows of a result.
  package var rows = 1_000_000
  /// The maximum number of target rows per row and link, in a complete result.
  package var linkedRows = 100_000
  /// The maximum number of target rows per row and link, on a screen.
  package var linkedRowsShown = 1_000
  /// The maximum number of rows, according to statistics, of a database that is read into memory.
  ///
  /// Only queries that SQL cannot express need the whole database in memory.
  package var rowsInMemory = 200_000
  /// The maximum number of rows of a table whose texts are always sorted by the query language's
  /// collation.
  ///
  /// Texts of a larger table are sorted by the database's own collation if an index may have it.
  /// Sorting a million texts for each page takes a fifth of a second.
  package var sortedTexts = 2_000_000

  /// The maximum number of rows of a complete answer for which linked rows are read as well.
  package static let maxRowsWithLinks = 10_000

  package init() {}
}

/// The error for a result that exceeds a limit.
struct AnswerLimit: Error, CustomStringConvertible {
  /// The limit that the result exceeds, and what to do, without a period at the end.
  let description: String

  static func rows(of namespace: String, limit: Int) -> AnswerLimit {
    AnswerLimit(
      description:
        "the answer needs more than \(limit) rows of \(namespace). Add a filter or a limit to the "
        + "query")
  }

  static func view(_ name: String, limit: Int) -> AnswerLimit {
    AnswerLimit(
      description: "the query cannot run as SQL, and the view \(name) has more than \(limit) rows, "
        + "too many to load into memory")
  }

  static func values(of label: String, limit: Int) -> AnswerLimit {
    AnswerLimit(
      description: "the field \(label) has more than \(limit) distinct values. Add a filter")
  }

  static func linked(_ label: String, of namespace: String, limit: Int) -> AnswerLimit {
    AnswerLimit(
      description:
        "a row of \(namespace) has more than \(limit) linked \(label). Add a limit for \(label) "
        + "to the query")
  }

  static func linkedTogether(_ label: String, of namespace: String, limit: Int) -> AnswerLimit {
    AnswerLimit(
      description:
        "the rows of \(namespace) have more than \(limit) linked \(label) in total. Add a limit for "
        + "\(label) to the query")
  }
}
