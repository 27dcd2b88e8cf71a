import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

/// A store behind a server tells its attributes unasked, and of entities what was asked for: in a
/// store of its own, where they have other numbers.
@Suite("A store behind a server, on the screen")
struct ElsewhereTests {
  private func screen(_ plan: QueryPlan = QueryPlan("plants")) throws -> Screen {
    try Screen(columns: 110, rows: 24, query: plan, isElsewhere: true)
  }

  @Test("namespaces without a number are not said to be empty")
  func counts() throws {
    let screen = try screen()
    #expect(screen.text.contains("▸ plants"))
    #expect(!screen.text.contains(" 0 "))
  }

  @Test("a row, and what a link leads to, can be gone into")
  func open() throws {
    var screen = try screen()
    screen.press("down enter")
    #expect(screen.text.contains("Iris"))
    screen.press("escape")
    screen.press("$ enter")
    #expect(screen.watched.last?.document.plans.first?.namespace == "beds")
  }

  @Test("rows are filtered by the values that they show")
  func filter() throws {
    var screen = try screen()
    screen.press("down l f")
    #expect(screen.text.contains("height = 80"))
  }

  @Test("values are changed, entities are made and deleted, and all is taken back")
  func edit() throws {
    var screen = try screen()
    screen.press("l e ctrl-u")
    screen.type("251")
    screen.press("enter")
    #expect(screen.text.contains(" 251 "))
    screen.press("U")
    #expect(screen.text.contains(" 250 "))
    #expect(screen.text.contains("│ Fig "))
    screen.press("h d d")
    #expect(!screen.text.contains("│ Fig "))
    screen.press("U")
    #expect(screen.text.contains(" Fig "))
    screen.press("a")
    screen.type("Sage")
    screen.press("enter")
    #expect(screen.text.contains(" Sage "))
  }

  @Test("links are chosen, copied, compared and marked without a fault")
  func everyKey() throws {
    for keys in [
      "$ e", "$ a", "$ d", "y", "space space", "C", "w", ">", "x", "v", "v", "b", "B", "i", "u",
      "F", "Q", "s", "S", "L", "p", "E", "#", "/", "t", ":",
    ] {
      var screen = try screen()
      screen.press(keys)
      screen.press("enter")
      screen.press("escape")
      #expect(!screen.text.isEmpty, "after \(keys)")
    }
  }
}
