import Explorer
import Stores
import TerminalUI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Shell commands, which get values only as variables and rows only on their standard input.
extension PagerAndEditor {
  func run(
    _ command: ShellCommand, reading file: String?, on terminal: any Terminal
  ) -> Notice? {
    defer {
      if let file {
        unlink(file)
        rmdir(Files.folder(of: file))
      }
    }
    do throws(TerminalError) {
      guard command.output != .terminal else {
        return try Self.show(command, reading: file ?? "/dev/tty", on: terminal)
      }
      let result = try terminal.capture(
        Self.arguments("exec sh -c \"$2\" <\"$1\"", command, file ?? "/dev/null"),
        variables: command.variables)
      return report(result, of: command, on: terminal)
    } catch {
      return .commandNotRun(command.name, error.message)
    }
  }

  /// Returns the arguments of a shell that changes to the command's folder and then runs `line`.
  ///
  /// - Parameter line: A line that runs the command `$2` with the file `$1` as its input.
  private static func arguments(
    _ line: String, _ command: ShellCommand, _ file: String
  ) -> [String] {
    ["sh", "-c", "cd -- \"$3\" || exit; " + line, "sh", file, command.line, command.folder ?? "."]
  }

  /// Runs a command that owns the terminal. After it ends, waits until the user presses Enter.
  private static func show(
    _ command: ShellCommand, reading file: String, on terminal: any Terminal
  ) throws(TerminalError) -> Notice? {
    // An interrupt stops the shell that runs the command, but not the outer shell, which then waits
    // for a key.
    let line =
      "trap : INT QUIT; sh -c \"$2\" <\"$1\"; status=$?; "
      + "printf '\\n[exit status %s]  Press Enter to return. ' $status; read -r _ </dev/tty; exit $status"
    let status = try terminal.run(
      arguments(line, command, file), variables: command.variables)
    return status == 0 ? nil : .commandFailed(command.name, status: status, error: nil)
  }

  private func report(
    _ result: CapturedOutput, of command: ShellCommand, on terminal: any Terminal
  ) -> Notice? {
    let output = String(decoding: result.output, as: UTF8.self)
    if command.output == .pager, !output.isEmpty {
      let end = result.isCut ? "\n\(Notice.outputCut.text)\n" : ""
      if let trouble = page(output + end, on: terminal) { return .pagerFailed(trouble) }
    }
    // A command whose output is cut was ended by that.
    guard result.status == 0 || result.isCut else {
      let errors = String(decoding: result.errors, as: UTF8.self)
      let last = errors.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
      return .commandFailed(
        command.name, status: result.status,
        error: last.map { TerminalSanitizer.line(String($0)) })
    }
    switch command.output {
    case .notice: return .commandDone(command.name, output: TerminalSanitizer.text(output))
    case .pager, .terminal, .none: return .commandDone(command.name, output: nil)
    }
  }
}
