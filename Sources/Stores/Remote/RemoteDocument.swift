import DataSources
import InstaQL
import LiveQueries
import Triples

/// What a remote store can be asked.
enum RemoteSubject: Hashable, Sendable {
  /// The attributes alone: how many entities there are only a query can tell.
  case schema
  case query(QueryDocument)
}

/// One subject that somebody watches: what the server answered, and who hears of it.
struct RemoteDocument {
  /// What the server is asked.
  let wireQuery: Value
  /// Tells this opening of a subject from an earlier one.
  let number: Int
  private(set) var overlay = OptimisticOverlay()
  /// The least number that another state can have: that of the newest state of any subject.
  var leastNumber = 0
  private(set) var served = ServedAnswer.awaited
  /// Up to which transaction the answer goes; nil while there is none, 0 when the server has seen none.
  private(set) var processed: Int?
  /// When the answer at hand was the truth, in milliseconds since 1970; nil while there is none.
  private(set) var answeredAt: Int64?
  /// Whether the answer came over the present connection, or is the archive's or an earlier one's.
  private(set) var isCurrent = false
  /// Whether the archive was asked and has not answered yet.
  var isOpening = true
  /// Whether the server was sent the question, over whichever connection.
  var wasAsked = false
  /// Why the server has no newer answer.
  var fault: String?
  /// Takes in the answers; nil for the attributes, which the session tells of itself.
  var following: Task<Void, Never>?
  var watchers: [Int: DataStream<StoreSnapshot>.Continuation] = [:]
  private(set) var last: StoreSnapshot?

  init(_ wireQuery: Value, number: Int) {
    self.wireQuery = wireQuery
    self.number = number
  }

  /// Whether there is anything to show but what was made here.
  var isAnswered: Bool { answeredAt != nil }

  /// What of that which was made here the answer shows.
  var answered: AnswerMoment { AnswerMoment(processed: processed, isCurrent: isCurrent) }

  /// What would be shown if of all that was made here there were only these.
  func shown(with mutations: [PendingMutation]) -> TripleStore {
    var overlay = overlay
    _ = overlay.update(pending: mutations.filter { !$0.isShown(by: answered) })
    return overlay.shown
  }

  mutating func take(
    _ rows: ServedRows, schema: Schema, at moment: Int64, isCurrent: Bool,
    pending: [PendingMutation]
  ) {
    served = rows.served
    processed = rows.processed ?? 0
    answeredAt = moment
    self.isCurrent = isCurrent
    fault = nil
    _ = overlay.update(answer: rows, schema: schema, pending: pending, least: leastNumber)
  }

  mutating func take(_ schema: Schema, pending: [PendingMutation]) {
    _ = overlay.update(schema: schema, pending: pending, least: leastNumber)
  }

  /// The schema is the whole answer to who asked for no more.
  mutating func takeAsAnswer(
    _ schema: Schema, at moment: Int64, isCurrent: Bool, pending: [PendingMutation]
  ) {
    // No entity is among it, however many there are.
    served = ServedAnswer()
    answeredAt = moment
    self.isCurrent = isCurrent
    _ = overlay.update(schema: schema, pending: pending, least: leastNumber)
  }

  /// What is at hand was true until now, if it was before.
  mutating func loseConnection(at moment: Int64) {
    if isCurrent { answeredAt = moment }
    isCurrent = false
    fault = nil
  }

  mutating func take(_ pending: [PendingMutation]) {
    _ = overlay.update(pending: pending, least: leastNumber)
  }

  /// Tells the watchers when anything is different from what they heard last.
  ///
  /// - Parameters:
  ///   - transaction: The server's that it goes up to; nil when it has told of none.
  ///   - whyReadOnly: Why the server takes no changes; nil when it does.
  mutating func show(
    _ freshness: StoreSnapshot.Freshness, _ pending: PendingChanges, _ transaction: Int?,
    whyReadOnly: String?
  ) {
    served.wasAsked = wasAsked
    let snapshot = overlay.snapshot(freshness: freshness, pending: pending, served: served)
      .counted(byServer: transaction).readOnly(because: whyReadOnly)
    guard snapshot != last else { return }
    last = snapshot
    for watcher in watchers.values { watcher.yield(snapshot) }
  }
}

extension ServedAnswer {
  /// None has come yet.
  fileprivate static var awaited: ServedAnswer {
    var answer = ServedAnswer()
    answer.isAwaited = true
    return answer
  }
}
