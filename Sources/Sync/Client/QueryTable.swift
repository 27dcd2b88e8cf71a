import Triples

/// The subscribed queries of a client, with the state of each.
struct QueryTable {
  private struct Entry {
    var order: Int
    /// The id of the message that sent the query over the current connection; nil if none did.
    var eventID: String?
    /// The time in milliseconds when the answer is due; nil if none is due.
    var deadline: Int64?
    /// The newest transaction included in an answer over the current connection; nil without an
    /// answer.
    var processed: Int?
  }

  /// The timeout for an answer, in milliseconds.
  private let answerTimeout: Int64

  private var entries: [Value: Entry] = [:]
  private var names: [String: Value] = [:]
  private var lastOrder = 0

  init(answerTimeout: Int64) { self.answerTimeout = answerTimeout }

  /// Returns the error for a query whose answer is overdue.
  ///
  /// - Parameter remark: The server's last error that named no request; nil if there was none.
  func timeout(_ remark: String?) -> ServerError {
    let words = remark.map { " It said: \($0)" } ?? ""
    return ServerError(
      status: 429, type: "timeout",
      "Query timed out: the server gave no answer in \(answerTimeout / 1_000) seconds.\(words)")
  }

  /// The queries in the order in which they were subscribed.
  var all: [Value] { entries.sorted { $0.value.order < $1.value.order }.map(\.key) }

  func contains(_ query: Value) -> Bool { entries[query] != nil }

  /// Returns the query that was sent in the message with an id.
  func query(of eventID: String?) -> Value? { eventID.flatMap { names[$0] } }

  /// The time in milliseconds when the earliest answer is due; nil if none is due.
  private(set) var deadline: Int64?

  /// Adds a query; returns false if it exists already.
  mutating func insert(_ query: Value) -> Bool {
    guard entries[query] == nil else { return false }
    lastOrder += 1
    entries[query] = Entry(order: lastOrder)
    return true
  }

  /// Removes a query and returns whether it was sent; nil if it does not exist.
  mutating func remove(_ query: Value) -> Bool? {
    guard let entry = entries.removeValue(forKey: query) else { return nil }
    if let id = entry.eventID { names[id] = nil }
    if entry.deadline != nil { findDeadline() }
    return entry.eventID != nil
  }

  /// Records that the query is sent and returns its message.
  mutating func send(_ query: Value, as eventID: String, at now: Int64) -> ClientEnvelope {
    entries[query]?.eventID = eventID
    entries[query]?.deadline = now + answerTimeout
    names[eventID] = query
    deadline = min(deadline ?? .max, now + answerTimeout)
    return ClientEnvelope(.addQuery(query), eventID: eventID)
  }

  /// Records an answer; returns false if the query is not subscribed.
  mutating func answered(_ query: Value) -> Bool {
    guard let entry = entries[query] else { return false }
    if entry.deadline != nil {
      entries[query]?.deadline = nil
      findDeadline()
    }
    return true
  }

  /// Records a complete answer. Returns false if the query is not subscribed, or a newer answer
  /// arrived before.
  mutating func answered(_ query: Value, processed: Int?) -> Bool {
    guard answered(query) else { return false }
    if let last = entries[query]?.processed, last > processed ?? 0 { return false }
    entries[query]?.processed = processed ?? 0
    return true
  }

  /// Marks a query as failed. It is sent again over the next connection.
  ///
  /// A server drops a query whose first evaluation fails, but keeps one that fails later. The
  /// client therefore unsubscribes explicitly, so that it can subscribe again.
  mutating func failed(_ query: Value) {
    if let id = entries[query]?.eventID { names[id] = nil }
    _ = answered(query)
  }

  /// Returns the queries whose answers are overdue. Later calls do not return them again.
  mutating func removeOverdue(at now: Int64) -> [Value] {
    guard let deadline, deadline <= now else { return [] }
    let late = all.filter { entries[$0]?.deadline.map { $0 <= now } ?? false }
    for query in late { entries[query]?.deadline = nil }
    findDeadline()
    return late
  }

  /// Marks all queries as not sent, after the connection was closed.
  mutating func forgetSent() {
    for query in entries.keys {
      entries[query]?.eventID = nil
      entries[query]?.deadline = nil
      entries[query]?.processed = nil
    }
    names = [:]
    deadline = nil
  }

  private mutating func findDeadline() { deadline = entries.values.compactMap(\.deadline).min() }
}
