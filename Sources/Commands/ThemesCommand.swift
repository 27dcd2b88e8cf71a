import ArgumentParser
import TerminalUI

/// `sonde themes`: what `--theme` takes, and what a theme can colour.
struct ThemesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "themes", abstract: "List the themes.")

  @Flag(help: "List the roles that a theme gives a style to instead.")
  var roles = false

  func run() throws {
    let names = roles ? Role.allCases.map(\.name) : Themes().names
    _ = try Output.write(Array((names.joined(separator: "\n") + "\n").utf8))
  }
}
