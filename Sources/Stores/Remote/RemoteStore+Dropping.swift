import DataSources
import LiveQueries
import Sync
import Triples

// Drops queued changes, and rejects the undo of values that other clients have changed in the
// meantime.
extension RemoteStore {
  /// Returns the conflict of a transaction with the server's newest answers; nil if there is none.
  ///
  /// A step conflicts if an answer has another value than the caller saw. If no answer contains the
  /// value, the server decides.
  func conflict(of transaction: Transaction) -> TransactionError? {
    for place in transaction.seen.keys.sorted() {
      guard let seen = transaction.seen[place], !seen.isComposite else { continue }
      let step = transaction.steps[place]
      // The newest answer decides, since all subscriptions show local changes.
      let newest = documents.values.max { $0.newness(for: step) < $1.newness(for: step) }
      guard let newest, newest.newness(for: step) >= 0 else { continue }
      if let conflict = newest.overlay.shown.conflict(of: step, with: seen) { return conflict }
    }
    return documents.values.lazy.compactMap { $0.overlay.shown.conflict(takingBack: transaction) }
      .first
  }

  /// Drops the newest change if it was not sent to the server.
  ///
  /// - Returns: An empty snapshot with the number of the new state; nil if the change is not
  ///   dropped.
  func drop(_ id: MutationID) async -> StoreSnapshot? {
    guard pending.waiting.last?.id == id, session.cancelUnsent(id), pending.reject(id) != nil else {
      return nil
    }
    writes.previews[id] = nil
    writes.resume(id, .refused(.undoneBeforeSending))
    lastState += 1
    showAll()
    // A later process must not send the change.
    archive?.enqueue(.forget([id]))
    await archive?.flush()
    var history = ChangeHistory()
    history.append(ChangeSet(), from: lastState - 1, to: lastState)
    var store = TripleStore()
    store.transactionID = lastState
    return StoreSnapshot(store, history: history, pending: pendingChanges)
      .counted(byServer: nil)
  }
}

extension RemoteSubscription {
  /// Returns how new the answer of this subscription is, if it contains the value of a step.
  ///
  /// A newer answer has a higher rank. The rank is 0 if only local changes contain the value, and
  /// -1 if nothing contains it.
  fileprivate func newness(for step: TransactionStep) -> Int {
    if overlay.raw.knows(step) { return (processed ?? 0) + 1 }
    return overlay.shown.knows(step) ? 0 : -1
  }
}

extension TripleStore {
  /// Returns whether the store has a value for the entity and attribute of a step.
  fileprivate func knows(_ step: TransactionStep) -> Bool {
    switch step {
    case .addTriple(.id(let id), let attribute, _, _),
      .retractTriple(.id(let id), let attribute, _):
      handle(of: id).flatMap { value($0, attribute) } != nil
    case .addTriple, .retractTriple, .deepMergeTriple, .deleteEntity, .ruleParameters,
      .addAttribute, .updateAttribute, .deleteAttribute, .restoreAttribute:
      false
    }
  }
}

extension Value {
  /// Whether the value is a list or an object. A server may return it in another form.
  fileprivate var isComposite: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .integer, .double, .text: false
    }
  }
}
