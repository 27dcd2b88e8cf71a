import ArgumentParser
import Explorer
import TerminalUI

/// `sonde keys`: lists the keys and the names of their commands in `config.toml`.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "List the keys, what they do, and their commands in config.toml.")

  @OptionGroup var common: CommonOptions

  func run() throws {
    let file = SettingsFile()
    for warning in file.warnings { StandardError.write(warning) }
    let settings = file.settings
    let keymap = settings.keymap
    let commands = Command.allCases.map { command in
      var keys: [String] = []
      // The same key may be bound in several panes.
      for row in keymap.rows where row.command == command {
        for key in row.keys where !keys.contains(key.name) { keys.append(key.name) }
      }
      return (command.name, keys.joined(separator: " "), command.help)
    }
    let rows =
      commands
      + settings.commands.map { ("[[command]]", $0.key?.name ?? "", $0.name) }
    let wide = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
    let lines = rows.map { name, keys, help in
      name + String(repeating: " ", count: wide.0 - name.count + 2) + keys
        + String(repeating: " ", count: wide.1 - keys.count + 2) + help
    }
    _ = try Output.write(Array((lines.joined(separator: "\n") + "\n").utf8))
  }
}
