/// A shell command with its environment variables, and the use of its output.
package struct ShellCommand: Sendable, Equatable {
  /// What the program does with the command's output.
  package enum Output: String, Sendable, CaseIterable {
    /// Shows the first line of the output in the status line.
    case notice
    case pager
    /// Gives the terminal to the command until it exits.
    case terminal
    /// Ignores the output.
    case none
  }

  /// The command line as the user wrote it. Values are environment variables and never inserted
  /// into it.
  package let line: String
  /// The command's name in messages.
  package let name: String
  package let output: Output
  /// The environment variables, with values from the screen.
  package let variables: [String: String]
  /// The working directory; nil for that of the program.
  package let folder: String?
  /// Whether the command is an editor, after which the screen returns at once unless it failed. After
  /// any other command in the terminal, the user can read its output first.
  package let isEditor: Bool

  package init(
    _ line: String, name: String? = nil, output: Output = .terminal,
    variables: [String: String] = [:], folder: String? = nil, isEditor: Bool = false
  ) {
    self.line = line
    self.name = name ?? line
    self.output = output
    self.variables = variables
    self.folder = folder
    self.isEditor = isEditor
  }
}

/// How a command that ran in the background ended.
package enum CommandResult: Sendable, Equatable {
  case ended(CommandOutput)
  /// The command could not be started, for this reason.
  case notRun(String)
}

/// What a command wrote, and its exit status.
package struct CommandOutput: Sendable, Equatable {
  /// The exit status, or 128 plus the number of the signal that ended the command.
  package let status: Int32
  /// The standard output, without control characters.
  package let text: String
  /// Whether the command was ended because it wrote too much.
  package let isCut: Bool
  /// The last line of the command's standard error; nil if the command wrote none.
  package let error: String?

  package init(status: Int32, text: String = "", isCut: Bool = false, error: String? = nil) {
    (self.status, self.text, self.isCut, self.error) = (status, text, isCut, error)
  }
}

/// The output of the last command that wrote output.
struct CommandText: Sendable, Equatable {
  let name: String
  let text: String
}
