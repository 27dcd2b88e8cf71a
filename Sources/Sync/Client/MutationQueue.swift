import Triples

/// The mutations that a server has not answered yet, in the order in which they were wished.
struct MutationQueue {
  private struct Entry {
    var transaction: Transaction
    /// How many times it went out.
    var sends = 0
    /// How many answers did not come in time over a connection that stood.
    var timeouts = 0
    /// Until when an answer is awaited, in milliseconds; nil while it is not on its way.
    var deadline: Int64?
  }

  /// How long an answer may take for each mutation on its way, in milliseconds.
  private let longestAnswer: Int64
  /// After so many answers that did not come a mutation is given up, so that those after it get their
  /// turn. Connections that broke do not count: nothing is known of the server then.
  static let maxTimeouts = 3
  static let unanswered = ServerError(
    status: 429, type: "timeout",
    "The server never answered this change, so it may have been made or not. Check before you make "
      + "it again.")

  private var entries: [MutationID: Entry] = [:]
  /// Those that were answered stay here until the ones before them are.
  private var order: [MutationID] = []
  private var first = 0
  private var inFlight = 0

  init(longestAnswer: Int64) { self.longestAnswer = longestAnswer }

  var count: Int { entries.count }

  /// Those without an answer, in order.
  var all: [MutationID] { order[first...].filter { entries[$0] != nil } }

  /// When the answer to the first of them is overdue.
  var deadline: Int64? { first < order.count ? entries[order[first]]?.deadline : nil }

  /// False when it is there already.
  mutating func insert(_ id: MutationID, _ transaction: Transaction) -> Bool {
    guard entries[id] == nil else { return false }
    entries[id] = Entry(transaction: transaction)
    order.append(id)
    return true
  }

  /// Notes that a mutation goes out, and gives the message; nil when there is none of that name.
  mutating func send(_ id: MutationID, at now: Int64) -> ClientEnvelope? {
    guard var entry = entries[id] else { return nil }
    entry.sends += 1
    entry.deadline = now + max(longestAnswer, Int64(inFlight + 1) * longestAnswer)
    inFlight += 1
    entries[id] = entry
    return ClientEnvelope(.transact(entry.transaction), eventID: id.text)
  }

  /// Forgets a mutation that was answered: how often it was sent, nil when there is none.
  mutating func remove(_ id: MutationID) -> Int? {
    guard let entry = entries.removeValue(forKey: id) else { return nil }
    if entry.deadline != nil { inFlight -= 1 }
    skipAnswered()
    return entry.sends
  }

  func wasSent(_ id: MutationID) -> Bool { (entries[id]?.sends ?? 0) > 0 }

  mutating func takeBack(_ id: MutationID) -> Bool {
    guard let entry = entries[id], entry.sends == 0 else { return false }
    return remove(id) != nil
  }

  /// Notes that the answer to the first mutation is overdue, and takes that out when it was overdue too
  /// often.
  mutating func takeHopeless() -> MutationID? {
    guard first < order.count else { return nil }
    let id = order[first]
    entries[id]?.timeouts += 1
    guard let entry = entries[id], entry.timeouts >= Self.maxTimeouts else { return nil }
    _ = remove(id)
    return id
  }

  /// The connection is gone: no answer will come over it.
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
