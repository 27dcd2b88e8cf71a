import DataSources
import Synchronization
import Triples

/// A store together with changes that it does not have yet: staged, being sent, or blocked.
///
/// Every snapshot contains these changes and lists them in ``PendingChanges/changes``. The
/// snapshot's ``StoreSnapshot/base`` does not contain them. Stored changes can be undone, the
/// newest first. With an archive, staged changes survive the process.
///
/// Changes are sent in the order in which they were made, without waiting for the result of the
/// preceding change. All other calls are forwarded to the store: `put` makes a change without
/// staging it, and `wholeStore` contains only stored data.
public final class StagedStore: StoreDataSource {
  package let store: any StoreDataSource
  private let archive: StagedArchive?
  /// Whether this process cannot send changes. The staged changes of earlier processes are then
  /// only counted, not restored.
  private let isReadOnly: Bool
  private let state = Mutex(State())
  let changed = ChangeSignal()
  private let jobs: AsyncStream<Job>.Continuation
  private let listening = Mutex(Listening())
  private let sender: ChangeSender

  private struct State {
    var table = StagedChanges()
    /// The staged changes that snapshots show. A change is stored on disk before it appears here.
    var shown = StagedChanges()
    /// The number of transitions.
    var version = 0
    /// The number of transitions whose actions have been performed.
    var performed = 0
    /// The commands that arrive before the staged changes of earlier processes are read; nil
    /// afterward.
    var early: [ChangeCommand]? = []
    var isFollowingBlockers = false

    var isStored = false

    var description: ChangesState {
      ChangesState(table, version: version, isStored: isStored)
    }
  }

  /// The work to do after the staged changes have changed.
  private enum Job: Sendable {
    case follow(StagedChanges, [StagedChanges.Action], ChangesState)
    case barrier(CheckedContinuation<Void, Never>)
  }

  private struct Listening {
    var listener: (@Sendable (ChangeReport?, ChangesState) -> Void)?
    var unread: [(ChangeReport?, ChangesState)] = []
  }

  /// Creates a store that adds staging and undo to another store.
  /// - Parameters:
  ///   - archive: The archive of staged changes; nil keeps them in memory.
  ///   - isReadOnly: Whether changes cannot be sent.
  public init(
    _ store: any StoreDataSource, archive: StagedArchive? = nil, isReadOnly: Bool = false
  ) {
    self.store = store
    self.archive = archive
    self.isReadOnly = isReadOnly
    sender = ChangeSender(store)
    let (stream, continuation) = AsyncStream.makeStream(of: Job.self)
    jobs = continuation
    state.withLock { state in
      state.isStored = archive != nil
      if archive == nil { state.early = nil }
    }
    Task { [weak self] in
      await self?.restore()
      for await job in stream { await self?.perform(job) }
    }
  }

  deinit { jobs.finish() }

  // MARK: Changes

  /// Performs a user's command, and reports its result to ``listen(_:)``.
  ///
  /// - Returns: The state after the command.
  @discardableResult
  package func perform(_ command: ChangeCommand) -> ChangesState {
    if command == .cancelSending { sender.cancelAll() }
    return transit { state in
      if state.early != nil {
        state.early?.append(command)
        return []
      }
      return state.table.perform(command)
    }
  }

  /// Calls `listener` with each report and the state after it, in order. Reports from before the
  /// call are included.
  package func listen(_ listener: @escaping @Sendable (ChangeReport?, ChangesState) -> Void) {
    listening.withLock { listening in
      listening.listener = listener
      for (report, state) in listening.unread { listener(report, state) }
      listening.unread = []
    }
  }

  /// The number of changes that were made and have no result yet, whether or not their sending has
  /// begun.
  package var sendingCount: Int {
    let made = state.withLock { state in
      state.table.pending.count { $0.state == .sending } + (state.early?.count ?? 0)
    }
    return max(made, sender.count)
  }

