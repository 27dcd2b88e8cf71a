import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Selected rows")
struct EntitySelectionTests {
  @Test("space selects a row and moves on; the selection is shown and counted")
  func marking() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("space down space")
    expectBlock(
      """
      ├─ [4] Results ───────────────────────────────────────── 2 selected · row 4 of 5 ─┤
      │ name          height  edible  sown        note  key   bed                       │
      │●Fig              250  true    2019-04-01  ·     fig   South wall →              │
      │ Iris              80  false   2022-03-15  ·     iris  By the pond →             │
      │●Mint              40  true    2023-05-02  ·     mint  By the pond →             │
      │ 梅 Ume           310  true    ∅           ·     ume   South wall →              │
      │ Odd␛[31m␉one  12,345  false   ·           é     odd   ·                         │
      """, in: screen.text)
    screen.press("g space")
    #expect(screen.text.contains("1 selected"))
    #expect(!screen.text.contains("●Fig"))
  }

  @Test("the selection follows its entities when rows, sort or filter change")
  func identity() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("down space")
    #expect(screen.text.contains("●Iris"))
    try screen.transact(Self.plant("aa", "Aa", in: screen.store))
    screen.press("g s s")
    #expect(screen.text.contains("●Iris"))
    screen.press("F")
    screen.type("height > 100")
    screen.press("enter")
    #expect(!screen.text.contains("●Iris"))
    #expect(screen.text.contains("1 selected"))
    screen.press("u")
    #expect(screen.text.contains("●Iris"))
  }

  @Test("a deleted row is selected again after undo")
  func deletedAndBack() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("space space M d")
    expectBlock(
      """
      ╭─ Delete 2 selected plants? Removes 2 rows from plants, and 2 links ─╮
      │ n  keep them                                                        │
      │ d  delete     can be undone                                         │
      ╰─────────────────────────────────────────────────────────────────────╯
      """, in: screen.text)
    expectBlock(
      """
      ├─ [4] Results ──────────────────
      │ name          height  edible  s
      │●Fig              250  true    2
      │●Iris              80  false   2
      """, in: screen.text)
    screen.press("d")
    #expect(screen.transactions.count == 1)
    #expect(!screen.text.contains("Iris"))
    #expect(screen.text.contains("Mint"))
    #expect(!screen.text.contains("selected ·"), "\(screen.text)")
    screen.press("U")
    #expect(screen.text.contains("●Fig"))
    #expect(screen.text.contains("●Iris"))
    #expect(screen.text.contains("2 selected ·"), "\(screen.text)")
  }

  @Test("d deletes the selected rows instead of the row at the cursor", arguments: [false, true])
  func deletedByKey(isReadAsNeeded: Bool) throws {
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants"), isReadAsNeeded: isReadAsNeeded)
    screen.press("space space d")
    #expect(screen.text.contains("Delete 2 selected plants?"), "\(screen.text)")
    screen.press("d")
    #expect(screen.transactions.count == 1)
    #expect(!screen.text.contains("Fig") && !screen.text.contains("Iris"), "\(screen.text)")
    #expect(screen.text.contains("Mint"))
    // The selection is gone, so the next deletion is of the row at the cursor.
    screen.press("g d")
    #expect(screen.text.contains("Delete Mint?"), "\(screen.text)")
  }

  @Test("d asks for the selected rows of a server, even if none of them is loaded")
  func deletedUnloaded() throws {
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants"), isPartial: true)
    screen.press("4 space space F")
    screen.type("name = \"Mint\"")
    screen.press("enter")
    #expect(!screen.text.contains("Fig"), "\(screen.text)")
    #expect(screen.text.contains("2 selected ·"), "\(screen.text)")
    screen.press("d")
    #expect(
      screen.text.contains("Delete 2 selected plants? Removes 2 rows from plants, and 2 links"),
      "\(screen.text)")
    screen.press("d")
    #expect(screen.transactions.count == 1)
    #expect(screen.store.count(of: "plants") == 3)
  }

  @Test("d asks for no other row if another client deleted the selected ones")
  func deletedElsewhere() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("space")
    let name = try #require(screen.store.schema.attribute("plants", "name"))
    let fig = try #require(
      screen.store.rows(of: "plants").handles.first {
        screen.store.value($0, name.id) == .text("Fig")
      })
    try screen.transact([
      .deleteEntity(.id(screen.store.id(of: fig)), namespace: "plants")
    ])
    screen.press("d")
    #expect(screen.notice == .selectedGone(1), "\(screen.text)")
    screen.press("M u d")
    #expect(screen.text.contains("Delete Iris?"), "\(screen.text)")
  }

  @Test("a single selected row is named before it is deleted")
  func deletedAlone() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("space d")
    #expect(screen.text.contains("Delete 1 selected row (Fig)?"), "\(screen.text)")
    screen.press("n M u d")
    #expect(screen.text.contains("Delete Iris?"), "\(screen.text)")
  }

  @Test("d deletes selected nested rows, even if the cursor has left them")
  func deletedNested() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("beds"))
    screen.press("> down down space")
    screen.press("g d")
    #expect(screen.text.contains("Delete 1 selected row (Fig)?"), "\(screen.text)")
  }

  @Test("rows that are staged for deletion are not staged again")
  func deletedTwice() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("P space space d d")
    #expect(screen.stagedTransactions.count == 1)
    screen.press("d")
    #expect(screen.notice == .stagedForDeletion)
    screen.press("g down down space d")
    #expect(screen.text.contains("Delete 1 of 3 selected plants?"), "\(screen.text)")
  }

  @Test("the query can be narrowed to the selected rows")
  func filtering() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("space down space M f")
    #expect(screen.watched.last?.document.text.contains("id in (") == true)
    #expect(screen.text.contains("●Fig"))
    #expect(screen.text.contains("●Mint"))
    #expect(!screen.text.contains("Iris"))
  }

  @Test("actions on the loaded ones of the selected rows say so")
  func partlyLoaded() throws {
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants"), isPartial: true)
    screen.press("4 space space F")
    screen.type("name = \"Iris\"")
    screen.press("enter M")
    #expect(screen.text.contains("2 selected plants"), "\(screen.text)")
    #expect(screen.text.contains(#/show only these rows +the 1 loaded row /#), "\(screen.text)")
    #expect(screen.text.contains(#/set name +in the 1 loaded row /#), "\(screen.text)")
  }

  @Test("all rows can be selected, inverted and deselected at once")
  func many() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("M a")
    #expect(screen.text.contains("5 selected"))
    screen.press("space M i")
    #expect(screen.text.contains("1 selected"))
    #expect(screen.text.contains("●Fig"))
    screen.press("M u")
    #expect(!screen.text.contains("selected ·"))
    screen.press("M")
    #expect(screen.text.contains("No rows selected.  space select"))
  }

  @Test("selected rows are copied as JSON")
  func copying() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants").fields(["name"]))
    screen.press("space space y m")
    guard case .copy(let text)? = screen.effects.last else {
      Issue.record("Nothing was copied")
      return
    }
    #expect(text.contains(#""name":"Fig""#) && text.contains(#""name":"Iris""#))
    #expect(!text.contains("Mint"))
  }

  @Test("nested rows are selected in their own namespace")
  func nested() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("beds"))
    screen.press("> down down space")
    #expect(screen.text.contains("● Fig"))
    screen.press("1 down enter")
    #expect(screen.text.contains("●Fig"))
  }

  private static func plant(
    _ key: String, _ name: String, in store: TripleStore
  ) throws -> [TransactionStep] {
    let id = EntityID.random()
    let values: [(label: String, value: Value)] = [
      ("id", .text(id.text)), ("key", .text(key)), ("name", .text(name)),
    ]
    return try values.map { label, value in
      let attribute = try #require(store.schema.attribute("plants", label))
      return .addTriple(.id(id), attribute.id, value)
    }
  }
}

