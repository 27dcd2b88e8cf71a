internal import CNcurses
internal import CTerminal
internal import Synchronization
package import TerminalUI

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The terminal in which the program was started.
///
/// Use it only on the thread that opened it. Its waker is thread-safe.
///
///     try NcursesTerminal.open(NcursesTerminal.Options(title: "sonde")) { terminal in
///       while !model.isDone {
///         for event in terminal.wait(until: nil) { model.update(event) }
///         terminal.draw(model.view(terminal.size), theme: theme)
///       }
///     }
package final class NcursesTerminal: Terminal {
  package struct Options: Sendable {
    /// The number of colors. Nil derives it from the terminal's capabilities and the environment
    /// (COLORTERM, NO_COLOR).
    package var colors: ColorDepth?
    package var isMouseOn: Bool
    /// Whether boxes and symbols are drawn in ASCII.
    package var usesPlainDrawings: Bool
    package var title: String

    package init(
      colors: ColorDepth? = nil, isMouseOn: Bool = true, usesPlainDrawings: Bool = false,
      title: String = ""
    ) {
      self.colors = colors
      self.isMouseOn = isMouseOn
      self.usesPlainDrawings = usesPlainDrawings
      self.title = title
    }
  }

  package internal(set) var size: Size
  /// The number of colors in use.
  package let depth: ColorDepth
  package var waker: any Waker { pipeWaker }
  package var isMouseOn: Bool { didSet { if isMouseOn != oldValue { sendMouseMode() } } }
  package var usesPlainDrawings: Bool {
    didSet {
      guard usesPlainDrawings != oldValue else { return }
      painter = RowPainter(
        repertoire: Self.repertoire(profile, isUTF8, usesPlainDrawings: usesPlainDrawings))
      redraw()
    }
  }

  let profile: TerminalProfile
  private let isUTF8: Bool
  let pipeWaker: PipeWaker
  let signalPipe: (readEnd: Int32, writeEnd: Int32)
  let originalModes: termios
  var decoder = KeyDecoder()
  /// The input buffer.
  var input = [UInt8](repeating: 0, count: readBytes)
  /// The events that were received but not returned yet.
  var waiting: [TerminalEvent] = []
  var title: String

  /// The file descriptor for output. While a frame is sent, this is the descriptor of the frame's
  /// buffer.
  var output = STDOUT_FILENO

  // What is on the screen; see NcursesTerminal+Drawing.
  var shown: Frame?
  var painter: RowPainter
  /// The runs whose width terminals disagree about, in the rows that were painted last.
  var disputed: [(row: Int, runs: [Range<Int>])] = []
  var table: PaintTable

  /// Opens the terminal, calls `body`, and restores the terminal in every case.
  ///
  /// The terminal is also restored if `body` throws, if a signal ends the program, and if the
  /// program crashes.
  ///
  /// - Throws: `TerminalError` if the terminal cannot be used, and errors of `body`.
  package static func open<Result>(
    _ options: Options = Options(), _ body: (NcursesTerminal) throws -> Result
  ) throws -> Result {
    precondition(!isOpen.exchange(true, ordering: .relaxed), "The terminal is already open.")
    defer { isOpen.store(false, ordering: .relaxed) }
    let terminal = try NcursesTerminal(options)
    defer { terminal.giveBack() }
    return try body(terminal)
  }

  /// Whether a terminal is open. ncurses supports only one.
  private static let isOpen = Atomic(false)

  private init(_ options: Options) throws(TerminalError) {
    let profile = TerminalProfile { variable in getenv(variable).map { String(cString: $0) } }
    let type = try Self.type(profile)
    let isUTF8 = ct_set_locale()
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else {
      throw .system(call: "tcgetattr", reason: reason(errno))
    }
    pipeWaker = try PipeWaker()
    signalPipe = try makePipe()
    let limit = options.colors ?? (profile.wantsNoColor ? ColorDepth.none : .direct)
    ct_signals_note()
    let isDirect = try Self.startNcurses(
      type, isDirect: limit == .direct && profile.claimsDirectColor)
    self.profile = profile
    originalModes = modes
    self.isUTF8 = isUTF8
    isMouseOn = options.isMouseOn
    usesPlainDrawings = options.usesPlainDrawings
    title = options.title
    ct_keep_palette()
    start_color()
    // When characters are deleted, terminals differ in the background of the cells that appear.
    idcok(nc_stdscr(), false)
    let hasOwnColors = use_default_colors() != ERR
    depth = min(
      limit, profile.depth(colors: hasOwnColors ? Int(nc_colors()) : 0, isDirect: isDirect))
    painter = RowPainter(
      repertoire: Self.repertoire(profile, isUTF8, usesPlainDrawings: options.usesPlainDrawings))
    table = PaintTable(theme: .plain, depth: depth, pairLimit: min(Int(nc_color_pairs()), 32_767))
    size = Size(columns: Int(getmaxx(nc_stdscr())), rows: Int(getmaxy(nc_stdscr())))
    ct_signals_open(signalPipe.writeEnd)
    ct_capture_errors()
    enter()
    Self.bufferFrames()
  }

  private static func repertoire(
    _ profile: TerminalProfile, _ isUTF8: Bool, usesPlainDrawings: Bool
  ) -> RowPainter.Repertoire {
    if !isUTF8 { return .ascii }
    return usesPlainDrawings ? .plainDrawings : profile.hasConsoleFont ? .console : .everything
  }

  /// Returns the terminal type for ncurses: the terminal's own type, or a generic xterm type.
  ///
  /// The generic type replaces a type that begins with `xterm-`, such as `xterm-ghostty`, if
  /// terminfo on this system does not know that type. This is common on servers.
  private static func type(_ profile: TerminalProfile) throws(TerminalError) -> String {
    if isatty(STDIN_FILENO) == 0 { throw .notATerminal("standard input") }
    if isatty(STDOUT_FILENO) == 0 { throw .notATerminal("standard output") }
    if profile.type.isEmpty { throw .noType }
    for type in [profile.type] + profile.substitutes {
      switch ct_check_type(type, STDOUT_FILENO) {
      case 1: return type
      case -2: throw .tooSimple(profile.type)
      default: continue
      }
    }
    throw .unknownType(profile.type)
  }

  /// Starts ncurses and returns whether 24-bit colors work.
  private static func startNcurses(
    _ type: String, isDirect: Bool
  ) throws(TerminalError) -> Bool {
    let output = ct_frame_stream(nc_stdout())
    if isDirect, startNcurses(type, output, isDirect: true) { return true }
    if startNcurses(type, output, isDirect: false) { return false }
    guard nc_newterm(type, output) != nil else { throw .unknownType(type) }
    return false
  }

  /// Starts ncurses with a changed terminfo entry and returns whether that worked.
  private static func startNcurses(
    _ type: String, _ output: UnsafeMutablePointer<FILE>?, isDirect: Bool
  ) -> Bool {
    guard let entry = ct_terminfo_entry(type, STDOUT_FILENO, isDirect) else { return false }
    defer { free(entry) }
    let before = getenv("TERMINFO").map { String(cString: $0) }
    setenv("TERMINFO", entry, 1)
    let screen = nc_newterm(type, output)
    // Only ncurses uses this terminfo entry. Child processes look up their own.
    if let before { setenv("TERMINFO", before, 1) } else { unsetenv("TERMINFO") }
    guard let screen else { return false }
    start_color()
    if isDirect ? nc_colors() > 256 : nc_colors() == 256 { return true }
    endwin()
    delscreen(screen)
    return false
  }

  /// Makes ncurses write only when a frame is complete or its buffer is full.
  ///
  /// Before its first suspension, ncurses 6.4 also writes at each cursor movement, about twenty
  /// times for a frame. So it is suspended and resumed here, and the output for that is discarded.
  private static func bufferFrames() {
    guard ct_frame_begin() >= 0 else { return }
    // What ncurses prepared since `newterm` is written with the first frame.
    doupdate()
    let length = ct_frame_length()
    endwin()
    doupdate()
    ct_frame_rewind(length)
  }

  private func giveBack() {
    leave()
    ct_frame_close()
    ct_guard_close()
    ct_signals_close()
    ct_release_errors()
    close(signalPipe.readEnd)
    close(signalPipe.writeEnd)
  }
}
