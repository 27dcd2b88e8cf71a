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
    defer { Self.remove(file) }
    do throws(TerminalError) {
      return try Self.show(command, reading: file ?? "/dev/tty", on: terminal)
    } catch {
      return .commandNotRun(command.name, error.message)
    }
  }

  func capture(_ command: ShellCommand, reading file: String?) async -> CommandResult {
    do throws(TerminalError) {
      let result = try await BackgroundProgram.run(
        Self.arguments("exec sh -c \"$1\"", command), variables: command.variables,
        input: file ?? "/dev/null"
      ) {
        Self.remove(file)
      }
      let errors = String(decoding: result.errors, as: UTF8.self)
      let last = errors.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
      return .ended(
        CommandOutput(
          status: result.status,
          text: TerminalSanitizer.text(String(decoding: result.output, as: UTF8.self)),
          isCut: result.isCut, error: last.map { TerminalSanitizer.line(String($0)) }))
    } catch {
      return .notRun(error.message)
    }
  }

  /// Removes the temporary file with rows for a command, and its folder.
  private static func remove(_ file: String?) {
    guard let file else { return }
    unlink(file)
    rmdir(Files.folder(of: file))
  }

  /// Returns the arguments for a shell that changes to the command's folder and then runs a line.
  ///
  /// - Parameters:
  ///   - line: A line that runs the command `$1`.
  ///   - file: The file `$3` of the line, if it needs one.
  private static func arguments(
    _ line: String, _ command: ShellCommand, file: String = ""
  ) -> [String] {
    ["sh", "-c", "cd -- \"$2\" || exit; " + line, "sh", command.line, command.folder ?? ".", file]
  }

  /// Runs a command that owns the terminal. After it ends, waits until the user presses Enter, except
  /// after an editor that succeeded.
  private static func show(
    _ command: ShellCommand, reading file: String, on terminal: any Terminal
  ) throws(TerminalError) -> Notice? {
    // An interrupt stops the shell that runs the command, but not the outer shell, which then waits
    // for a key.
    let line =
      "trap : INT QUIT; sh -c \"$1\" <\"$3\"; status=$?; "
      + (command.isEditor ? "[ $status -eq 0 ] && exit; " : "")
      + "printf '\\n[exit status %s]  Press Enter to return. ' $status; read -r _ </dev/tty; exit $status"
    let status = try terminal.run(
      arguments(line, command, file: file), variables: command.variables)
    return status == 0 ? nil : .commandFailed(command.name, status: status, error: nil)
  }
}
