package import TerminalUI

/// The user's pager, editor and shell. The program provides the implementation.
///
/// Each call except `capture` hands the terminal over until the tool exits, even if the tool fails.
package protocol ExternalTools: Sendable {
  /// Shows a text in the pager.
  /// - Returns: An error message; nil on success.
  func page(_ text: String, on terminal: any Terminal) -> String?

  /// Runs a shell command that owns the terminal and reads a file. Afterward, removes the file.
  /// - Parameter file: The path of a temporary file; nil for a command that reads no rows.
  /// - Returns: A notice about how the command ended; nil if there is nothing to report.
  func run(_ command: ShellCommand, reading file: String?, on terminal: any Terminal) -> Notice?

  /// Runs a shell command in the background and returns how it ended. If the task is canceled, ends
  /// the command.
  /// - Parameter file: The path of a temporary file, as for `run`.
  func capture(_ command: ShellCommand, reading file: String?) async -> CommandResult

  /// Opens a text in the editor and returns the edited text.
  /// - Parameter ending: The extension of the temporary file's name, such as `.json`, by which
  ///   editors detect the file's type.
  func edit(_ text: String, ending: String, on terminal: any Terminal) -> EditedText
}

/// The result of editing a text.
package enum EditedText: Sendable, Equatable {
  case changed(String)
  case unchanged
  /// There is no edited text, for this reason.
  case failed(String)
}
