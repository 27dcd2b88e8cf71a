import TerminalUI

/// Suggests the nearest option for an unknown option, and the nearest subcommand for an unknown one.
///
/// The argument parser only considers options of the parsed command, without `--help` and
/// `--version`. It reports an unknown subcommand as an unexpected argument.
enum OptionHint {
  /// Returns the parser's message with the nearest option or subcommand as a hint.
  static func corrected(_ message: String, of program: ProgramDescription) -> String {
    let arguments = CommandLine.arguments.dropFirst()
    let named = program.commands.named(by: arguments)
    if let named, !named.subcommands.isEmpty,
      let word = arguments.dropFirst(named.words.count).first, !word.hasPrefix("-")
    {
      return Failure.unknownSubcommand(
        word, of: named.name, known: named.subcommands.compactMap(\.words.last)
      ).message
    }
    guard let match = message.prefixMatch(of: #/Unknown option '(--?[^']+)'\./#) else {
      return message
    }
    let command = named ?? program.commands.first(where: \.isDefault)
    let known = (command?.options.flatMap(\.names) ?? []) + ["--help", "--version"]
    let hint = NearestWord.find(String(match.1), among: known).map { " Did you mean '\($0)'?" }
    return String(match.0) + (hint ?? "")
  }
}