  /// Whether no change is being sent, everything is reported, and staged changes are on disk.
  package var isSettled: Bool {
    sendingCount == 0 && state.withLock { $0.performed == $0.version }
  }

  /// Waits until the store is settled; see ``isSettled``.
  package func waitUntilSettled() async {
    repeat {
      await withCheckedContinuation { continuation in
        if case .terminated = jobs.yield(.barrier(continuation)) { continuation.resume() }
      }
      await sender.waitForResults()
    } while sender.count > 0
    await withCheckedContinuation { continuation in
      if case .terminated = jobs.yield(.barrier(continuation)) { continuation.resume() }
    }
  }

  /// Applies a transition to the staged changes, and performs the resulting actions. Actions are
  /// performed in the order of the transitions.
  @discardableResult
  private func transit(
    _ transition: (inout State) -> [StagedChanges.Action]
  ) -> ChangesState {
    state.withLock { state in
      let actions = transition(&state)
      state.version += 1
      let description = state.description
      jobs.yield(.follow(state.table, actions, description))
      return description
    }
  }

  /// Records the queued changes that a server rejected.
  func reject(_ refusals: [PendingChanges.Refusal]) {
    state.withLock { state in
      let actions = state.table.reject(refusals)
      if actions.isEmpty { return }
      state.version += 1
      jobs.yield(.follow(state.table, actions, state.description))
    }
  }

  /// The changes that snapshots contain and list. They are already on disk.
  var shown: StagedChanges { state.withLock(\.shown) }

  private func perform(_ job: Job) async {
    guard case .follow(let table, let actions, let description) = job else {
      if case .barrier(let continuation) = job { continuation.resume() }
      return
    }
    // Changes must be on disk before they are shown or sent.
    do throws(DataSourceError) {
      if !isReadOnly { try await archive?.save(table) }
    } catch {
      report(.notStored(error.description), description)
    }
    state.withLock { $0.shown = table }
    changed.ring()
    if actions.isEmpty { report(nil, description) }
    for action in actions {
      switch action {
      case .report(let news): report(news, description)
      case .send(let number, let query): send(number, query)
      }
    }
    state.withLock { $0.performed += 1 }
  }

  private func report(_ report: ChangeReport?, _ description: ChangesState) {
    listening.withLock { listening in
      if let listener = listening.listener {
        listener(report, description)
      } else {
        listening.unread.append((report, description))
      }
    }
  }

  private func send(_ number: Int, _ query: TransactionQuery) {
    followBlockers()
    sender.send(query) { [weak self] outcome in
      self?.transit { $0.table.end(number, outcome) }
    }
  }

  /// Watches the store's write blockers, and records them in the staged changes.
  private func followBlockers() {
    let isFirst = state.withLock { state in
      defer { state.isFollowingBlockers = true }
      return !state.isFollowingBlockers
    }
    guard isFirst else { return }
    let blockers = store.writeBlockers
    Task { [weak self] in
      for await reason in blockers {
        guard let self else { return }
        if state.withLock({ $0.table.blocker != reason }) {
          transit { state in
            state.table.block(reason)
            return []
          }
        }
      }
    }
  }

  /// Stages the changes of earlier processes. It runs before any other work of this store.
  private func restore() async {
    guard let archive else { return }
    do throws(DataSourceError) {
      let (groups, unreadable) = try await archive.restore()
      let count = groups.reduce(0) { $0 + $1.parts.count }
      if isReadOnly {
        endRestoring { _ in count > 0 ? [.report(.keptForWriter(count: count))] : [] }
      } else {
        endRestoring { $0.restore(groups, unreadable: unreadable) }
      }
    } catch {
      endRestoring { _ in [.report(.notRestored(error.description))] }
    }
  }

  private func endRestoring(_ restoring: (inout StagedChanges) -> [StagedChanges.Action]) {
    transit { state in
      var actions = restoring(&state.table)
      for command in state.early ?? [] { actions += state.table.perform(command) }
      state.early = nil
      return actions
    }
  }
}
