import InstaQL
package import LiveQueries

/// A query that is watched, and when its answer was last made.
package struct WatchedLine: Sendable, Equatable {
  let query: WatchedQuery
  /// The time of day here, as `12:04:31`; empty until there is an answer.
  let answeredAt: String

  package init(_ query: WatchedQuery, answeredAt: String = "") {
    self.query = query
    self.answeredAt = answeredAt
  }
}

/// Tells from one list of watched queries to the next whose answer was made anew, and stamps it.
struct WatchedTimes {
  private struct Seen {
    let answers: Int
    let time: String
  }

  private var seen: [QueryDocument: Seen] = [:]

  /// - Parameter time: The time of day now.
  mutating func lines(of queries: [WatchedQuery], at time: String) -> [WatchedLine] {
    var next: [QueryDocument: Seen] = [:]
    for query in queries {
      let answers = query.evaluations + query.updates
      let before = seen[query.document]
      next[query.document] =
        before?.answers == answers ? before : Seen(answers: answers, time: answers > 0 ? time : "")
    }
    seen = next
    return queries.map { WatchedLine($0, answeredAt: next[$0.document]?.time ?? "") }
  }
}
