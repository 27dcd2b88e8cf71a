import CExecutor
import CTerminal
import Dispatch
import Ncurses
import TerminalUI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A process for tests that crash the terminal library, the executor or the alarms.
///
///     sonde-crash-helper crash trap        crashes at the first key on a thread of Swift's jobs, as an
///                                         index out of range does
///     sonde-crash-helper crash overflow    the same, because the stack overflows
///     sonde-crash-helper crash alarm       on the alarm thread
///     sonde-crash-helper crash first       on the thread that owns the terminal
///     sonde-crash-helper narrower          draws a frame again when the terminal has become narrower
///     sonde-crash-helper jobs              gives an idle thread two jobs, one of which waits for
///                                         the other
///     sonde-crash-helper leave FILE        exits quickly while it holds a lock on a file
@main
enum CrashHelper {
  static func main() throws {
    executor_install()
    switch CommandLine.arguments[1] {
    case "crash": try crash(CommandLine.arguments[2])
    case "narrower": try drawNarrower()
    case "jobs": print(areBothDone() ? "both are done" : "deadlock")
    case "leave": leave(holding: CommandLine.arguments[2])
    default: print("unknown command")
    }
  }
}

// Exiting.
extension CrashHelper {
  private static func leave(holding path: String) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { exit(1) }
    ct_leave_quickly()
    exit(0)
  }
}

// Crashing.
extension CrashHelper {
  private static func crash(_ way: String) throws {
    try NcursesTerminal.open { terminal in
      var frame = Frame(size: terminal.size)
      frame.write("ready to crash", row: 0, column: 0)
      terminal.draw(frame, theme: .plain)
      while terminal.wait(until: nil).allSatisfy({ $0 == .wake }) {}
      switch way {
      case "trap": Task { trap() }
      case "overflow": Task { _ = depth(of: 1) }
      case "alarm": _ = alarm_set(0, { _ in CrashHelper.trap() }, nil)
      default: trap()
      }
      // A crash on another thread ends this wait, too.
      while true { _ = terminal.wait(until: nil) }
    }
  }

  private static func trap() { preconditionFailure("crashed as told") }

  /// Calls itself for as long as there is stack.
  private static func depth(of number: Int) -> Int {
    number == 0 ? 0 : depth(of: number &+ 1) &+ 1
  }
}

// Drawing.
extension CrashHelper {
  /// Each row ends a line of wide letters, or of a family that terminals do not agree about.
  private static func drawNarrower() throws {
    try NcursesTerminal.open { terminal in
      var frame = Frame(size: terminal.size)
      let families = String(repeating: "👨‍👩‍👧", count: frame.size.columns / 2)
      let wide = String(repeating: "漢", count: frame.size.columns / 2)
      frame.write(families, row: 0, column: 0)
      for row in 1..<frame.size.rows { frame.write(wide, row: row, column: 0) }
      terminal.draw(frame, theme: .plain)
      while !terminal.wait(until: nil).contains(where: \.isResize) {}
      terminal.draw(frame, theme: .plain)
      frame.write("drawn again ", row: 2, column: 0)
      terminal.draw(frame, theme: .plain)
      _ = terminal.wait(until: nil)
    }
  }
}

extension TerminalEvent {
  fileprivate var isResize: Bool { if case .resize = self { true } else { false } }
}

// Jobs.
extension CrashHelper {
  private static func areBothDone() -> Bool {
    let isDone = DispatchSemaphore(value: 0)
    // Afterward there is one thread, and it has nothing to do.
    Task { isDone.signal() }
    isDone.wait()
    let other = DispatchSemaphore(value: 0)
    Task {
      wait(for: other)
      isDone.signal()
    }
    Task { _ = other.signal() }
    return isDone.wait(timeout: .now() + .seconds(20)) == .success
  }

  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
}
