internal import CNcurses

extension NcursesTerminal {
  /// The version of the ncurses library: `ncurses 6.4.20221231`.
  package static var libraryVersion: String { String(cString: curses_version()) }
}
