import DataSources
import LiveQueries
import Sync
import Triples

// Taking back what was never sent.
extension RemoteStore {
  /// Drops the newest change where no server was told of it.
  ///
  /// - Returns: What is shown then, with nothing changed; nil where the change is not dropped.
  func drop(_ id: MutationID) async -> StoreSnapshot? {
    guard pending.waiting.last?.id == id, session.takeBack(id), pending.reject(id) != nil else {
      return nil
    }
    writes.previews[id] = nil
    writes.resume(id, .refused(.droppedUnsent))
    lastState += 1
    showAll()
    // It must not be sent by a later process.
    archive?.tell(.forget([id]))
    await archive?.flush()
    var history = ChangeHistory()
    history.append(ChangeSet(), from: lastState - 1, to: lastState)
    var store = TripleStore()
    store.transactionID = lastState
    return StoreSnapshot(store, history: history, pending: pending.changes)
      .counted(byServer: nil)
  }
}

extension DataSourceError {
  /// What takes it back can only drop it, and it is not there to be dropped.
  static let sentByNow = DataSourceError(
    .refused(type: "sent"),
    "The server has it by now or may have it, and what was there before was never told.",
    operation: .put)
  fileprivate static let droppedUnsent = DataSourceError(
    .cancelled, "It was taken back before it was sent.", operation: .put)
}
