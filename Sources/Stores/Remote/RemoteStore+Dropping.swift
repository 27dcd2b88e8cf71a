import DataSources
import LiveQueries
import Sync
import Triples

// Dropping unsent changes, and rejecting an undo of values that others have changed since.
extension RemoteStore {
  /// The conflict of a transaction with the newest answers of the server; nil if there is none. A
  /// step conflicts if an answer has another value than the writer saw. Without an answer the
  /// server decides.
  func conflict(of transaction: Transaction) -> TransactionError? {
    for place in transaction.seen.keys.sorted() {
      guard let seen = transaction.seen[place], !seen.isComposite else { continue }
      let step = transaction.steps[place]
      // All subscriptions contain local changes.
      let newest = documents.values.max { $0.newness(for: step) < $1.newness(for: step) }
      guard let newest, newest.newness(for: step) >= 0 else { continue }
      if let conflict = newest.overlay.shown.conflict(of: step, with: seen) { return conflict }
    }
    return documents.values.lazy.compactMap { $0.overlay.shown.conflict(takingBack: transaction) }
      .first
  }

  /// Drops the newest change if it was not sent to a server.
  ///
  /// - Returns: The snapshot without the change; nil if it is not dropped.
  func drop(_ id: MutationID) async -> StoreSnapshot? {
    guard pending.waiting.last?.id == id, session.takeBack(id), pending.reject(id) != nil else {
      return nil
    }
    writes.previews[id] = nil
    writes.resume(id, .refused(.undoneBeforeSending))
    lastState += 1
    showAll()
    // It must not be sent by a later process.
    archive?.tell(.forget([id]))
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
  /// A number that grows with the transaction in which the server reported the place of a step. It
  /// is 0 for local changes only, and -1 if unknown.
  fileprivate func newness(for step: TransactionStep) -> Int {
    if overlay.raw.knows(step) { return (processed ?? 0) + 1 }
    return overlay.shown.knows(step) ? 0 : -1
  }
}

extension TripleStore {
  /// Whether the place has the value of a step.
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
  /// Whether the value is a list or an object, which a server may return in another notation.
  fileprivate var isComposite: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .integer, .double, .text: false
    }
  }
}
