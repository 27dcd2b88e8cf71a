import DataSources
import Synchronization
import Triples

/// Sends changes to a store, one after the other.
///
/// A change is sent as soon as the store has fixed the position of the preceding change in the
/// order of all changes. It does not wait for the result of that change. Results are reported in
/// the order of the changes.
final class ChangeSender: Sendable {
  private struct State {
    /// The tasks of all changes whose result is not known yet. Finished tasks may remain.
    var all: [Task<Void, Never>] = []
    /// Finishes when the store has fixed the position of the newest change in the order, or has
    /// rejected the change.
    var taken: AsyncStream<Never>?
    var count = 0
  }

  private let store: any StoreDataSource
  private let state = Mutex(State())

  init(_ store: any StoreDataSource) { self.store = store }

  /// The number of changes whose result is not known yet.
  var count: Int { state.withLock(\.count) }

  func send(
    _ change: TransactionQuery, ended: @escaping @Sendable (StagedChanges.Outcome) -> Void
  ) {
    state.withLock { state in
      if state.count == 0 { state.all = [] }
      let (before, turn) = (state.all.last, state.taken)
      let (taken, taking) = AsyncStream.makeStream(of: Never.self)
      state.taken = taken
      state.count += 1
      state.all.append(
        Task { [store, weak self] in
          if let turn { for await _ in turn {} }
          let outcome = await Self.outcome(of: change, in: store) { taking.finish() }
          taking.finish()
          await before?.value
          ended(outcome)
          self?.state.withLock { $0.count -= 1 }
        })
    }
  }

  /// Cancels all changes that the store has not made yet. Each of them ends as a rejection, or as a
  /// success if the cancellation came too late.
  func cancelAll() {
    for task in state.withLock(\.all) { task.cancel() }
  }

  /// Returns when the results of all changes sent so far are known.
  func waitForResults() async { await state.withLock { $0.all.last }?.value }

  private static func outcome(
    of change: TransactionQuery, in store: any StoreDataSource,
    taken: @escaping @Sendable () -> Void
  ) async -> StagedChanges.Outcome {
    let canceled = StagedChanges.Outcome.rejected("Canceled: nothing was changed")
    if Task.isCancelled { return canceled }
    do throws(DataSourceError) {
      let made = try await store.put(change, taken: taken)
      if change.transaction.undoing != nil, made.isOfNothingSent { return .dropped }
      // The undo must use the entity references of the store's snapshot, which may differ from
      // those of the displayed snapshot.
      return .made(
        undo: Transaction(undoing: change.id, madeIn: made), at: made.transactionID,
        differing: StoredValue.differing(from: change.transaction, in: made),
        created: CreatedEntity.all(in: made))
    } catch {
      return error ~= .cancelled ? canceled : .rejected(LiveFailure(error).sentences)
    }
  }
}
