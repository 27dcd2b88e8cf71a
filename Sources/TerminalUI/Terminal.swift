/// What a screen needs of a terminal: the plug that Ncurses fits.
///
/// One loop on one thread: wait, take everything that happened, draw once.
///
///     while !model.isDone {
///       for event in terminal.wait(until: model.nextDeadline) { model.update(event) }
///       terminal.draw(model.view(terminal.size), theme: theme)
///     }
package protocol Terminal: AnyObject {
  /// How large the screen is now; a change is also an event.
  var size: Size { get }

  /// Makes `wait(until:)` return, from any thread.
  var waker: any Waker { get }

  /// Sleeps until something happens or `deadline` has come, and returns everything that is waiting, in
  /// order; nothing only at the deadline. While nothing happens nothing runs.
  func wait(until deadline: ContinuousClock.Instant?) -> [TerminalEvent]

  /// Shows a frame: what differs from the one before is sent. A frame of another size than the
  /// terminal's is cut, or surrounded by blanks.
  func draw(_ frame: Frame, theme: Theme)

  /// Paints everything anew at the next `draw`, for a screen that something else has written on.
  func redraw()

  /// Gives the terminal back to the shell and stops the program until it is continued; `resumed` is
  /// then the next event.
  func suspend()

  /// Whether mouse reports are wanted; off leaves the mouse to the terminal, for selecting text.
  var isMouseOn: Bool { get set }

  /// Hands text to the clipboard of the person at the terminal, also through ssh; false when it is too
  /// long for that (`TerminalLimits.clipboardBytes`) or the terminal has no way.
  func copy(_ text: String) -> Bool

  /// Names the terminal's window.
  func setTitle(_ title: String)

  /// Asks for attention.
  func ring()

  /// Gives the terminal to another program, such as an editor, and takes it back when that ends.
  ///
  /// - Parameter arguments: the program, looked up in PATH, and its arguments.
  /// - Returns: its exit status, or 128 and the signal that ended it.
  /// - Throws: `TerminalError.cannotRun`.
  func run(_ arguments: [String]) throws(TerminalError) -> Int32
}

/// Wakes a terminal that waits; safe on every thread, and cheap when called often.
package protocol Waker: Sendable {
  func wake()
}

/// Bounds of what passes through a terminal.
package enum TerminalLimits {
  /// Longest text that is handed to the clipboard; terminals drop more than this without a word.
  package static let clipboardBytes = 74_994
  /// Longest paste that is delivered; the rest is dropped.
  package static let pasteBytes = 4 << 20
}

/// Why a terminal cannot be used, in a sentence each.
package enum TerminalError: Error, Hashable, Sendable {
  case notATerminal(String)
  case noType
  case unknownType(String)
  case tooSimple(String)
  case cannotRun(String, reason: String)
  case system(call: String, reason: String)

  package var message: String {
    switch self {
    case .notATerminal(let which):
      "Sonde needs a terminal, but \(which) is not one. For scripts there is `sonde query`."
    case .noType:
      "TERM is not set, so the terminal's abilities are unknown. Set it, for example TERM=xterm-256color."
    case .unknownType(let name):
      "The terminal type '\(name)' is not known here. Set TERM to one that is, for example TERM=xterm-256color."
    case .tooSimple(let name):
      "A terminal of type '\(name)' cannot place the cursor. Use another, or `sonde query` for plain output."
    case .cannotRun(let program, let reason): "Cannot run '\(program)': \(reason)."
    case .system(let call, let reason): "The terminal cannot be opened: \(call): \(reason)."
    }
  }
}
