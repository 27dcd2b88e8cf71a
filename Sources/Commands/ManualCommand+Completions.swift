import ArgumentParser

extension ManualCommand.Shell {
  /// What lets the shell complete the command line.
  ///
  /// The parser's own script offers commands alone where a store may stand as well: the demos and all
  /// files are added to them.
  var script: String {
    let demos = StoreLocation.demoNames.joined(separator: " ")
    switch self {
    case .bash:
      return Sonde.completionScript(for: .bash)
        .replacing("compgen -W 'browse ", with: "compgen -W '\(demos) browse ")
        .replacing("complete -o filenames -F", with: "complete -o filenames -o default -F")
    case .zsh:
      let commands = "_describe -V subcommand subcommands && ret=0\n"
      return Sonde.completionScript(for: .zsh).replacing(
        commands,
        with: commands + "        compadd -- \(demos) && ret=0\n        _files && ret=0\n",
        maxReplacements: 1)
    case .fish:
      let first = "__sonde_should_offer_completions_for_positional \"sonde\" -eq 1"
      return Sonde.completionScript(for: .fish) + """

        complete -c 'sonde' -n '\(first)' -Fa '\(demos)' -d 'A demo'

        """
    }
  }
}
