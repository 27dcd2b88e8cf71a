/// What a terminal reports.
package enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  case mouse(Mouse)
  /// Text that was pasted, line ends as line feeds; not a sequence of keys.
  case paste(String)
  /// The terminal's window came to the front, or left it.
  case focus(Bool)
  case resize(Size)
  /// Somebody called the waker.
  case wake
  /// The program was suspended and is back; the screen has been taken over again.
  case resumed
  /// A signal asks the program to end: its number.
  case terminate(Int32)
  /// The terminal is gone; nothing more will come.
  case hangup
}
