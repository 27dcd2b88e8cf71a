import DataSources
import Synchronization
import Triples

/// Sends changes to a store, one after the other.
///
/// A change is sent as soon as the store has fixed the position of the preceding one in the order
/// of all changes. This does not wait for its result. Results are reported in the same order.
final class ChangeSender: Sendable {
  private struct State {
    /// The tasks of all changes without a result; finished tasks may remain.
    var all: [Task<Void, Never>] = []
    /// Finishes when the store has fixed the position of the newest change, or has rejected it.
    var taken: AsyncStream<Never>?
    var count = 0
  }

  private let store: any StoreDataSource
  private let state = Mutex(State())

  init(_ store: any StoreDataSource) { self.store = store }

  /// The number of changes without a result.
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

  /// Cancels all changes that the store has not made yet. The result of each change is a rejection,
  /// or success if the cancellation came too late.
  func cancelAll() {
    for task in state.withLock(\.all) { task.cancel() }
  }

  /// Returns when all changes sent so far have a result.
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
      // The undo must refer to entities as the store's snapshot does, which may differ from the
      // displayed one.
      return .made(
        undo: Transaction(undoing: change.id, madeIn: made), at: made.transactionID)
    } catch {
      return error ~= .cancelled ? canceled : .rejected(LiveFailure(error).sentences)
    }
  }
}
