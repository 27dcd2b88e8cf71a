import InstaQL
import Testing
import Triples

@Suite("Completion")
struct CompletionTests {
  @Test("a filter offers attributes, then operators, then the values that were seen")
  func filter() throws {
    var screen = try Screen(columns: 100, rows: 24, query: QueryPlan("plants"))
    screen.press("F")
    screen.type("he")
    #expect(screen.text.contains("height"))
    screen.press("tab")
    screen.type(" > 100 and bed.n")
    screen.press("tab")
    screen.type(" = ")
    try expectScreen(screen.text, named: "completion")
    screen.press("down down enter enter")
    #expect(
      screen.watched.last?.document.text
        == #"plants filter height > 100 and bed.name = "Fallow""#)
  }

  @Test("enter applies the line while nothing in the list is chosen")
  func enterApplies() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("F")
    screen.type("height > 1")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter height > 1")
  }

  @Test("a query offers namespaces and clauses")
  func query() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("Q ctrl-u")
    screen.type("be")
    screen.press("tab")
    screen.type(" or")
    screen.press("tab")
    screen.type(" ar")
    screen.press("tab enter")
    #expect(screen.watched.last?.document.text == "beds order area")
  }

  @Test("escape leaves the list first, then the line")
  func escape() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("F")
    screen.type("h")
    screen.press("down escape")
    screen.type("eight = 80")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter height = 80")
  }
}
