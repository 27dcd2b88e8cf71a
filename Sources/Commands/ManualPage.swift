import ArgumentParser
import Explorer

/// The manual page, generated from the descriptions of the commands.
struct ManualPage {
  let program: ProgramDescription

  /// The page as roff.
  var text: String {
    var page = Roff()
    page.request(
      "TH", "SONDE", "1", Release.date, "Sonde " + program.version)
    page.request("SH", "NAME")
    page.line("sonde \\- " + Roff.escaped(program.abstract))
    page.request("SH", "SYNOPSIS")
    let callable = program.commands.flatMap {
      $0.subcommands.isEmpty ? [$0] : $0.subcommands
    }
    for (place, command) in callable.enumerated() {
      if place > 0 { page.request("br") }
      page.line(synopsis(of: command))
    }
    page.request("SH", "DESCRIPTION")
    page.paragraphs(program.discussion)
    page.request("SH", "COMMANDS")
    for command in program.commands { section(of: command, in: &page) }
    page.request("SH", "QUERY LANGUAGE")
    page.markdown(QueryLanguage.reference)
    page.request("SH", "EXAMPLES")
    for (place, (meaning, lines)) in Self.examples.enumerated() {
      if place > 0 { page.request("PP") }
      page.line(Roff.escaped(meaning))
      page.examples(lines)
    }
    page.request("SH", "EXIT STATUS")
    for (status, meaning) in ExitStatus.meanings {
      page.item(Roff.bold("\(status)"), meaning)
    }
    page.request("SH", "ENVIRONMENT")
    for (name, meaning) in Self.variables { page.item(Roff.bold(name), meaning) }
    page.request("SH", "FILES")
    for (path, meaning) in Self.files { page.item(Roff.italic(path), meaning) }
    return page.text
  }

  private func synopsis(of command: CommandDescription) -> String {
    if command.isDefault { return Roff.escaped(program.usage) + " [options]" }
    var words = [Roff.bold("sonde " + command.name)]
    for argument in command.positionals {
      let name = Roff.italic(argument.valueName.uppercased())
      let more = argument.isRepeating ? Roff.escaped("…") : ""
      words.append(argument.isOptional ? "[" + name + more + "]" : name + more)
    }
    for argument in command.options where argument.kind == .option && !argument.isOptional {
      words.append(Self.head(of: argument))
    }
    if command.options.contains(where: { $0.isOptional || $0.kind == .flag }) {
      words.append("[options]")
    }
    return words.joined(separator: " ")
  }

  private func section(of command: CommandDescription, in page: inout Roff) {
    page.request("SS", "sonde " + command.name)
    page.line(Roff.escaped(command.abstract))
    if let discussion = command.discussion, !discussion.isEmpty {
      page.request("PP")
      page.paragraphs(discussion)
    }
    for argument in command.arguments { page.item(Self.head(of: argument), argument.abstract) }
    for subcommand in command.subcommands { section(of: subcommand, in: &page) }
  }

  private static func head(of argument: CommandDescription.Argument) -> String {
    let value = Roff.italic(argument.valueName.uppercased())
    if argument.kind == .positional { return value }
    return argument.names.map(Roff.bold).joined(separator: ", ")
      + (argument.kind == .option ? " " + value : "")
  }

  private static let examples = [
    ("Open a demo, a folder or a database:", ["sonde world", "sonde ./data", "sonde app.sqlite"]),
    ("Open JSON from a pipe:", ["curl -s URL | sonde -"]),
    (
      "Print the five largest countries as CSV:",
      ["sonde query world 'countries order population desc limit 5' --format csv"]
    ),
    (
      "Count the open tasks of each person:",
      ["sonde query goals 'todos filter not done group by assignee.name'"]
    ),
    (
      "Follow a folder and print what changes:",
      ["sonde watch ./data 'tasks filter not done' --changes"]
    ),
    (
      "Import files into a store, and write it as a backup:",
      ["sonde import ./data --into plan.sonde", "sonde export plan.sonde --to plan.zip"]
    ),
    (
      "Serve a store to others, with a token and encrypted:",
      [
        "(umask 077; sonde token --new > token.txt)",
        "sonde serve plan.sonde --host 0.0.0.0 --token-file token.txt \\",
        "  --tls-cert c.pem --tls-key k.pem",
      ]
    ),
  ]

  private static let variables = [
    ("SONDE_TOKEN", "The token to send to a server; for serve, the token that clients must send."),
    (
      "SONDE_ASCII, SONDE_REDUCED_MOTION, SONDE_SCREEN_READER",
      "Set to 1 to turn on the option of the same name."
    ),
    ("NO_COLOR", "No colors."),
    ("PAGER, EDITOR, VISUAL", "Programs for viewing and editing text outside the explorer."),
    (
      "XDG_CONFIG_HOME, XDG_STATE_HOME",
      "The folders for settings and for saved state, such as the history."
    ),
  ]

  private static let files = [
    (
      "STORE.sonde-wal, STORE.sonde-shm",
      "The latest changes of a .sonde store and their index. These files exist while a program has the "
        + "store open, or after a program was killed. Keep them next to the store; opening the store "
        + "merges the changes and removes the files."
    ),
    (
      "STORE.sonde-wal.damaged",
      "A copy of a damaged STORE.sonde-wal. Sonde makes it before it opens the store for writing."
    ),
    (
      "~/.config/sonde/config.toml",
      "Settings: theme, default store, keys, your own commands, and the labels and themes of "
        + "particular stores."
    ),
    (
      ".sonde.toml",
      "Project settings, in the folder that contains the data. Commands defined here run only after "
        + "you allow them."
    ),
    ("~/.config/sonde/themes/", "Themes of your own."),
    ("~/.local/state/sonde/", "History, columns, tabs, staged changes."),
    (
      "~/.local/state/sonde/queries/",
      "Saved queries. Each is a text file NAME.sonde-query that can be edited and shared."
    ),
  ]
}
