import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

/// Whoever is told that something cannot be, or that there is nothing, is told what to press.
@Suite("What cannot be done names the key that helps")
struct NextStepTests {
  @Test(
    "in the last line",
    arguments: [
      ("u", "There is nothing to undo: U takes back a change of data"),
      ("ctrl-r", "There is nothing to redo: ] goes forward on the way"),
      ("2 enter", "Only links are followed: → or ⇉ stands before what they lead to"),
      ("/ z z z enter n", "'zzz' is not here: / looks for another text"),
      ("/ f i g enter n", "'fig' is nowhere else: / finds something else"),
      ("c K", "It is the first one already: J moves it down"),
      ("c G J", "It is the last one already: K moves it up"),
      ("c r", "It is as it was at first: escape closes this"),
      ("w > >", "It is open already: < folds it"),
      ("w <", "Nothing is open here: > opens it"),
      ("C enter", "There is no change here to look into: v shows others"),
      ("E up left", "These are all rows there are: none is marked or left out, enter writes them"),
      ("0 enter >", "Only links list more or fewer, those with → or ⇉ before them: down leads on"),
    ])
  func sentences(way: String, sentence: String) throws {
    var screen = try Screen(columns: 80, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press(way)
    #expect(screen.row(23).contains(sentence), "\(screen.text)")
  }

  @Test(
    "where there are no rows",
    arguments: [
      (QueryPlan("plants"), "plants has no rows: 1 leads to others"),
      (
        QueryPlan("plants").filter(.compare(AttributePath(["name"]), .equal, "x")),
        "No row matches: F changes the filter"
      ),
    ])
  func empty(plan: QueryPlan, sentence: String) throws {
    let screen = try Screen(
      columns: 80, rows: 24, query: plan, store: try Garden.store(plants: "[]"))
    #expect(screen.text.contains(sentence), "\(screen.text)")
  }

  @Test("where the store holds nothing at all", arguments: ["", "D", "x", "e", "w", "Q", "E"])
  func emptyStore(way: String) throws {
    var screen = try Screen(columns: 80, rows: 24, store: TripleStore())
    screen.press(way)
    #expect(
      screen.text.contains(
        "This store has no namespaces yet: sonde import … --into NAME.sonde makes one"),
      "\(screen.text)")
  }
}
