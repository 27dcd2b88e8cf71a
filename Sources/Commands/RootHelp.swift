import ArgumentParser

/// The text of `sonde --help`, with the main options of `browse`. It fits on a terminal of 80×24
/// with the prompt below.
///
/// The help of each command is longer; the argument parser generates it.
enum RootHelp {
  static func text(of program: CommandConfiguration) -> String {
    let commands = program.subcommands.map { $0.configuration }
      .filter(\.shouldDisplay)
    let width = commands.map { $0.commandName?.count ?? 0 }.max() ?? 0
    let lines = commands.map { command in
      let name = command.commandName ?? ""
      return "  " + name + String(repeating: " ", count: width + 2 - name.count) + command.abstract
    }
    return """
      \(program.abstract)
        sonde [STORE …] [QUERY]     sonde COMMAND …     sonde --version
        --write (allow changes)   --view tree (or json)   --fresh (start anew)
      \(program.discussion)
      \(lines.joined(separator: "\n"))
      sonde help COMMAND describes a command, sonde help language the query language.

      """
  }
}
