import Explorer
import Foundation
import InstaQL
import TerminalUI
import Testing
import Triples

/// The picture in the README and the table of keys are taken from the program.
///
/// With `SONDE_RECORD_SCREENS=1` in the environment the files are brought up to date instead.
@Suite("The README and the page of keys")
struct ReadmeTests {
  static let checkout = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test("the README shows the program as it is")
  func screen() throws {
    let document = try QueryDocument(
      text: """
        cities filter population > 500_000 and country.name = "France" order population desc
        """)
    var screen = try Screen(
      columns: 96, rows: 22, query: document.plans.first, store: try DemoData.store(),
      name: "world")
    screen.press("down down $ >")
    let picture = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\n")
    try expect(picture + "\n", between: "```text\n", and: "```\n", of: "README.md")
  }

  @Test("docs/keys.md lists the keys of the keymap")
  func keys() throws {
    let head = "|---|---|---|\n"
    var table = "\n## In all panes\n\n| keys | command | name in `config.toml` |\n" + head
    var pane: PaneTraits?
    let rows = Keymap.standard.rows
    var panes: [PaneTraits?] = [nil]
    for row in rows where !panes.contains(row.focus) { panes.append(row.focus) }
    for row in panes.flatMap({ focus in rows.filter { $0.focus == focus } }) {
      if row.focus != pane {
        pane = row.focus
        table += "\n## Only in \(pane?.title ?? "")\n\n| keys | command | name |\n" + head
      }
      let names = row.keys.map { "`\($0.name)`" }.joined(separator: " ")
        .replacing("|", with: "\\|")
      table += "| \(names) | \(row.command.help) | `\(row.command.name)` |\n"
    }
    try expect(
      table + "\n", between: "of the keymap\" keeps them so -->\n",
      and: "<!-- end of keys -->", of: "docs/keys.md")
  }

  /// Compares the text between two marks of a file, or writes it there.
  private func expect(
    _ text: String, between start: String, and end: String, of path: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let file = Self.checkout.appending(path: path)
    var readme = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(readme.range(of: start), sourceLocation: location).upperBound
    let close = try #require(
      readme.range(of: end, range: begin..<readme.endIndex), sourceLocation: location
    ).lowerBound
    if ProcessInfo.processInfo.environment["SONDE_RECORD_SCREENS"] == "1" {
      readme.replaceSubrange(begin..<close, with: text)
      try Data(readme.utf8).write(to: file)
    } else {
      #expect(String(readme[begin..<close]) == text, sourceLocation: location)
    }
  }
}
