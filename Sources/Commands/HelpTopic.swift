import ArgumentParser
import Explorer

/// Answers `sonde help WORD` for topics that are not commands, and rejects unknown words.
enum HelpTopic {
  static let language = "language"

  /// Returns the text of `sonde help WORD`; nil if the argument parser provides it.
  ///
  /// - Parameter root: The command of the program.
  /// - Throws: A failure for words that are neither a topic nor a command.
  static func text(
    for arguments: [String], of root: any ParsableCommand.Type
  ) throws(Failure) -> String? {
    guard arguments.first == "help" else { return nil }
    let words = arguments.dropFirst().filter { !$0.hasPrefix("-") }
    if words.first == language { return QueryLanguage.reference }
    if words.first == "help" { return nil }
    var command = root
    for word in words {
      let subcommands = command.configuration.subcommands
      if subcommands.isEmpty { return nil }
      guard let next = subcommands.first(where: { $0._commandName == word }) else {
        let known = ProgramDescription.commandNames(of: command)
        throw command == root
          ? Failure.unknownCommand(word, known: known + [language])
          : Failure.unknownSubcommand(word, of: command._commandName, known: known)
      }
      command = next
    }
    return nil
  }
}
