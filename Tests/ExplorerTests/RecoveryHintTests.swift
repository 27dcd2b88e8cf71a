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
      ("E up up left", .onlyTheseRows),
      ("E right up left", .onlyTheseColumns),
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

  @Test("where a view has no query change to undo, but another view was before")
  func openedGroup() throws {
    var screen = try Screen(
      columns: 80, rows: 24, query: QueryDocument(text: "plants group edible").plans[0])
    screen.press("enter u")
    #expect(screen.notice == .nothingToUndoInQuery.hinting(.key(.back)))
  }

  @Test("where a link that was followed has no rows")
  func followedLink() throws {
    var screen = try Screen(
      columns: 80, rows: 24, query: QueryPlan("beds").filter(.compare("key", .equal, "empty")))
    screen.press("4 $ enter")
    #expect(screen.text.contains("No plants linked to “Fallow”.  backspace back"), "\(screen.text)")
    // Any other condition has no such reason.
    screen.press("F")
    screen.type("and height > 1")
    screen.press("enter")
    #expect(screen.text.contains("No rows match.  u undo"), "\(screen.text)")
  }

  @Test("where no linked row has the name of the filter", arguments: ["", " count"])
  func missingName(clause: String) throws {
    let schema = Garden.schema.replacing(
      #""name": {"valueType": "string", "config": {"unique": false"#,
      with: #""name": {"valueType": "string", "config": {"unique": true"#, maxReplacements: 1)
    var screen = try Screen(columns: 100, rows: 24, store: try Garden.store(schema: schema))
    screen.press("Q ctrl-u")
    screen.type(#"plants filter bed = "South""# + clause)
    screen.press("enter")
    guard case .emptyReason(let answer)? = screen.requests.last?.request else {
      Issue.record("\(screen.text)")
      return
    }
    #expect(answer.plan.condition?.text == #"bed.name = "South""#)
    screen.respond(
      .emptyReason(#"No beds row has the name "South". Did you mean "South wall"?"#))
    #expect(
      screen.text.contains(#"No rows match. No beds row has the name "South". Did you"#),
      "\(screen.text)")
    // The reason belongs to this query only.
    screen.press("Q ctrl-u")
    screen.type("plants filter height > 99999")
    screen.press("enter")
    #expect(!screen.text.contains("No beds row"), "\(screen.text)")
  }

  @Test("where the filter has a text in another case")
  func otherCase() throws {
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants").filter(.compare("name", .equal, "fig")))
    screen.respond(.emptyReason(#"Some do if case is ignored: name ilike "fig"."#))
    #expect(
      screen.text.contains(#"No rows match. Some do if case is ignored: name ilike "fig"."#),
      "\(screen.text)")
    // Without a text, there is nothing to find out.
    let count = screen.requests.count
    screen.press("F ctrl-u")
    screen.type("height > 99999")
    screen.press("enter")
    #expect(
      !screen.requests.dropFirst(count).contains {
        if case .emptyReason = $0.request { true } else { false }
      })
  }

  @Test(
    "where the filter has the letters of a flag emoji instead of the emoji",
    arguments: [("AF", true), ("FR", false), ("Af", false)])
  func flag(letters: String, isDrawn: Bool) throws {
    let countries = #"[{"name": "Afghanistan", "flag": "🇦🇫"}, {"name": "Japan", "flag": "🇯🇵"}]"#
    let store = try Dataset.load([(name: "countries.json", bytes: Array(countries.utf8))])
    let screen = try Screen(
      columns: 110, rows: 24,
      query: QueryPlan("countries").filter(.compare("flag", .equal, .text(letters))), store: store)
    #expect(screen.text.contains("No rows match."), "\(screen.text)")
    #expect(
      screen.text.contains("The letters AF stand for a flag emoji.") == isDrawn, "\(screen.text)")
  }

  @Test(
    "where the filter compares values of any type with a number in quotes",
    arguments: [
      (#"meta.size > "3""#, true), (#"meta.size = "3""#, true), (#"meta.size = "big""#, false),
      (#"name = "3""#, false),
    ])
  func quotedNumber(condition: String, isDrawn: Bool) throws {
    let things = #"[{"name": "a", "meta": {"size": 3}}, {"name": "b", "meta": {"size": 4}}]"#
    let store = try Dataset.load([(name: "things.json", bytes: Array(things.utf8))])
    let document = try QueryDocument(text: "things filter \(condition)", schema: store.schema)
    let screen = try Screen(columns: 110, rows: 24, query: document.plans[0], store: store)
    #expect(screen.text.contains("No rows match."), "\(screen.text)")
    #expect(
      screen.text.contains(#""3" is a string. To compare numbers, write 3."#) == isDrawn,
      "\(screen.text)")
  }

  @Test("for an empty store", arguments: ["D", "x", "e", "w", "Q", "E"])
  func emptyStore(way: String) throws {
    var screen = try Screen(columns: 80, rows: 24, store: TripleStore())
    screen.press(way)
    #expect(
      screen.text.contains(
        "No namespaces yet. Import data: sonde import FILE --into NAME.sonde"),
      "\(screen.text)")
  }
}
