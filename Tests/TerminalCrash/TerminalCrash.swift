import CExecutor
import Ncurses
import TerminalUI

/// Takes the terminal over, and crashes at the first key, for tests of what is left behind.
///
///     sonde-test-crash trap       on a thread of Swift's jobs, as an index out of range does
///     sonde-test-crash overflow   there too, for want of stack
///     sonde-test-crash alarm      on the thread of the alarms
///     sonde-test-crash first      on the thread that owns the terminal
@main
enum TerminalCrash {
  static func main() throws {
    executor_install()
    try NcursesTerminal.open { terminal in
      var frame = Frame(size: terminal.size)
      frame.write("ready to crash", row: 0, column: 0)
      terminal.draw(frame, theme: .plain)
      while terminal.wait(until: nil).allSatisfy({ $0 == .wake }) {}
      crash(CommandLine.arguments[1])
      // Whoever crashes elsewhere ends this wait too.
      while true { _ = terminal.wait(until: nil) }
    }
  }

  private static func crash(_ way: String) {
    switch way {
    case "trap": Task { trap() }
    case "overflow": Task { _ = depth(of: 1) }
    case "alarm": _ = alarm_set(0, { _ in TerminalCrash.trap() }, nil)
    default: trap()
    }
  }

  private static func trap() { preconditionFailure("crashed as told") }

  /// Calls itself for as long as there is stack.
  private static func depth(of number: Int) -> Int {
    number == 0 ? 0 : depth(of: number &+ 1) &+ 1
  }
}
