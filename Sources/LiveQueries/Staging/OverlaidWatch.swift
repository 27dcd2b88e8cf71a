import DataSources
import InstaQL
import Synchronization
import Triples

/// One watch of a store that adds the staged changes to each snapshot.
final class OverlaidWatch: Sendable {
  private struct State {
    var base: StoreSnapshot?
    /// The last delivered snapshot. It contains the staged changes.
    var last: StoreSnapshot?
    var changes: [StagedChange] = []
  }

  private let document: QueryDocument?
  private let continuation: DataStream<StoreSnapshot>.Continuation
  private let state = Mutex(State())

  init(_ document: QueryDocument?, _ continuation: DataStream<StoreSnapshot>.Continuation) {
    self.document = document
    self.continuation = continuation
  }

  /// Delivers a new snapshot of the store with the staged changes.
  func deliver(_ base: StoreSnapshot, with table: () -> StagedChanges) {
    state.withLock { state in
      state.base = base
      send(table(), &state)
    }
  }

  /// Delivers the last snapshot again if the staged changes have changed since then.
  func refresh(with table: () -> StagedChanges) {
    state.withLock { state in
      if state.base != nil { send(table(), &state) }
    }
  }

  /// Delivers a snapshot with the staged changes. The caller must hold the lock, so that the newest
  /// state is delivered last.
  private func send(_ table: StagedChanges, _ state: inout State) {
    guard let base = state.base else { return }
    // Staged changes may concern rows that are still loading.
    var new =
      base.freshness == .loading ? base : table.overlaid(on: base, answering: document)
    if let last = state.last, let before = Optional(last.base), last.hasOverlay, new.hasOverlay,
      before.store.isIdentical(to: base.store), before.served == base.served,
      state.changes == table.changes
    {
      // The content stays the same, so no query must be evaluated again.
      new = base.overlaid(last.store, served: last.served, pending: new.pending)
    }
    if new == state.last { return }
    (state.last, state.changes) = (new, table.changes)
    continuation.yield(new)
  }
}
