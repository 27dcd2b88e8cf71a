import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("The record that follows the cursor")
struct DetailTests {
  private static func screen(columns: Int, rows: Int = 30) throws -> Screen {
    try Screen(columns: columns, rows: rows, query: QueryPlan("plants").order("name"))
  }

  @Test("from 120 columns on it is next to the rows, without a key")
  func wide() throws {
    var screen = try Self.screen(columns: 120)
    screen.press("4 g")
    #expect(screen.line(with: "─ [5] Fig ─") != nil, "\(screen.text)")
    screen.press("down")
    #expect(screen.line(with: "─ [5] Fig ─") == nil, "\(screen.text)")
    #expect(screen.hears("Results"))
    screen.press("v")
    #expect(screen.line(with: " [5] ") == nil, "\(screen.text)")
    screen = try Self.screen(columns: 119)
    screen.press("4 g")
    #expect(screen.line(with: " [5] ") == nil, "\(screen.text)")
  }

  @Test("on narrower screens a key shows it and hides it again", arguments: [80, 119])
  func onDemand(columns: Int) throws {
    var screen = try Self.screen(columns: columns)
    screen.press("4 g K")
    #expect(screen.text.contains(" [5] Fig ─"), "\(screen.text)")
    screen.press("down")
    #expect(!screen.text.contains(" [5] Fig ─") && screen.text.contains(" [5] "))
    screen.press("K")
    #expect(!screen.text.contains(" [5] "), "\(screen.text)")
    screen.press("K escape")
    #expect(!screen.text.contains(" [5] "), "\(screen.text)")
  }

  @Test("without space for both it opens above the rows")
  func small() throws {
    var screen = try Self.screen(columns: 40, rows: 10)
    screen.press("4 g 0 K")
    #expect(screen.hears("Entity"), "\(screen.text)")
  }

  @Test("on demand it shows the target of the link under the cursor")
  func links() throws {
    var screen = try Self.screen(columns: 130)
    screen.press("4 g $")
    #expect(screen.text.contains(" [5] Fig ─"), "\(screen.text)")
    screen.press("K")
    #expect(screen.text.contains(" [5] South wall ─"), "\(screen.text)")
    screen.press("0")
    #expect(screen.text.contains(" [5] Fig ─"), "\(screen.text)")
  }

  @Test("long texts are wrapped, nested values folded at their first level")
  func values() throws {
    let text =
      #"[{"key": "a", "text": "\#(String(repeating: "word ", count: 40))end", "#
      + #""tree": {"leaf": 1, "branch": {"twig": 2}}}]"#
    var screen = try Screen(
      columns: 130, rows: 30, query: QueryPlan("things"),
      store: try Dataset.load([(name: "things.json", bytes: Array(text.utf8))]))
    screen.press("4")
    #expect(screen.text.contains(" end "), "\(screen.text)")
    #expect(screen.text.contains("leaf") && screen.text.contains("branch"), "\(screen.text)")
    #expect(!screen.text.contains("twig "), "\(screen.text)")
  }

  @Test("a click on it opens the record")
  func click() throws {
    var screen = try Self.screen(columns: 130)
    screen.press("4 g")
    screen.mouse(.press(.left, clicks: 1), 8, 120)
    #expect(screen.hears("Entity"), "\(screen.text)")
  }
}