@Suite("Filtering by several values")
struct ListFilterTests {
  @Test("the values of the selected rows make one condition")
  func marked() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("space down space l f")
    #expect(screen.text.contains("height in (250, 40)"))
    screen.press(",")
    #expect(screen.watched.last?.document.text == "plants filter height in (250, 40)")
  }

  @Test("more values are typed after the first one")
  func typed() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants").limit(4))
    screen.press("f (")
    screen.type("\"Mint\")")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text == #"plants filter name in ("Fig", "Mint") limit 4"#)
  }

  @Test("an existing filter stays, with parentheses around or")
  func further() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("F")
    screen.type("height > 100 or edible = true")
    screen.press("enter f (")
    screen.type("\"Mint\")")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text
        == #"plants filter (height > 100 or edible = true) and name in ("Fig", "Mint")"#)
  }

  @Test("a list of linked rows has their labels if these are unique")
  func uniqueLabels() throws {
    let schema = Garden.schema.replacing(
      "\"unique\": false, \"indexed\": true}},\n    \"area\"",
      with: "\"unique\": true, \"indexed\": true}},\n    \"area\"")
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants"), store: Garden.store(schema: schema))
    screen.press("$ f")
    #expect(screen.text.contains(#"bed.name in ("South wall", …"#), "\(screen.text)")
    screen.press("(")
    screen.type("\"Fallow\")")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text
        == #"plants filter bed.name in ("South wall", "Fallow")"#)
  }

  @Test("links are listed by their targets")
  func links() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("space space $ f ,")
    #expect(screen.watched.last?.document.text.contains("bed.id in (") == true)
    #expect(screen.text.contains("Mint") && !screen.text.contains("Odd"))
  }
}
