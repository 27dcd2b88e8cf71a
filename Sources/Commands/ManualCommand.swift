import ArgumentParser

/// `sonde manual`: prints the manual page of a program or a shell's completion script.
struct ManualCommand<Program: ParsableCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "manual", abstract: "Print the manual page, or completions for a shell.",
      discussion: """
        To read the page:
          sonde manual | man -l -
        To install completions where the shell looks for them:
          sonde manual --completions fish > ~/.config/fish/completions/sonde.fish
          sonde manual --completions zsh > "${fpath[1]}/_sonde"
          sonde manual --completions bash > ~/.local/share/bash-completion/completions/sonde
        """)
  }

  @Option(help: ArgumentHelp("Print completions for this shell.", valueName: "shell"))
  var completions: CompletionShell?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let text =
      completions.map { $0.script + "\n" }
      ?? ManualPage(program: ProgramDescription(Program.self)).text
    _ = try Output.write(Array(text.utf8))
  }
}
