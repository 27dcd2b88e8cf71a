import Triples

/// The queries that a client wants answered, and which of them the server was asked.
struct QueryTable {
  private struct Entry {
    var order: Int
    /// The name of the message that asked, over the present connection; nil when none did.
    var eventID: String?
    /// Until when an answer is awaited, in milliseconds; nil when none is.
    var deadline: Int64?
    /// The newest transaction that an answer over the present connection showed.
    var processed: Int?
  }

  /// How long an answer may take, in milliseconds.
  private let longestAnswer: Int64

  private var entries: [Value: Entry] = [:]
  private var names: [String: Value] = [:]
  private var lastOrder = 0

  init(longestAnswer: Int64) { self.longestAnswer = longestAnswer }

  var timeout: ServerError {
    ServerError(
      status: 429, type: "timeout",
      "Query timed out: the server gave no answer in \(longestAnswer / 1_000) seconds.")
  }

  /// In the order in which they were asked.
  var all: [Value] { entries.sorted { $0.value.order < $1.value.order }.map(\.key) }

  func contains(_ query: Value) -> Bool { entries[query] != nil }

  /// The query that a message asked.
  func query(of eventID: String?) -> Value? { eventID.flatMap { names[$0] } }

  /// When the first answer is overdue.
  private(set) var deadline: Int64?

  /// False when it is there already.
  mutating func insert(_ query: Value) -> Bool {
    guard entries[query] == nil else { return false }
    lastOrder += 1
    entries[query] = Entry(order: lastOrder)
    return true
  }

  /// Whether the server was asked; nil when there is no such query.
  mutating func remove(_ query: Value) -> Bool? {
    guard let entry = entries.removeValue(forKey: query) else { return nil }
    if let id = entry.eventID { names[id] = nil }
    if entry.deadline != nil { findDeadline() }
    return entry.eventID != nil
  }

  /// Notes that the query is sent, and gives the message.
  mutating func send(_ query: Value, as eventID: String, at now: Int64) -> ClientEnvelope {
    entries[query]?.eventID = eventID
    entries[query]?.deadline = now + longestAnswer
    names[eventID] = query
    deadline = min(deadline ?? .max, now + longestAnswer)
    return ClientEnvelope(.addQuery(query), eventID: eventID)
  }

  /// Notes an answer; false when nobody wants it.
  mutating func answered(_ query: Value) -> Bool {
    guard let entry = entries[query] else { return false }
    if entry.deadline != nil {
      entries[query]?.deadline = nil
      findDeadline()
    }
    return true
  }

  /// Notes a whole answer; false when nobody wants it, or when a newer one overtook it.
  mutating func answered(_ query: Value, processed: Int?) -> Bool {
    guard answered(query) else { return false }
    if let last = entries[query]?.processed, last > processed ?? 0 { return false }
    entries[query]?.processed = processed ?? 0
    return true
  }

  /// The query failed; it is asked again over the next connection.
  ///
  /// A server drops a query that fails at first and keeps one that it has answered before. So that it
  /// is not taken for asked when somebody wants it anew, it is taken back like any other.
  mutating func failed(_ query: Value) {
    if let id = entries[query]?.eventID { names[id] = nil }
    _ = answered(query)
  }

  /// The queries whose answers are overdue, which is said once.
  mutating func takeOverdue(at now: Int64) -> [Value] {
    guard let deadline, deadline <= now else { return [] }
    let late = all.filter { entries[$0]?.deadline.map { $0 <= now } ?? false }
    for query in late { entries[query]?.deadline = nil }
    findDeadline()
    return late
  }

  /// The connection is gone: nothing was asked over the next one.
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
