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
