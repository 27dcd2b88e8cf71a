import TerminalUI

/// Suggests the nearest option for an unknown option.
///
/// The argument parser only considers options of the parsed command, without `--help` and
/// `--version`.
enum OptionHint {
  /// Returns the parser's message with the nearest option of the whole program as a hint.
  static func corrected(_ message: String, of program: ProgramDescription) -> String {
    guard let match = message.prefixMatch(of: #/Unknown option '(--?[^']+)'\./#) else {
      return message
    }
    let arguments = CommandLine.arguments.dropFirst()
    let commands = program.commands
    let command =
      commands.first { $0.name == arguments.first } ?? commands.first(where: \.isDefault)
    let known = (command?.options.flatMap(\.names) ?? []) + ["--help", "--version"]
    let hint = NearestWord.find(String(match.1), among: known).map { " Did you mean '\($0)'?" }
    return String(match.0) + (hint ?? "")
  }
}
