package import Dispatch
import LiveQueries
package import TerminalUI
import Widgets

/// Waits for events, processes all of them, and then draws a single frame.
///
/// It runs on the thread that owns the terminal, and sleeps while the terminal waits for input. An
/// idle program therefore never wakes up.
package struct EventLoop {
  /// How a run of the loop ended.
  package enum End: Equatable {
    case quit(Int32)
    case failed(String)
  }

  private let terminal: any Terminal
  private let mailbox: Mailbox
  private var model: Model
  private var runner: EffectRunner
  /// The input that arrived before the first frame. It is processed after that frame.
  private var held: [TerminalEvent] = []
  /// The response or answer for which the last frame waited; nil if there was none.
  private var awaitedLast: Awaited?

  package init(
    _ model: Model, terminal: any Terminal, mailbox: Mailbox, runner: EffectRunner
  ) {
    self.model = model
    self.terminal = terminal
    self.mailbox = mailbox
    self.runner = runner
    runner.changes.listen { mailbox.post(.changes($0, $1)) }
  }

  /// The maximum time that a queued key waits for the query that the key before it started.
  ///
  /// Keys typed in quick succession then have the same effect as keys typed one by one.
  private static let timeout = DispatchTimeInterval.milliseconds(20)
  /// The maximum time that a frame waits for the rows at the cursor. It avoids drawing twice.
  private static let rowTimeout = DispatchTimeInterval.milliseconds(12)

  /// Runs until the model quits, and returns how the run ended.
  package mutating func run() -> End {
    terminal.draw(model.view(), theme: runner.theme)
    while true {
      let inputs = held + terminal.wait(until: model.deadline)
      held = []
      if let end = takeMail() { return end }
      if let end = process(inputs) { return end }
      if let end = awaitRows() { return end }
      if let end = awaitPrepared() { return end }
      if model.isTimed, let end = perform(model.update(.tick(.now))) { return end }
      terminal.draw(model.view(), theme: runner.theme)
    }
  }

  /// Processes input from the terminal, in order. Returns nil if the run continues.
  private mutating func process(_ inputs: [TerminalEvent]) -> End? {
    var inputs = inputs[...]
    // The subscription that the previous key started; nil if there is none.
    var unanswered: WatchToken?
    while let input = inputs.popNext(isTyping: model.isTyping) {
      if model.shouldDefer(input, after: held) {
        held.append(input)
        continue
      }
      if let token = unanswered, !model.acceptsWhileLoading(input) {
        unanswered = nil
        mailbox.awaitAnswer(to: token, until: .now() + Self.timeout)
        if let end = takeMail() { return end }
      }
      // If the cursor passes rows without stopping, they are not loaded.
      let isPassing =
        model.isCursorMovement(input) && inputs.first.map { model.isCursorMovement($0) } == true
      let effects =
        isPassing ? model.updateSkippingPrefetch(.terminal(input)) : model.update(.terminal(input))
      if let end = perform(effects) { return end }
      // The next key may depend on the changes in their current state.
      if effects.contains(where: \.isChange), let end = takeMail() { return end }
      unanswered = effects.watched ?? unanswered
    }
    return nil
  }

  /// Waits briefly for the rows to which the cursor moves, and for their links.
  ///
  /// If they were drawn as they arrive, they would need two frames.
  private mutating func awaitRows() -> End? {
    if let end = awaitAnswers({ $0.awaitedRows }) { return end }
    return awaitAnswers { $0.awaitedLinks }
  }

  private mutating func awaitAnswers(_ next: (Model) -> WatchToken?) -> End? {
    guard var token = next(model) else { return nil }
    let deadline = DispatchTime.now() + Self.rowTimeout
    while DispatchTime.now() < deadline {
      mailbox.awaitAnswer(to: token, until: deadline)
      if let end = takeMail() { return end }
      guard let other = next(model) else { return nil }
      token = other
    }
    return nil
  }

  /// Waits briefly for background work that a key started. It waits only once for each.
  private mutating func awaitPrepared() -> End? {
    guard let awaited = model.awaited, awaited != awaitedLast else { return nil }
    awaitedLast = awaited
    mailbox.wait(for: awaited, until: .now() + Self.rowTimeout)
    return takeMail()
  }

  private mutating func takeMail() -> End? {
    for event in mailbox.drain() {
      if case .response(let id, let response) = event, !response.isProgress { runner.end(id) }
      if let end = perform(model.update(event)) { return end }
    }
    return nil
  }

  private mutating func perform(_ effects: [Effect]) -> End? {
    for effect in effects {
      if let end = effect.end { return end }
      // The screen does not change while a command runs.
      if effect.isCommand { terminal.draw(model.view(), theme: runner.theme) }
      runner.perform(effect, terminal: terminal, mailbox: mailbox)
    }
    return nil
  }
}

// Ends a run.
extension EventLoop {
  /// The maximum delay at exit that users do not notice.
  private static let unnoticed = DispatchTimeInterval.milliseconds(300)
  /// The maximum time to wait for writes to the notebook.
  private static let notebookTimeout = DispatchTimeInterval.seconds(2)

  /// Waits until submitted changes have reached the store and the session is written.
  ///
  /// The terminal may already belong to another program.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait for the store's changes.
  ///   - say: Is called with messages for the user.
  /// - Returns: Whether all changes are committed.
  package mutating func finishChanges(
    within timeout: DispatchTimeInterval, saying say: (String) -> Void
  ) -> Bool {
    let changes = runner.changes
    let settling = Task { await changes.waitUntilSettled() }
    let deadline = DispatchTime.now() + timeout
    if !settling.wait(until: min(deadline, .now() + Self.unnoticed)) {
      say("Waiting until \(words(changes.sendingCount)) committed (ctrl-c quits now)")
      _ = settling.wait(until: deadline)
    }
    var areMade = true
    for case .changes(let report?, _) in mailbox.drain() {
      guard let reason = report.rejection else { continue }
      areMade = false
      say("Not changed: \(reason)")
    }
    if changes.sendingCount > 0 {
      areMade = false
      say("Quit without knowing whether \(words(changes.sendingCount)) committed")
    }
    _ = runner.writing?.wait(until: .now() + Self.notebookTimeout)
    return areMade
  }

  /// Returns the number of changes with its verb, such as "2 changes are".
  private func words(_ count: Int) -> String {
    StagingWords.changes(count) + (count == 1 ? " is" : " are")
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
  /// The subscription that the effects start; nil if they start none, or only side queries.
  fileprivate var watched: WatchToken? {
    for case .watch(_, let token, _) in reversed() where !token.isBeside { return token }
    return nil
  }
}

extension Effect {
  fileprivate var isChange: Bool {
    if case .change = self { true } else { false }
  }

  fileprivate var isCommand: Bool {
    if case .run = self { true } else { false }
  }

  fileprivate var end: EventLoop.End? {
    if case .quit(let status) = self { return .quit(status) }
    if case .fail(let reason) = self { return .failed(reason) }
    return nil
  }
}
