import Triples

/// The mutations that the server has not answered, in the order in which they were made.
struct MutationQueue {
  private struct Entry {
    var transaction: Transaction
    /// How many times the mutation was sent so far.
    var sends = 0
    /// How many times the answer was overdue. Broken connections are not counted.
    var timeouts = 0
    /// The time when the answer is due, in milliseconds. Nil unless the mutation was sent over the
    /// current connection.
    var deadline: Int64?
  }

  /// The timeout for the answer to each sent mutation, in milliseconds.
  private let answerTimeout: Int64
  /// The number of timeouts after which a mutation is dropped, so that it does not block later
  /// mutations.
  ///
  /// Broken connections are not counted, since the mutation may not be the reason why they broke.
  static let maxTimeouts = 3
  static let unanswered = ServerError(
    status: 429, type: "timeout",
    "The server never confirmed this change, so it may or may not have been applied. Check before you make "
      + "it again.")

  private var entries: [MutationID: Entry] = [:]
  /// The ids in the order of insertion. An answered mutation stays in this list until all earlier
  /// mutations are answered.
  private var order: [MutationID] = []
  private var first = 0
  private var inFlight = 0

  init(answerTimeout: Int64) { self.answerTimeout = answerTimeout }

  var count: Int { entries.count }

  /// The mutations that are not answered yet, in order.
  var all: [MutationID] { order[first...].filter { entries[$0] != nil } }

  /// The time when the answer to the first mutation is due, in milliseconds; nil if that mutation
  /// was not sent.
  var deadline: Int64? { first < order.count ? entries[order[first]]?.deadline : nil }

  /// Adds a mutation; returns false if it exists already.
  mutating func insert(_ id: MutationID, _ transaction: Transaction) -> Bool {
    guard entries[id] == nil else { return false }
    entries[id] = Entry(transaction: transaction)
    order.append(id)
    return true
  }

  /// Records that a mutation is sent, and returns its message. Nil if the mutation does not exist.
  mutating func send(_ id: MutationID, at now: Int64) -> ClientEnvelope? {
    guard var entry = entries[id] else { return nil }
    entry.sends += 1
    entry.deadline = now + max(answerTimeout, Int64(inFlight + 1) * answerTimeout)
    inFlight += 1
    entries[id] = entry
    return ClientEnvelope(.transact(entry.transaction), eventID: id.text)
  }

  /// Removes an answered mutation, and returns how often it was sent. Nil if the mutation does not
  /// exist.
  mutating func remove(_ id: MutationID) -> Int? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    if entry.deadline != nil { inFlight -= 1 }
    skipAnswered()
    return entry.sends
  }

  func wasSent(_ id: MutationID) -> Bool { (entries[id]?.sends ?? 0) > 0 }

  mutating func cancelUnsent(_ id: MutationID) -> Bool {
    guard let entry = entries[id], entry.sends == 0 else { return false }
    return remove(id) != nil
  }

  /// Records a timeout of the first mutation. After too many timeouts, removes the mutation and
  /// returns its id.
  mutating func recordTimeout() -> MutationID? {
    guard first < order.count else { return nil }
    let id = order[first]
    entries[id]?.timeouts += 1
    guard let entry = entries[id], entry.timeouts >= Self.maxTimeouts else { return nil }
    _ = remove(id)
    return id
  }

  /// Marks all mutations as not sent, because the connection was closed.
  mutating func forgetSent() {
    for id in entries.keys { entries[id]?.deadline = nil }
    inFlight = 0
  }

  private mutating func skipAnswered() {
    while first < order.count, entries[order[first]] == nil { first += 1 }
    if first > 1_000, first * 2 > order.count {
      order.removeFirst(first)
      first = 0
    }
  }
}
