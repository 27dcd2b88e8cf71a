package import TerminalUI

/// The user's pager, editor and shell. The program provides the implementation.
///
/// Each call hands the terminal over until the tool exits, even if the tool fails.
package protocol ExternalTools: Sendable {
  /// Shows a text in the pager.
  /// - Returns: An error message; nil on success.
  func page(_ text: String, on terminal: any Terminal) -> String?

  /// Runs a shell command whose standard input is a temporary file, and removes the file.
  /// - Parameter file: The path of the file; nil for a command that reads no rows.
  /// - Returns: A notice about how the command ended; nil for none.
  func run(
    _ command: ShellCommand, reading file: String?, on terminal: any Terminal
  ) -> Notice?

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
