internal import CNcurses

extension NcursesTerminal {
  /// What the library calls itself: `ncurses 6.4.20221231`.
  package static var libraryVersion: String { String(cString: curses_version()) }
}
