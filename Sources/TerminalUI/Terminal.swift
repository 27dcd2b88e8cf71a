/// The interface of a terminal, as the screen uses it. The module Ncurses implements it.
///
/// A single thread runs the event loop: it waits, processes all events, and draws once.
///
///     while !model.isDone {
///       for event in terminal.wait(until: model.nextDeadline) { model.update(event) }
///       terminal.draw(model.view(terminal.size), theme: theme)
///     }
package protocol Terminal: AnyObject {
  /// The current size of the screen; a change is also reported as an event.
  var size: Size { get }

  /// A waker that makes `wait(until:)` return, from any thread.
  var waker: any Waker { get }

  /// Sleeps until an event or `deadline`, and returns all pending events in order.
  ///
  /// The result is empty only if the deadline passed without an event.
  func wait(until deadline: ContinuousClock.Instant?) -> [TerminalEvent]

  /// Displays a frame by sending the differences from the previous one. A frame whose size differs
  /// from the terminal's is clipped or padded with blanks.
  func draw(_ frame: Frame, theme: Theme)

  /// Makes the next `draw` repaint everything, for example after other output to the screen.
  func redraw()

  /// Restores the shell's terminal modes and stops the process. When the process is continued, the
  /// next event is `resumed`.
  func suspend()

  /// Whether mouse reports are enabled. Otherwise the terminal itself selects text with the mouse.
  var isMouseOn: Bool { get set }

  /// Whether boxes and symbols are drawn in ASCII, although the terminal may display others.
  var usesPlainDrawings: Bool { get set }

  /// Copies text to the user's clipboard (OSC 52), even through ssh.
  ///
  /// Returns false if the text exceeds `TerminalLimits.clipboardBytes`, or if the terminal does not
  /// support copying.
  func copy(_ text: String) -> Bool

  /// Sets the title of the terminal's window.
  func setTitle(_ title: String)

  /// Rings the bell.
  func ring()

  /// Hands the terminal to another program, such as an editor, until that program exits.
  ///
  /// - Parameters:
  ///   - arguments: The program, which is looked up in PATH, and its arguments.
  ///   - variables: Environment variables in addition to those of this process.
  /// - Returns: The program's exit status, or 128 plus the number of the signal that ended the
  ///   program.
  /// - Throws: `TerminalError.cannotRun`.
  func run(
    _ arguments: [String], variables: [String: String]
  ) throws(TerminalError) -> Int32
}

extension Terminal {
  /// Hands the terminal to another program with the environment of this process.
  package func run(_ arguments: [String]) throws(TerminalError) -> Int32 {
    try run(arguments, variables: [:])
  }
}

/// Wakes a waiting terminal. It is thread-safe, and cheap when called often.
package protocol Waker: Sendable {
  func wake()
}

/// Limits on the data that passes through a terminal.
package enum TerminalLimits {
  /// The maximum size of a text for the clipboard, in bytes. Terminals silently drop longer texts.
  package static let clipboardBytes = 74_994
  /// The maximum size of a paste, in bytes. The rest is dropped.
  package static let pasteBytes = 4 << 20
}

/// The reason why a terminal cannot be used.
package enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  case notATerminal(String)
  case noType
  case unknownType(String)
  case tooSimple(String)
  case cannotRun(String, reason: String)
  case system(call: String, reason: String)

  package var description: String { message }

  package var message: String {
    switch self {
    case .notATerminal(let which):
      "Sonde needs a terminal, but \(which) is not one. In scripts, use 'sonde query'; to open data from a pipe, 'sonde -'."
    case .noType:
      "TERM is not set, so the terminal's capabilities are unknown. Set it, for example to TERM=xterm-256color."
    case .unknownType(let name):
      "The terminal type '\(name)' is unknown. Set TERM to a known type, for example TERM=xterm-256color."
    case .tooSimple(let name):
      "A terminal of type '\(name)' cannot position the cursor. Use another one, or 'sonde query' for plain output."
    case .cannotRun(let program, let reason): "Cannot run '\(program)': \(reason)."
    case .system(let call, let reason): "Cannot open the terminal: \(call): \(reason)."
    }
  }
}
