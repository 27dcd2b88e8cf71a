import DataSources
import InstaQL
import LiveQueries
import Triples

/// What a subscription to a remote store delivers.
enum RemoteSubject: Hashable, Sendable {
  /// The attributes without entities. Even the number of entities needs a query.
  case schema
  case query(QueryDocument)
}

/// A subscription to a query or the schema: the server's newest answer, and its watchers.
struct RemoteSubscription {
  /// The query in the form that is sent to the server.
  let wireQuery: Value
  /// The number of the subscription, which distinguishes it from earlier subscriptions to the same
  /// query.
  let number: Int
  private(set) var overlay = OptimisticOverlay()
  /// The lower bound for the number of the next state, so that numbers increase in all
  /// subscriptions.
  var minNumber = 0
  private(set) var served = ServedAnswer.awaited
  /// The server's transaction up to which the answer is current.
  ///
  /// Nil without an answer; 0 if the server has no transactions.
  private(set) var processed: Int?
  /// The time when the answer was last current, in milliseconds since 1970; nil without an answer.
  private(set) var answeredAt: Int64?
  /// Whether the answer came over the current connection, not over an earlier connection or from
  /// the archive.
  private(set) var isCurrent = false
  /// Whether the archived answer is still being read.
  var isOpening = true
  /// Whether the query was ever sent to the server.
  var wasAsked = false
  /// The reason why the server failed to send a newer answer; nil if it did not fail.
  var fault: String?
  /// The task that receives the answers; nil for the schema, which the session reports.
  var following: Task<Void, Never>?
  var watchers: [Int: DataStream<StoreSnapshot>.Continuation] = [:]
  private(set) var last: StoreSnapshot?

  init(_ wireQuery: Value, number: Int) {
    self.wireQuery = wireQuery
    self.number = number
  }

  /// Whether the server or the archive has answered.
  var isAnswered: Bool { answeredAt != nil }

  /// The point in time of the answer, which determines the local changes that it includes.
  var answered: AnswerMoment { AnswerMoment(processed: processed, isCurrent: isCurrent) }

  /// Returns the server's answer with only the given pending mutations applied.
  func shown(with mutations: [PendingMutation]) -> TripleStore {
    var overlay = overlay
    _ = overlay.update(pending: mutations.filter { !$0.isShown(by: answered) })
    return overlay.shown
  }

  mutating func applyAnswer(
    _ rows: ServedRows, schema: Schema, at moment: Int64, isCurrent: Bool,
    pending: [PendingMutation]
  ) {
    served = rows.served
    processed = rows.processed ?? 0
    answeredAt = moment
    self.isCurrent = isCurrent
    fault = nil
    _ = overlay.update(answer: rows, schema: schema, pending: pending, minNumber: minNumber)
  }

  mutating func applySchema(_ schema: Schema, pending: [PendingMutation]) {
    _ = overlay.update(schema: schema, pending: pending, minNumber: minNumber)
  }

  /// Uses the schema as the answer to a schema subscription.
  mutating func applySchemaAsAnswer(
    _ schema: Schema, at moment: Int64, isCurrent: Bool, pending: [PendingMutation]
  ) {
    // The answer contains no entities, although the server may have some.
    served = ServedAnswer()
    answeredAt = moment
    self.isCurrent = isCurrent
    _ = overlay.update(schema: schema, pending: pending, minNumber: minNumber)
  }

  /// Records that the answer is no longer current, because the connection was lost at `moment`.
  mutating func loseConnection(at moment: Int64) {
    if isCurrent { answeredAt = moment }
    isCurrent = false
    fault = nil
  }

  mutating func applyPending(_ pending: [PendingMutation]) {
    _ = overlay.update(pending: pending, minNumber: minNumber)
  }

  /// Sends the snapshot to the watchers if it changed.
  ///
  /// - Parameters:
  ///   - transaction: The number of the server's transaction; nil if the server reported none.
  ///   - readOnlyReason: The reason why the server accepts no changes; nil if it accepts changes.
  mutating func show(
    _ freshness: StoreSnapshot.Freshness, _ pending: PendingChanges, _ transaction: Int?,
    readOnlyReason: String?
  ) {
    served.wasAsked = wasAsked
    let snapshot = overlay.snapshot(freshness: freshness, pending: pending, served: served)
      .counted(byServer: transaction).readOnly(because: readOnlyReason)
    guard snapshot != last else { return }
    last = snapshot
    for watcher in watchers.values { watcher.yield(snapshot) }
  }
}

extension ServedAnswer {
  /// An empty answer that marks the result as not yet received.
  fileprivate static var awaited: ServedAnswer {
    var answer = ServedAnswer()
    answer.isAwaited = true
    return answer
  }
}
