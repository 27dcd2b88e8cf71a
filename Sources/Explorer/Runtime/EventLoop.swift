package import Dispatch
import LiveQueries
package import TerminalUI

/// The main loop, which waits for events, processes all of them, and then draws one frame.
///
/// It runs on the thread that owns the terminal, and sleeps while the terminal waits for input. An
/// idle program therefore uses no CPU time.
package struct EventLoop {
  /// The reason why the loop returned: the user quit, or the terminal failed.
  package enum End: Equatable {
    case quit(Int32)
    case failed(String)
  }

  private let terminal: any Terminal
  private var workspaces: Workspaces
  private var stores: [WorkspaceID: OpenStore]
  /// The theme of all stores without a theme of their own.
  private var themeState: EffectRunner.ThemeState
  private let opening: Opening
  /// The tasks that close stores.
  private var closings: [Task<Void, Never>] = []
  /// What the previous frame waited for: the response to a request, or the answer to a query. Nil if it
  /// waited for nothing.
  private var awaitedLast: Awaited?
  /// The store that the previous frame showed.
  private var shownLast: WorkspaceID

  package typealias Start = (workspace: Workspace, store: OpenStore)
  /// Opens a store that was found, with a screen of the given size.
  package typealias Opening = (StoreListing, Size) -> Result<Start, OpeningFailure>

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - starts: The workspaces of the open stores, at least one; the first is in front.
  ///   - theme: The initial theme.
  ///   - opening: Opens other stores.
  package init(
    _ starts: [Start], terminal: any Terminal, theme: Theme,
    opening: @escaping Opening = { _, _ in
      .failure(OpeningFailure(reason: RuntimeWords.noOtherStores))
    }
  ) {
    self.terminal = terminal
    self.opening = opening
    workspaces = Workspaces(starts.map(\.workspace))
    stores = Dictionary(uniqueKeysWithValues: zip(workspaces.ids, starts).map { ($0, $1.store) })
    themeState = EffectRunner.ThemeState(theme)
    shownLast = workspaces.frontID
  }

  /// The state of the store in front.
  private var workspace: Workspace { _read { yield workspaces.front } }

  /// The mailbox of the store in front.
  private var mailbox: Mailbox? { stores[workspaces.frontID]?.mailbox }

  /// The maximum time that a queued key waits for the query that the previous key started.
  ///
  /// Keys typed in quick succession then have the same effect as keys typed one by one.
  private static let timeout = DispatchTimeInterval.milliseconds(20)
  /// The maximum time that a frame waits for the rows at the cursor, to avoid drawing twice.
  private static let rowTimeout = DispatchTimeInterval.milliseconds(12)

  /// Runs until the workspace quits, and returns how the run ended.
  package mutating func run() -> End {
    draw()
    while true {
      let inputs = terminal.wait(until: workspaces.deadline)
      if let end = processMail() { return end }
      if let end = process(inputs) { return end }
      if let end = awaitRows() { return end }
      if let end = awaitPrepared() { return end }
      if let end = tick() { return end }
      draw()
    }
  }

  /// Advances the time. Waits briefly for the rows of a query that this starts.
  private mutating func tick() -> End? {
    let effects = workspaces.tick(.now)
    if let end = perform(effects) { return end }
    guard let token = effects.map(\.effect).watched else { return nil }
    mailbox?.wait(for: .answer(token), until: .now() + Self.rowTimeout)
    return processMail()
  }

  private mutating func draw() {
    let id = workspaces.frontID
    if id != shownLast {
      terminal.setTitle("sonde " + workspace.store.identity.name)
      awaitedLast = nil
    }
    shownLast = id
    terminal.draw(workspace.view(), theme: stores[id]?.themeState?.theme ?? themeState.theme)
  }

  /// Processes an event of the store in front.
  private mutating func update(_ event: Event) -> [OwnedEffect] {
    workspaces.update(event, of: workspaces.frontID)
  }

  /// Processes input from the terminal, in order. Returns nil unless the run ends.
  private mutating func process(_ inputs: [TerminalEvent]) -> End? {
    var inputs = inputs[...]
    // The subscription that the previous key started; nil if there is none.
    var unanswered: WatchToken?
    while let input = inputs.popNext(isTyping: workspace.isTyping) {
      let front = workspaces.frontID
      if let token = unanswered, !workspace.acceptsWhileLoading(input) {
        unanswered = nil
        mailbox?.wait(for: .answer(token), until: .now() + Self.timeout)
        if let end = processMail() { return end }
      }
      // Rows that the cursor passes without stopping are not loaded.
      let isPassing =
        inputs.first.map { workspace.isCursorMovement($0) } == true
        && workspace.isCursorMovement(input)
      let effects =
        isPassing
        ? workspaces.updateSkippingPrefetch(.terminal(input)) : update(.terminal(input))
      if let end = perform(effects) { return end }
      // The next key may depend on the changes in their current state.
      if effects.contains(where: \.effect.isChange), let end = processMail() { return end }
      // If another store came to the front, it gets the remaining input.
      unanswered =
        workspaces.frontID == front ? effects.map(\.effect).watched ?? unanswered : nil
    }
    return nil
  }

  /// Waits briefly for the rows to which the cursor moves, and for their links.
  ///
  /// Without this wait, rows that arrive soon after a key would need a second frame.
  private mutating func awaitRows() -> End? {
    if let end = awaitAnswers({ $0.awaitedRows }) { return end }
    return awaitAnswers { $0.awaitedLinks }
  }

  private mutating func awaitAnswers(_ next: (Workspace) -> WatchToken?) -> End? {
    guard var token = next(workspace) else { return nil }
    let deadline = DispatchTime.now() + Self.rowTimeout
    while DispatchTime.now() < deadline {
      mailbox?.wait(for: .answer(token), until: deadline)
      if let end = processMail() { return end }
      guard let other = next(workspace) else { return nil }
      token = other
    }
    return nil
  }

  /// Waits briefly for background work that a key started, but only once for the same work.
  private mutating func awaitPrepared() -> End? {
    guard let awaited = workspace.awaited, awaited != awaitedLast else { return nil }
    awaitedLast = awaited
    mailbox?.wait(for: awaited, until: .now() + Self.rowTimeout)
    return processMail()
  }

  private mutating func processMail() -> End? {
    for id in workspaces.ids {
      for event in stores[id]?.drain() ?? [] {
        if let end = perform(workspaces.update(event, of: id)) { return end }
      }
    }
    return nil
  }

  private mutating func perform(_ effects: [OwnedEffect]) -> End? {
    for owned in effects {
      if let end = owned.effect.end { return end }
      if case .workspace(let command) = owned.effect {
        if let end = perform(command, of: owned.owner) { return end }
      } else {
        let (isInFront, terminal) = (owned.owner == workspaces.frontID, terminal)
        stores[owned.owner]?.perform(
          owned.effect, shared: &themeState, isInFront: isInFront, terminal: terminal)
      }
    }
    return nil
  }

  private mutating func perform(_ command: WorkspaceCommand, of owner: WorkspaceID) -> End? {
    switch command {
    case .open(let listing, let isInFront):
      switch opening(listing, workspace.size) {
      case .success(let start):
        let (id, effects) = workspaces.add(start.workspace, inFront: isInFront)
        stores[id] = start.store
        return perform(effects)
      case .failure(let failure):
        stores[owner]?.mailbox.post(.notice(.storeNotOpened(listing.name, failure.reason)))
      }
    case .close:
      guard let store = stores.removeValue(forKey: owner) else { break }
      closings.append(store.close())
    case .set(.ascii, let isOn): terminal.usesPlainDrawings = isOn
    case .show, .set: break
    }
    return nil
  }

  // MARK: Ending

  /// The maximum delay at exit that is too short for users to notice.
  private static let unnoticed = DispatchTimeInterval.milliseconds(300)
  /// The maximum time to wait until the notebook is written.
  private static let notebookTimeout = DispatchTimeInterval.seconds(2)

  /// Waits until submitted changes have reached the store and the session is saved.
  ///
  /// It can be called after the terminal was released.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the changes.
  ///   - say: Called with messages for the user.
  /// - Returns: Whether all changes are committed.
  package mutating func finishChanges(
    within timeout: DispatchTimeInterval, saying say: (String) -> Void
  ) -> Bool {
    for id in workspaces.ids { stores[id]?.endRequests() }
    let open = workspaces.ids.compactMap { stores[$0] }
    let changes = open.map(\.runner.changes)
    var sendingCount: Int { changes.reduce(0) { $0 + $1.sendingCount } }
    let start = DispatchTime.now()
    // Queries may occupy all threads, so that even a wait for nothing takes long.
    let settling =
      open.filter { !$0.runner.changes.isSettled }.map { store in
        let changes = store.runner.changes
        return (
          task: Task { await changes.waitUntilSettled() },
          deadline: start + (store.changesTimeout ?? timeout)
        )
      } + closings.map { (task: $0, deadline: start + timeout) }
    let soon = start + Self.unnoticed
    if !settling.allSatisfy({ $0.task.wait(until: min($0.deadline, soon)) }) {
      say(
        RuntimeWords.waiting(
          for: sendingCount > 0 ? words(sendingCount) : "the changes of closed stores are"))
      for (task, deadline) in settling { _ = task.wait(until: deadline) }
    }
    var areMade = true
    for case .changes(let report?, _) in open.flatMap({ $0.mailbox.drain() }) {
      guard let reason = report.rejection else { continue }
      areMade = false
      say(RuntimeWords.notChanged(reason))
    }
    if sendingCount > 0 {
      areMade = false
      say(RuntimeWords.outcomeUnknown(of: words(sendingCount)))
    }
    let written = DispatchTime.now() + Self.notebookTimeout
    for store in open { _ = store.runner.writing?.wait(until: written) }
    return areMade
  }

  /// Closes the connections to servers, once changes are finished.
  package mutating func disconnect(within timeout: DispatchTimeInterval) {
    let deadline = DispatchTime.now() + timeout
    let closings = stores.keys.compactMap { id in
      stores[id]?.changesTimeout == nil ? nil : stores[id]?.close()
    }
    for closing in closings { _ = closing.wait(until: deadline) }
  }

  /// Returns a number of changes with its verb, such as "2 changes are".
  private func words(_ count: Int) -> String {
    NumberText.count(count, "change") + (count == 1 ? " is" : " are")
  }
}

extension Task where Success == Void, Failure == Never {
  /// Blocks this thread until the task is done. The thread must run no tasks.
  ///
  /// - Returns: Whether the task was done before `deadline`.
  package func wait(until deadline: DispatchTime) -> Bool {
    let done = DispatchSemaphore(value: 0)
    Task<Void, Never> {
      await value
      done.signal()
    }
    return done.wait(timeout: deadline) == .success
  }
}

extension [Effect] {
  /// The subscription that the effects start for a tab's query; nil if there is none.
  fileprivate var watched: WatchToken? {
    for case .watch(_, let token, _) in reversed() where !token.isBeside { return token }
    return nil
  }
}

extension Effect {
  fileprivate var isChange: Bool {
    if case .change = self { true } else { false }
  }

  fileprivate var end: EventLoop.End? {
    if case .quit(let status) = self { return .quit(status) }
    if case .fail(let reason) = self { return .failed(reason) }
    return nil
  }
}
