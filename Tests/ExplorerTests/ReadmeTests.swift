import Explorer
import Foundation
import InstaQL
import TerminalUI
import Testing
import Triples

/// What the README says of the screen is taken from the screen.
///
/// With `SONDE_RECORD_SCREENS=1` in the environment the README is brought up to date instead.
@Suite("The README")
struct ReadmeTests {
  static let checkout = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let file = checkout.appending(path: "README.md")

  @Test("the README shows the program as it is")
  func screen() throws {
    let document = try QueryDocument(
      text: """
        cities filter population > 500_000 and country.name = "France" order population desc
        """)
    var screen = try Screen(
      columns: 96, rows: 22, query: document.plans.first, store: try World.store(),
      name: "world")
    screen.press("down down $ >")
    let picture = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\n")
    try expect(picture + "\n", between: "```text\n", and: "```\n")
  }

  @Test("the README lists the keys of the keymap")
  func keys() throws {
    var table = "\n| keys | do | only in |\n|---|---|---|\n"
    for row in Keymap.standard.rows {
      let names = row.keys.map { "`\($0.name)`" }.joined(separator: " ")
      let pane = row.focus?.title ?? ""
      table += "| \(names.replacing("|", with: "\\|")) | \(row.intent.help) | \(pane) |\n"
    }
    try expect(
      table + "\n", between: "of the keymap\" keeps them so -->\n", and: "<!-- end of keys -->")
  }

  /// Compares the README's text between two marks, or writes it there.
  private func expect(
    _ text: String, between start: String, and end: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    var readme = try String(contentsOf: Self.file, encoding: .utf8)
    let begin = try #require(readme.range(of: start), sourceLocation: location).upperBound
    let close = try #require(
      readme.range(of: end, range: begin..<readme.endIndex), sourceLocation: location
    ).lowerBound
    if ProcessInfo.processInfo.environment["SONDE_RECORD_SCREENS"] == "1" {
      readme.replaceSubrange(begin..<close, with: text)
      try Data(readme.utf8).write(to: Self.file)
    } else {
      #expect(String(readme[begin..<close]) == text, sourceLocation: location)
    }
  }
}
