import Explorer
import InstaQL
import TerminalUI
import Testing

@Suite("The keys of vi in a line")
struct ViLineTests {
  /// The filter that is left after typing `text`, escape and these keys.
  private func filter(_ text: String, _ keys: String) throws -> String {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"), usesVi: true)
    screen.press("F")
    screen.type(text)
    screen.press("escape")
    for key in keys.split(separator: " ") {
      if Key(named: String(key)) != nil {
        screen.press(String(key))
      } else {
        screen.type(String(key))
      }
    }
    return screen.row(2).filterText
  }

  @Test(
    "commands move, delete, change, and put deleted text",
    arguments: [
      ("height > 25", "x", "height > 2"), ("height > 25", "b d w", "height >"),
      ("height > 25", "0 d w", "> 25"), ("height > 25", "0 c w i d escape", "id > 25"),
      ("height > 25", "0 w D", "height"), ("height > 25", "d d i i d escape", "id"),
      ("height > 25", "d d u", "height > 25"), ("height > 25", "0 x p", "ehight > 25"),
      ("height > 25", "r 7", "height > 27"), ("height > 25", "A 0 escape", "height > 250"),
      ("height > 25", "I n escape", "nheight > 25"), ("height > 25", "0 d e", " > 25"),
      ("height > 25", "0 c $ i d escape", "id"), ("height > 25", "0 w w h h", "height > 25"),
    ])
  func commands(_ text: String, _ keys: String, _ left: String) throws {
    #expect(try filter(text, keys) == left)
  }

  @Test("the footer says what escape does: begin commands, then cancel")
  func footer() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"), usesVi: true)
    screen.press("F")
    #expect(screen.row(23).contains("escape vi commands"))
    screen.press("escape")
    #expect(screen.row(23).contains("escape cancel"))
  }

  @Test(
    "a base letter with combining marks counts as one character",
    arguments: [
      ("aที่", "escape x", "a"), ("aที่", "escape X", "ที่"), ("aนี้ที่", "escape D", "aนี้"),
      ("ae\u{301}", "escape x", "a"), ("a🇩🇪", "escape x", "a"), ("aที่", "backspace", "a"),
      ("a\u{1112}\u{1161}\u{11AB}", "backspace", "a"), ("b", "left 🇩 🇪 c", "DEcb"),
    ])
  func joined(_ text: String, _ keys: String, _ left: String) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"), usesVi: true)
    screen.press("F")
    for scalar in text.unicodeScalars {
      screen.handle(.terminal(.key(.character(Character(scalar)))))
    }
    for key in keys.split(separator: " ") {
      if Key(named: String(key)) != nil {
        screen.press(String(key))
      } else {
        screen.type(String(key))
      }
    }
    #expect(screen.row(2).filterText == left)
  }

  @Test("escape enters command mode, then closes the line; enter applies in both modes")
  func escapes() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"), usesVi: true)
    screen.press("F")
    screen.type("height > 251")
    screen.press("escape x enter")
    #expect(screen.watched.last?.document.text == "plants filter height > 25")
    screen.press("F escape escape")
    #expect(!screen.text.contains("─ Filter ─"))
    // Without the setting, escape leaves at once.
    var plain = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    plain.press("F escape")
    #expect(!plain.text.contains("─ Filter ─"))
  }
}

extension String {
  /// What stands in the first row of the query's pane.
  fileprivate var filterText: String {
    let inner = firstRange(of: "││ ").map { String(self[$0.upperBound...].dropLast()) } ?? ""
    return String(inner.reversed().drop { $0 == " " }.reversed())
  }
}
