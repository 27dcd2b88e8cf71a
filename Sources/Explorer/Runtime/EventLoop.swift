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

  /// Runs until the model wishes to quit.
  package mutating func run(_ model: consuming Model) -> End {
    var model = model
    terminal.draw(model.view(), theme: runner.theme)
    while true {
      let inputs = terminal.wait(until: nil)
      let events = inputs.map(Event.terminal) + mailbox.drain()
      for event in events {
        for effect in model.update(event) {
          if let end = effect.end { return end }
          runner.perform(effect, terminal: terminal, mailbox: mailbox)
        }
      }
      terminal.draw(model.view(), theme: runner.theme)
    }
  }
}

extension Effect {
  fileprivate var end: EventLoop.End? {
    switch self {
    case .quit(let status): .quit(status)
    case .fail(let reason): .failed(reason)
    case .watch, .stopWatching, .copy, .nextTheme, .suspend, .redraw: nil
    }
  }
}
