import Explorer
import TerminalUI

/// Answers `sonde help WORD` for topics that are not commands, and rejects unknown words.
enum HelpTopic {
  static let language = "language"

  /// Returns the text of `sonde help WORD`; nil if the argument parser provides it.
  ///
  /// - Parameter commands: The names of all commands.
  /// - Throws: A failure for a word that is neither a topic nor a command.
  static func text(for arguments: [String], commands: [String]) throws(Failure) -> String? {
    guard arguments.first == "help", arguments.count > 1,
      let word = arguments.dropFirst().first(where: { !$0.hasPrefix("-") })
    else { return nil }
    if word == language { return QueryLanguage.reference }
    if commands.contains(word) || word == "help" { return nil }
    let topics = commands + [language]
    let hint = NearestWord.find(word, among: topics).map { "Did you mean '\($0)'?" }
    throw Failure.unknownCommand(word, hint: hint)
  }
}
