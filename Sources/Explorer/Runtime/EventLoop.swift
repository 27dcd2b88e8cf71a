package import Dispatch
package import TerminalUI

/// Waits for what happens, takes all of it, and draws once.
///
/// It runs on the thread that owns the terminal and sleeps in the terminal's wait: while nothing
/// happens, nothing runs.
package struct EventLoop {
  /// How a run ends.
  package enum End: Equatable {
    case quit(Int32)
    case failed(String)
  }

  private let terminal: any Terminal
  private let mailbox: Mailbox
  private var model: Model
  private var runner: EffectRunner
  /// What was typed before there was anything to see; it is taken when there is.
  private var held: [TerminalEvent] = []
  /// What a frame waited for last.
  private var awaitedLast: Awaited?

  package init(
    _ model: Model, terminal: any Terminal, mailbox: Mailbox, runner: EffectRunner
  ) {
    self.model = model
    self.terminal = terminal
    self.mailbox = mailbox
    self.runner = runner
  }

  /// How long a key lets the query of the key before it be answered, when both were waiting: keys
  /// that were typed at once then do what they do when typed one by one.
  private static let patience = DispatchTimeInterval.milliseconds(20)
  /// How long a frame waits for the rows that the cursor goes to: those on the way are not painted
  /// when they come soon.
  private static let patienceWithRows = DispatchTimeInterval.milliseconds(12)

  /// Runs until the model wishes to quit.
  package mutating func run() -> End {
    terminal.draw(model.view(), theme: runner.theme)
    while true {
      let inputs = held + terminal.wait(until: model.deadline)
      held = []
      if let end = takeMail() { return end }
      if let end = take(inputs) { return end }
      if let end = awaitRows() { return end }
      if let end = awaitPrepared() { return end }
      if model.isTimed, let end = perform(model.update(.tick(.now))) { return end }
      terminal.draw(model.view(), theme: runner.theme)
    }
  }

  /// Takes what came from the terminal, in order.
  private mutating func take(_ inputs: [TerminalEvent]) -> End? {
    var inputs = inputs[...]
    // The query that the last key began to ask.
    var unanswered: WatchToken?
    while let input = inputs.popNext(isTyping: model.isTyping) {
      if model.mustWait(input, after: held) {
        held.append(input)
        continue
      }
      if let token = unanswered, !model.canTakeAhead(input) {
        unanswered = nil
        mailbox.awaitAnswer(to: token, until: .now() + Self.patience)
        if let end = takeMail() { return end }
      }
      // Rows that the cursor only passes need not be read.
      let isPassing = model.onlyMoves(input) && inputs.first.map { model.onlyMoves($0) } == true
      let effects =
        isPassing ? model.pass(.terminal(input)) : model.update(.terminal(input))
      if let end = perform(effects) { return end }
      unanswered = effects.watched ?? unanswered
    }
    return nil
  }

  /// Waits a little for the rows that the cursor is on its way to, and then for what they are linked
  /// with: painted apart, they would be two frames.
  private mutating func awaitRows() -> End? {
    if let end = awaitAnswers({ $0.awaitedRows }) { return end }
    return awaitAnswers { $0.awaitedLinks }
  }

  private mutating func awaitAnswers(_ next: (Model) -> WatchToken?) -> End? {
    guard var token = next(model) else { return nil }
    let deadline = DispatchTime.now() + Self.patienceWithRows
    while DispatchTime.now() < deadline {
      mailbox.awaitAnswer(to: token, until: deadline)
      if let end = takeMail() { return end }
      guard let other = next(model) else { return nil }
      token = other
    }
    return nil
  }

  /// Waits a little for what a key had made beside the screen, once: what takes long is not waited for
  /// again.
  private mutating func awaitPrepared() -> End? {
    guard let awaited = model.awaited, awaited != awaitedLast else { return nil }
    awaitedLast = awaited
    mailbox.wait(for: awaited, until: .now() + Self.patienceWithRows)
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

// After the run.
extension EventLoop {
  /// How long nobody wonders why the program does not end.
  private static let unnoticed = DispatchTimeInterval.milliseconds(300)
  /// How long the notebook may take.
  private static let patienceWithNotebook = DispatchTimeInterval.seconds(2)

  /// Lets changes reach the store that were ordered before the run ended, and then what is to be
  /// remembered reach the notebook. The terminal may be somebody else's by then.
  ///
  /// - Parameters:
  ///   - patience: How long the store may take for the changes.
  ///   - say: Told what a person has to know, in sentences.
  /// - Returns: Whether all changes are made.
  package mutating func settle(
    within patience: DispatchTimeInterval, saying say: (String) -> Void
  ) -> Bool {
    let changes = runner.changes
    let deadline = DispatchTime.now() + patience
    if changes.last?.wait(until: min(deadline, .now() + Self.unnoticed)) == false {
      say("Waiting until \(changes.words) made: ctrl-c does not wait")
      _ = changes.last?.wait(until: deadline)
    }
    var areMade = true
    for event in mailbox.drain() {
      if case .refused(let reason, _) = event {
        areMade = false
        say("Not changed: \(reason)")
      }
      if event.isAboutChange { remember(model.update(event)) }
    }
    if changes.count > 0 {
      areMade = false
      say("Left before it was known whether \(changes.words) made")
    }
    _ = runner.writing?.wait(until: .now() + Self.patienceWithNotebook)
    return areMade
  }

  /// Of what follows from a change when there is no screen any more, only what outlives the program.
  private mutating func remember(_ effects: [Effect]) {
    for effect in effects {
      guard case .save(.stagedChanges) = effect else { continue }
      runner.perform(effect, terminal: terminal, mailbox: mailbox)
    }
  }
}

extension Task where Success == Void, Failure == Never {
  /// Keeps this thread, which is none that runs tasks, until the task is done.
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
  /// The watch of the query that begins here; nobody waits for what is asked beside it.
  fileprivate var watched: WatchToken? {
    for case .watch(_, let token, _) in reversed() where !token.isBeside { return token }
    return nil
  }
}

extension Effect {
  fileprivate var end: EventLoop.End? {
    if case .quit(let status) = self { return .quit(status) }
    if case .fail(let reason) = self { return .failed(reason) }
    return nil
  }
}

extension Event {
  /// Whether a change was made or refused.
  fileprivate var isAboutChange: Bool {
    if case .transacted = self { return true }
    if case .refused = self { return true }
    return false
  }
}
