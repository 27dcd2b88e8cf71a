/// A line for the shell, the values that it gets, and what happens with its output.
package struct ShellCommand: Sendable, Equatable {
  /// What happens with the output.
  package enum Output: String, Sendable, CaseIterable {
    /// The status line shows the first line.
    case notice
    case pager
    /// The command owns the terminal until it ends.
    case terminal
    /// The program ignores the output.
    case none
  }

  /// The line as written by the user; values are never inserted into it.
  package let line: String
  /// The name in messages.
  package let name: String
  package let output: Output
  /// The environment variables, whose values are from the screen.
  package let variables: [String: String]
  /// The working folder; nil for the working folder of the program.
  package let folder: String?

  package init(
    _ line: String, name: String? = nil, output: Output = .terminal,
    variables: [String: String] = [:], folder: String? = nil
  ) {
    self.line = line
    self.name = name ?? line
    self.output = output
    self.variables = variables
    self.folder = folder
  }
}
