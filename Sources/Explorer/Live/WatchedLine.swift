import InstaQL
package import LiveQueries

/// A live query, and the time when its answer was last evaluated.
package struct WatchedLine: Sendable, Equatable {
  let query: WatchedQuery
  /// The local time of the evaluation, such as `12:04:31`; empty until there is an answer.
  let answeredAt: String

  package init(_ query: WatchedQuery, answeredAt: String = "") {
    self.query = query
    self.answeredAt = answeredAt
  }
}

/// Determines when each live query got its last answer, by comparing successive lists of the
/// queries.
struct WatchedTimes {
  /// The number of answers of each query, and the time of its last answer.
  private var seen: [QueryDocument: (answers: Int, time: String)] = [:]

  /// Returns the live queries, each with the time of its last answer.
  ///
  /// - Parameter time: The current local time as text.
  mutating func lines(of queries: [WatchedQuery], at time: String) -> [WatchedLine] {
    let before = seen
    seen = [:]
    for query in queries {
      let answers = query.work.evaluations + query.work.updates
      let known = before[query.document]
      seen[query.document] =
        known?.answers == answers ? known : (answers, answers > 0 ? time : "")
    }
    return queries.map { WatchedLine($0, answeredAt: seen[$0.document]?.time ?? "") }
  }
}
