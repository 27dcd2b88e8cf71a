import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

/// What the cursor is on stays what it is on, whatever changes about it.
@Suite("Cursor while data changes")
struct CursorStabilityTests {
  private func isChosen(_ text: String, in screen: Screen) -> Bool {
    let frame = screen.workspace.view()
    return (0..<frame.size.rows).contains {
      frame.text(row: $0).contains(text) && frame.paintedText(row: $0).contains("/selection")
    }
  }

  private static func entity(_ name: String, of namespace: String, in screen: Screen) throws
    -> EntityID
  {
    let label = try #require(screen.store.schema.attribute(namespace, "name"))
    return screen.store.id(
      of: try #require(
        screen.store.rows(of: namespace).handles.first {
          screen.store.value($0, label.id) == .text(name)
        }))
  }

  @Test("cursors survive a temporarily small screen")
  func sizes() throws {
    var screen = try Screen(columns: 100, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press("1 j 2 j j 4 G")
    let before = screen.text
    for size in [
      Size(columns: 40, rows: 7), Size(columns: 100, rows: 3), Size(columns: 100, rows: 24),
    ] {
      screen.handle(.terminal(.resize(size)))
    }
    #expect(screen.text == before)
    #expect(screen.text.contains("[2] plants") && isChosen("梅 Ume", in: screen))
  }

  @Test("the cursor stays on its entity when a filter is undone")
  func filterTakenBack() throws {
    var screen = try Screen(columns: 100, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press("4 j j f enter")
    #expect(isChosen("Mint", in: screen) && !screen.text.contains("Fig"), "\(screen.text)")
    screen.press("u")
    #expect(isChosen("Mint", in: screen), "\(screen.text)")
    // At the first row, the cursor stays first after sorting.
    screen.press("g s")
    #expect(!isChosen("Fig", in: screen), "\(screen.text)")
  }

  @Test("the height of the query follows its width")
  func queryLines() throws {
    let long = (1...6).reduce(QueryPlan("plants")) { plan, number in
      plan.filter(.isIn(AttributePath(["name"]), [.text("a name that is long, \(number)")]))
    }
    var screen = try Screen(columns: 90, rows: 30, query: long)
    let narrow = try #require(screen.place(of: "[4] Results")).row
    screen.press("t")
    screen.handle(.terminal(.resize(Size(columns: 240, rows: 30))))
    screen.press(",")
    let wide = try #require(screen.place(of: "[4] Results")).row
    #expect(wide < narrow, "\(screen.text)")
    let fresh = try Screen(columns: 240, rows: 30, query: long)
    #expect(try #require(fresh.place(of: "[4] Results")).row == wide)
  }

  @Test("an empty result shows a suitable hint")
  func recoveryHint() throws {
    let none = QueryPlan("plants").filter(.isIn(AttributePath(["name"]), [.text("x")]))
    var screen = try Screen(columns: 110, rows: 24, query: none)
    #expect(screen.text.contains("No rows match.  F edit the filter"), "\(screen.text)")
    screen.press("L")
    screen.type("3")
    screen.press("enter")
    #expect(screen.text.contains("No rows match.  u undo the last query change"))
    let page = QueryPlan("plants").offset(10)
    let behind = try Screen(columns: 110, rows: 24, query: page)
    #expect(
      behind.text.contains("This page is empty: it starts after the last of 5 rows.")
        && behind.text.contains("Q edit the query"),
      "\(behind.text)")
  }

  @Test("the titles of a relation keep the cursor when rows change above")
  func titles() throws {
    var screen = try Screen(columns: 120, rows: 26, query: QueryPlan("plants").order("name"))
    screen.press("4 j $ > j")
    #expect(isChosen("╰ bed 1", in: screen))
    let id = try #require(screen.store.schema.attribute("plants", "id"))
    let name = try #require(screen.store.schema.attribute("plants", "name"))
    let new = EntityID.random()
    try screen.transact([
      .addTriple(.id(new), id.id, .text(new.text)), .addTriple(.id(new), name.id, .text("Aloe")),
    ])
    #expect(isChosen("╰ bed 1", in: screen))
    try screen.transact([.deleteEntity(.id(new), namespace: "plants")])
    #expect(isChosen("╰ bed 1", in: screen))
    screen.press("k")
    #expect(isChosen("Iris", in: screen))
  }

  @Test("the cursor stays on a value whose rank changes")
  func values() throws {
    var screen = try Screen(columns: 120, rows: 26, query: QueryPlan("plants"))
    screen.press("4 l l z j")
    #expect(isChosen("false", in: screen))
    let edible = try #require(screen.store.schema.attribute("plants", "edible"))
    for name in ["Fig", "Mint"] {
      try screen.transact([
        .addTriple(.id(try Self.entity(name, of: "plants", in: screen)), edible.id, .bool(false))
      ])
    }
    #expect(isChosen("false", in: screen))
    screen.press("enter")
    #expect(screen.text.contains("edible = false"))
  }

  @Test("a selected target stays selected when one before it is deleted")
  func chooser() throws {
    var screen = try Screen(columns: 120, rows: 26, query: QueryPlan("plants"))
    screen.press("4 j $ e down down")
    #expect(isChosen("Fallow", in: screen))
    try screen.transact([
      .deleteEntity(.id(try Self.entity("South wall", of: "beds", in: screen)), namespace: "beds")
    ])
    #expect(isChosen("Fallow", in: screen))
    screen.press("enter")
    #expect(screen.text.contains("bed linked to Fallow"))
  }

  @Test("the cursor in Changes stays on its line when older lines are dropped")
  func changes() throws {
    var screen = try Screen(columns: 120, rows: 26, query: QueryPlan("plants"))
    let height = try #require(screen.store.schema.attribute("plants", "height"))
    let fig = try Self.entity("Fig", of: "plants", in: screen)
    func growth(_ value: Int64) -> TransactionStep {
      .addTriple(.id(fig), height.id, .integer(1_000 + value))
    }
    // The screen is drawn again only after each thousand of them.
    var store = screen.store
    var history = ChangeHistory()
    for value in Int64(0)..<5_000 {
      let before = store.transactionID
      let changes = try store.transact(Transaction([growth(value)]))
      history.append(changes, from: before, to: store.transactionID)
      if value % 1_000 == 999 { screen.show(StoreSnapshot(store, history: history)) }
    }
    screen.press("C g j j")
    #expect(isChosen("→ 1002", in: screen))
    try screen.transact([growth(5_000)])
    #expect(isChosen("→ 1002", in: screen))
  }

  @Test("matches are no longer highlighted after a tab switch")
  func found() throws {
    var screen = try Screen(columns: 120, rows: 26, query: QueryPlan("plants"))
    screen.press("4 /")
    screen.type("fig")
    screen.press("enter")
    #expect(screen.workspace.view().paintedText.contains("/match"))
    screen.press("t ,")
    #expect(!screen.workspace.view().paintedText.contains("/match"))
  }

  @Test("matches are highlighted in another namespace, too")
  func foundElsewhere() throws {
    var screen = try Screen(columns: 120, rows: 26, query: QueryPlan("plants"))
    screen.press("4 /")
    screen.type("i")
    screen.press("enter 1 k enter n")
    #expect(screen.text.contains("By the pond"))
    #expect(screen.workspace.view().paintedText.contains("/match"))
  }
}
