import Dispatch
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
  private var runner: EffectRunner

  package init(terminal: any Terminal, mailbox: Mailbox, runner: EffectRunner) {
    self.terminal = terminal
    self.mailbox = mailbox
    self.runner = runner
  }

  /// What is still being written into the notebook; nil when nothing ever was.
  package var writing: Task<Void, Never>? { runner.writing }

  /// How long a key lets the query of the key before it be answered, when both were waiting: keys
  /// that were typed at once then do what they do when typed one by one.
  private static let patience = DispatchTimeInterval.milliseconds(20)
  /// How long a frame waits for the rows that the cursor goes to: those on the way are not painted
  /// when they come soon.
  private static let patienceWithRows = DispatchTimeInterval.milliseconds(8)

  /// Runs until the model wishes to quit.
  package mutating func run(_ model: consuming Model) -> End {
    var model = model
    // What was typed before there was anything to see; it is taken when there is.
    var held: [TerminalEvent] = []
    // The query that the last key began to ask.
    var unanswered: WatchToken?
    var questions = HeldQuestions()
    terminal.draw(model.view(), theme: runner.theme)
    while true {
      var inputs = held + terminal.wait(until: model.deadline)
      held = []
      if let end = take(mailbox.drain(), into: &model) { return end }
      while !inputs.isEmpty {
        let input = inputs.removeFirst()
        if model.mustWait(input, after: held) {
          held.append(input)
          continue
        }
        if let token = unanswered, !model.canTakeAhead(input) {
          unanswered = nil
          mailbox.awaitAnswer(to: token, until: .now() + Self.patience)
          if let end = take(mailbox.drain(), into: &model) { return end }
        }
        let isHeld = questions.add(model.update(.terminal(input)))
        if isHeld, let next = inputs.first, model.canTakeAhead(next) { continue }
        let effects = questions.take()
        if let end = perform(effects) { return end }
        unanswered = effects.watched ?? unanswered
      }
      if let end = perform(questions.take()) { return end }
      unanswered = nil
      if let end = awaitRows(&model) { return end }
      if model.isTimed, let end = perform(model.update(.tick(.now))) { return end }
      terminal.draw(model.view(), theme: runner.theme)
    }
  }

  /// Waits a little for the rows that the cursor is on its way to.
  private mutating func awaitRows(_ model: inout Model) -> End? {
    let deadline = DispatchTime.now() + Self.patienceWithRows
    while let token = model.awaitedRows, DispatchTime.now() < deadline {
      mailbox.awaitAnswer(to: token, until: deadline)
      if let end = take(mailbox.drain(), into: &model) { return end }
    }
    return nil
  }

  private mutating func take(_ events: [Event], into model: inout Model) -> End? {
    for event in events {
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

extension [Effect] {
  /// The watch of the query that begins here; nobody waits for what is asked beside it.
  fileprivate var watched: WatchToken? {
    for case .watch(_, let token, _) in reversed() where !token.isBeside { return token }
    return nil
  }
}

extension Effect {
  fileprivate var end: EventLoop.End? {
    switch self {
    case .quit(let status): .quit(status)
    case .fail(let reason): .failed(reason)
    case .watch, .stopWatching, .copy, .saveQuery, .forgetQuery, .recordQuery,
      .recallQueries, .explain, .countValues, .stopCounting, .complete, .search, .stopSearching,
      .page, .editText,
      .export,
      .stopExport, .toggleMouse,
      .transact, .recallColumns, .keepColumns, .listWatched, .stopListingWatched, .drawID,
      .keepSplits, .keepView, .keepUnsent,
      .nextTheme, .theme, .listThemes, .previewTheme, .keepTheme, .rereadTheme, .mouse, .callServer,
      .suspend, .redraw:
      nil
    }
  }
}
