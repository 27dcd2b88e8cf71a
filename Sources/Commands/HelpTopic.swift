import TerminalUI

/// What `sonde help` knows beside the commands, and what it says of a word that it does not know.
enum HelpTopic {
  static let language = "language"

  /// The text that `sonde help WORD` prints; nil when the argument parser knows better.
  ///
  /// - Throws: A failure of a word that is no command.
  static func text(for arguments: [String]) throws(Failure) -> String? {
    guard arguments.first == "help", arguments.count > 1,
      let word = arguments.dropFirst().first(where: { !$0.hasPrefix("-") })
    else { return nil }
    if word == language { return QueryLanguage.reference }
    if Sonde.commandNames.contains(word) || word == "help" { return nil }
    let topics = Sonde.commandNames + [language]
    let hint = NearestWord.find(word, among: topics).map { "Did you mean '\($0)'?" }
    throw Failure(
      message: "There is no command '\(word)'. " + (hint ?? "`sonde --help` lists them all."),
      status: ExitStatus.usage)
  }
}
