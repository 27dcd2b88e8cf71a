package import Dispatch
import LiveQueries
package import TerminalUI
import Widgets

/// Waits for events, processes all of them, and draws once.
///
/// It runs on the thread that owns the terminal and sleeps in the terminal's wait, so that an idle
/// program never wakes up.
package struct EventLoop {
  /// The way in which a run ends.
  package enum End: Equatable {
    case quit(Int32)
    case failed(String)
  }

  private let terminal: any Terminal
  private let mailbox: Mailbox
  private var model: Model
  private var runner: EffectRunner
  /// The input from before the first frame, processed after that frame.
  private var held: [TerminalEvent] = []
  /// The event that the last frame waited for.
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

  /// The maximum time that a key waits for the query of the previous key, if both were waiting.
  ///
  /// Keys typed at once then have the same effect as keys typed one by one.
  private static let timeout = DispatchTimeInterval.milliseconds(20)
  /// The maximum time that a frame waits for the rows at the cursor, to avoid drawing twice.
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

  /// Processes input from the terminal, in order. Nil if the run continues.
  private mutating func process(_ inputs: [TerminalEvent]) -> End? {
    var inputs = inputs[...]
    // The subscription that the last key started.
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
      // Rows that the cursor only passes are not loaded.
      let isPassing =
        model.isCursorMovement(input) && inputs.first.map { model.isCursorMovement($0) } == true
      let effects =
        isPassing ? model.updateSkippingPrefetch(.terminal(input)) : model.update(.terminal(input))
      if let end = perform(effects) { return end }
      // The next key may be about the changes as they are now.
      if effects.contains(where: \.isChange), let end = takeMail() { return end }
      unanswered = effects.watched ?? unanswered
    }
    return nil
  }

  /// Waits briefly for the rows that the cursor moves to and for their links.
  ///
  /// Drawn one after the other, they would need two frames.
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

  /// Waits briefly, once, for background work that a key started.
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
      runner.perform(effect, terminal: terminal, mailbox: mailbox)
    }
    return nil
  }
}

// Ending a run.
extension EventLoop {
  /// The maximum delay of an exit that users do not notice.
  private static let unnoticed = DispatchTimeInterval.milliseconds(300)
  /// The maximum time for writing the notebook.
  private static let notebookTimeout = DispatchTimeInterval.seconds(2)

  /// Waits until submitted changes reach the store and the session is written.
  ///
  /// The terminal may belong to another program by then.
  ///
  /// - Parameters:
  ///   - timeout: The timeout for the store's changes.
  ///   - say: Receives messages for the user.
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

  /// The number of changes with the verb, such as "2 changes are".
  private func words(_ count: Int) -> String {
    StagingWords.changes(count) + (count == 1 ? " is" : " are")
  }
}

extension Task where Success == Void, Failure == Never {
  /// Blocks this thread, which runs no tasks, until the task is done.
  ///
  /// - Returns: Whether it was done before `deadline`.
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
  /// The subscription that the effects start; nil for side queries.
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
