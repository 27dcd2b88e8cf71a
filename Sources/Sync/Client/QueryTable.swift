import Triples

/// The subscribed queries of a client, with the state of each.
struct QueryTable {
  private struct Entry {
    var order: Int
    /// The id of the message that sent the query over the current connection; nil if the query was
    /// not sent over it.
    var eventID: String?
    /// The time when the answer is due, in milliseconds; nil if no answer is due.
    var deadline: Int64?
    /// The newest transaction in an answer that arrived over the current connection; nil if no
    /// answer arrived.
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
  /// - Parameter remark: The last error of the server that did not name a request; nil if there was
  ///   none.
  func timeout(_ remark: String?) -> ServerError {
    let words = remark.map { " The server reported: \($0)" } ?? ""
    return ServerError(
      status: 429, type: "timeout",
      "Query timed out: the server gave no answer in \(answerTimeout / 1_000) seconds.\(words)")
  }

  /// The queries in the order in which they were subscribed.
  var all: [Value] { entries.sorted { $0.value.order < $1.value.order }.map(\.key) }

  func contains(_ query: Value) -> Bool { entries[query] != nil }

  /// Returns the query that was sent in the message with this id.
  func query(of eventID: String?) -> Value? { eventID.flatMap { names[$0] } }

  /// The time when the earliest answer is due, in milliseconds; nil if no answer is due.
  private(set) var deadline: Int64?

  /// Adds a query; returns false if it exists already.
  mutating func insert(_ query: Value) -> Bool {
    guard entries[query] == nil else { return false }
    lastOrder += 1
    entries[query] = Entry(order: lastOrder)
    return true
  }

  /// Removes a query, and returns whether it was sent. Nil if the query does not exist.
  mutating func remove(_ query: Value) -> Bool? {
    guard let entry = entries.removeValue(forKey: query) else { return nil }
    if let id = entry.eventID { names[id] = nil }
    if entry.deadline != nil { findDeadline() }
    return entry.eventID != nil
  }

  /// Records that the query is sent, and returns its message.
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

  /// Records a complete answer. Returns false if the query is not subscribed, or if a newer answer
  /// has already arrived.
  mutating func answered(_ query: Value, processed: Int?) -> Bool {
    guard answered(query) else { return false }
    if let last = entries[query]?.processed, last > processed ?? 0 { return false }
    entries[query]?.processed = processed ?? 0
    return true
  }

  /// Marks a query as failed. It is sent again over the next connection.
  ///
  /// If the first evaluation of a query fails, a server drops the query. If a later evaluation
  /// fails, it keeps the query. So the client unsubscribes explicitly before it subscribes again.
  mutating func failed(_ query: Value) {
    if let id = entries[query]?.eventID { names[id] = nil }
    _ = answered(query)
  }

  /// Returns the queries whose answers are overdue. A later call does not return the same query
  /// again.
  mutating func removeOverdue(at now: Int64) -> [Value] {
    guard let deadline, deadline <= now else { return [] }
    let overdue = all.filter { entries[$0]?.deadline.map { $0 <= now } ?? false }
    for query in overdue { entries[query]?.deadline = nil }
    findDeadline()
    return overdue
  }

  /// Marks all queries as not sent, because the connection was closed.
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
