/// An event from a terminal.
package enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  case mouse(Mouse)
  /// Pasted text, with line feeds as line breaks. The text is not reported as keys.
  case paste(String)
  /// The terminal's window gained or lost focus.
  case focus(Bool)
  case resize(Size)
  /// Another thread called the waker.
  case wake
  /// The program continues after it was suspended. It must draw the screen again.
  case resumed
  /// A signal with this number asked the program to exit.
  case terminate(Int32)
  /// The terminal has closed; no further events follow.
  case hangup
}
