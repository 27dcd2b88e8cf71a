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

/// What lies under the screen, in a process of its own, for tests that break it.
///
///     sonde-test-ground crash trap        crashes at the first key on a thread of Swift's jobs, as an
///                                         index out of range does
///     sonde-test-ground crash overflow    there too, for want of stack
///     sonde-test-ground crash alarm       on the thread of the alarms
///     sonde-test-ground crash first       on the thread that owns the terminal
///     sonde-test-ground narrower          draws a frame again when the terminal has become narrower
///     sonde-test-ground jobs              gives a thread that is idle two jobs, of which one waits for
///                                         the other
///     sonde-test-ground leave FILE        exits quickly while it holds a lock on a file
@main
enum TestGround {
  static func main() throws {
    executor_install()
    switch CommandLine.arguments[1] {
    case "crash": try crash(CommandLine.arguments[2])
    case "narrower": try drawNarrower()
    case "jobs": print(areBothDone() ? "both are done" : "one waits for ever")
    case "leave": leave(holding: CommandLine.arguments[2])
    default: print("This way is not known")
    }
  }
}

// Exiting.
extension TestGround {
  private static func leave(holding path: String) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { exit(1) }
    ct_leave_quickly()
    exit(0)
  }
}

// Crashing.
extension TestGround {
  private static func crash(_ way: String) throws {
    try NcursesTerminal.open { terminal in
      var frame = Frame(size: terminal.size)
      frame.write("ready to crash", row: 0, column: 0)
      terminal.draw(frame, theme: .plain)
      while terminal.wait(until: nil).allSatisfy({ $0 == .wake }) {}
      switch way {
      case "trap": Task { trap() }
      case "overflow": Task { _ = depth(of: 1) }
      case "alarm": _ = alarm_set(0, { _ in TestGround.trap() }, nil)
      default: trap()
      }
      // Whoever crashes elsewhere ends this wait too.
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
extension TestGround {
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
extension TestGround {
  private static func areBothDone() -> Bool {
    let isDone = DispatchSemaphore(value: 0)
    // Afterwards there is one thread, and it has nothing to do.
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
