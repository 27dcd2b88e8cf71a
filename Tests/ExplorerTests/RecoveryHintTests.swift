import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

/// Each notice about something impossible or empty names the next key.
@Suite("Reasons name the key that helps")
struct RecoveryHintTests {
  @Test(
    "in the last line",
    arguments: [
      ("u", .nothingToUndoInQuery),
      ("ctrl-r", .nothingToRedo),
      ("enter enter", .notALink),
      ("/ z z z enter n", .notFound("zzz")),
      ("/ f i g enter n", .noOtherMatch("fig")),
      ("c K", .alreadyFirst),
      ("c G J", .alreadyLast),
      ("c r", .alreadyReset),
      ("w > >", .alreadyExpanded),
      ("w <", .alreadyFolded),
      ("C enter", .noChangeSelected),
      ("E up left", .onlyTheseRows),
      ("0 enter >", .onlyLinksExpand),
    ] as [(String, Notice)])
  func sentences(way: String, notice: Notice) throws {
    var screen = try Screen(columns: 80, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press(way)
    #expect(screen.notice == notice, "\(screen.text)")
  }

  @Test(
    "where there are no rows",
    arguments: [
      (QueryPlan("plants"), "plants has no rows.  1 choose another namespace"),
      (
        QueryPlan("plants").filter(.compare(AttributePath(["name"]), .equal, "x")),
        "No rows match.  F edit the filter"
      ),
    ])
  func empty(plan: QueryPlan, sentence: String) throws {
    let screen = try Screen(
      columns: 80, rows: 24, query: plan, store: try Garden.store(plants: "[]"))
    #expect(screen.text.contains(sentence), "\(screen.text)")
  }

  @Test("for an empty store", arguments: ["", "D", "x", "e", "w", "Q", "E"])
  func emptyStore(way: String) throws {
    var screen = try Screen(columns: 80, rows: 24, store: TripleStore())
    screen.press(way)
    #expect(
      screen.text.contains(
        "No namespaces yet. Import data: sonde import FILE --into NAME.sonde"),
      "\(screen.text)")
  }
}
