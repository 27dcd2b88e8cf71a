import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("What keys do")
struct KeyEffectTests {
  @Test("the query shows the cursors of a page as they are typed")
  func cursors() throws {
    let store = try DemoData.store()
    var plan = QueryPlan("cities").order("name").limit(5)
    let page = try QueryEngine.answer(plan, in: store)
    plan.page.after = try #require(page.pageInfo?.end)
    plan.page.afterInclusive = true
    let screen = try Screen(columns: 120, query: plan, store: store)
    let last = try #require(page.rows.last)
    let label = try #require(store.schema.attribute("cities", "name"))
    let name = try #require(store.value(last, label.id)?.textValue)
    #expect(screen.text.contains("limit 5 after '["), "\(screen.text)")
    #expect(screen.text.contains("\"\(name)\",") && screen.text.contains("]' inclusive"))
  }

  @Test("moving in the namespaces shows schemas, and enter shows rows")
  func namespaces() throws {
    var screen = try Screen()
    screen.press("down")
    #expect(screen.text.contains("├─ [2] plants ─") && screen.text.contains("height"))
    #expect(screen.text.contains("South wall"))
    #expect(screen.watched.map(\.document) == [QueryDocument(QueryPlan("beds"))])
    screen.press("enter")
    #expect(screen.text.contains("Mint"))
    #expect(!screen.text.contains("South wall →  ∅"))
    #expect(screen.watched.map(\.document) == [QueryDocument(QueryPlan("plants"))])
  }

  @Test(
    "the schema of a namespace can be browsed while another query is shown")
  func otherSchema() throws {
    var screen = try Screen(query: QueryPlan("plants").limit(2))
    screen.press("1 up 2 G")
    #expect(screen.text.contains("├─ [2] beds ─"))
    #expect(names(in: screen) == ["Fig", "Iris"])
    screen.press("enter [")
    // Back restores the view and the selected namespace.
    #expect(names(in: screen) == ["Fig", "Iris"])
    #expect(screen.text.contains("├─ [2] plants ─"))
  }

  @Test("the cursor stays on its namespace when others are added")
  func moreNamespaces() throws {
    var screen = try Screen()
    screen.press("down")
    try screen.transact([
      .addAttribute(Attribute(id: AttributeID("ants"), namespace: "ants", label: "name"))
    ])
    #expect(screen.text.contains("ants") && screen.text.contains("├─ [2] plants ─"))
  }

  @Test("one click on a namespace shows its schema, two its rows")
  func clickNamespaces() throws {
    var screen = try Screen()
    func click(_ times: Int) -> Event {
      .terminal(.mouse(Mouse(.press(.left, clicks: times), row: 3, column: 5)))
    }
    screen.handle(click(1))
    #expect(screen.text.contains("├─ [2] plants ─") && screen.text.contains("South wall"))
    screen.handle(click(2))
    #expect(screen.text.contains("Mint") && screen.text.contains("├─ [2] plants ─"))
  }

  @Test("a namespace keeps its query and cursor")
  func namespaceKeepsItsQuery() throws {
    var screen = try Screen()
    screen.press("down enter L")
    screen.type("2")
    screen.press("enter 1 up enter")
    #expect(screen.text.contains("South wall"))
    screen.press("1 down enter")
    #expect(names(in: screen) == ["Fig", "Iris"])
    screen.press("u")
    #expect(names(in: screen).count == 5)
  }

  @Test("an included relation is shown regardless of the fields")
  func nestedColumn() throws {
    let plan = QueryPlan("beds").fields(["name"]).with("plants") { $0.limit(1) }
    let screen = try Screen(query: plan)
    #expect(screen.text.contains("beds fields name with plants { limit 1 }"))
    #expect(screen.text.contains("⇉ 1: Fig"))
    #expect(screen.text.contains("╰ plants 1"))
  }

  @Test("missing, null, empty and blank texts look different")
  func nothings() throws {
    let store = try Garden.store(
      plants: #"""
        [{"key": "a", "name": "one"}, {"key": "b", "name": "two", "note": null},
         {"key": "c", "name": "three", "note": ""}, {"key": "d", "name": "four", "note": "  "}]
        """#)
    var screen = try Screen(
      columns: 80, query: QueryPlan("plants").fields(["note", "name"]), store: store)
    for (name, note) in ["one": "·", "two": "∅", "three": "\"\"", "four": "\"  \""] {
      let cells = screen.line(with: " \(name) ").map { String($0.suffix(78)) }
      #expect(cells?.contains(note) == true, "\(name)")
    }
    screen.press("4 down down enter")
    #expect(screen.line(with: "note   ")?.contains("\"\"") == true)
  }

  @Test("a column fits the visible rows, even those outside of the sample")
  func fitToView() throws {
    let long = "a name that is a good deal longer than any other one, of 70 columns"
    let plants = (0..<1_000).map { number in
      let name = number == 501 ? long : "Plant \(number)"
      return "{\"key\": \"p\(number)\", \"name\": \"\(name)\"}"
    }.joined(separator: ",")
    var screen = try Screen(
      columns: 119, rows: 20, query: QueryPlan("plants").fields(["name"]),
      store: try Garden.store(plants: "[\(plants)]"))
    screen.press("4 _")
    #expect(!screen.text.contains(long))
    for _ in 0..<501 { screen.press("down") }
    #expect(!screen.text.contains(long))
    screen.press("_ _")
    #expect(screen.text.contains(long))
  }

  @Test("a list cannot be filtered by")
  func listCell() throws {
    let store = try Garden.store(
      plants: #"[{"key": "fig", "name": "Fig", "note": "n", "tags": [1]}]"#)
    var screen = try Screen(query: QueryPlan("plants"), store: store)
    screen.press("l l l l l f")
    #expect(screen.notice == .notFilterable)
    #expect(screen.watched.map(\.document) == [QueryDocument(QueryPlan("plants"))])
  }

  @Test("a paste beyond the limit of a query is rejected")
  func longPaste() throws {
    var screen = try Screen()
    screen.press("F")
    screen.handle(.terminal(.paste(String(repeating: "x", count: 70_000))))
    #expect(screen.row(23).contains("Not pasted"))
    #expect(!screen.row(23).contains("ctrl-u"), "The line is empty.")
  }

  @Test("the reason for stale rows is shown until they are live again")
  func stale() throws {
    var screen = try Screen()
    let store = try Garden.store()
    screen.handle(.snapshot(StoreSnapshot(store, freshness: .stale(reason: "a.json is broken"))))
    screen.press("down up")
    #expect(screen.row(22).contains("a.json is broken"))
    screen.handle(.snapshot(StoreSnapshot(store)))
    #expect(!screen.text.contains("broken"))
  }

  @Test("an answer that failed to update is stale, even if the store is live")
  func staleAnswer() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.show(StoreSnapshot(screen.store, freshness: .stale(reason: "it took too long")))
    screen.handle(.snapshot(StoreSnapshot(screen.store)))
    #expect(screen.row(0).contains("✕ stale"))
    #expect(screen.text.contains("it took too long"))
    screen.show(StoreSnapshot(screen.store))
    #expect(screen.row(0).contains("● live"))
  }

  @Test("a rejection names the entities whose ids it contains")
  func namedEntities() throws {
    var screen = try Screen(columns: 140, query: QueryPlan("plants"))
    let first = try #require(
      try QueryEngine.answer(QueryPlan("plants"), in: screen.store).rows.first)
    let id = screen.store.id(of: first).text
    screen.reject("Creating entities that exist: \(id), and no other")
    let name = names(in: screen)[0]
    #expect(screen.row(23).contains("\(id) (\(name)), and no other"))
  }

  @Test("errors in a typed sort count columns from the start of the text")
  func orderColumn() throws {
    var screen = try Screen(columns: 120, query: QueryPlan("plants"))
    screen.press("O")
    screen.type("name sideways")
    #expect(screen.text.contains("Character 6: expected"))
  }

  @Test("other clauses in a typed sort are refused", arguments: ["limit 3", "filter height > 1"])
  func otherClause(clause: String) throws {
    var screen = try Screen(columns: 120, query: QueryPlan("plants"))
    screen.press("O")
    screen.type("name desc " + clause)
    screen.press("enter")
    #expect(screen.text.contains("Only sort keys can be typed here."), "\(screen.text)")
    #expect(screen.watched.last?.document.text == "plants")
    screen.press("ctrl-u")
    screen.type("height * 2 desc")
    screen.press("enter")
    #expect(screen.watched.last?.document.text.contains("order height * 2 desc") == true)
  }

  @Test("a link to many entities sorts by their number")
  func orderingByCount() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("$ s s")
    #expect(screen.watched.last?.document.text == "beds order count(plants) desc")
    #expect(screen.line(with: "↓plants") != nil, "\(screen.text)")
  }

  @Test("sorting by a column cycles, and can be undone and redone")
  func ordering() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("l")
    #expect(names(in: screen) == ["Fig", "Iris", "Mint", "梅 Ume", "Odd"])
    screen.press("s")
    #expect(names(in: screen) == ["Mint", "Iris", "Fig", "梅 Ume", "Odd"])
    screen.press("s")
    #expect(names(in: screen) == ["Odd", "梅 Ume", "Fig", "Iris", "Mint"])
    screen.press("s")
    #expect(names(in: screen) == ["Fig", "Iris", "Mint", "梅 Ume", "Odd"])
    screen.press("u")
    #expect(names(in: screen) == ["Odd", "梅 Ume", "Fig", "Iris", "Mint"])
    screen.press("u u")
    #expect(names(in: screen) == ["Fig", "Iris", "Mint", "梅 Ume", "Odd"])
    screen.press("ctrl-r")
    #expect(names(in: screen) == ["Mint", "Iris", "Fig", "梅 Ume", "Odd"])
  }

  @Test("a notice says that a sort by several columns was replaced")
  func replacedSort() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("l s s l s")
    #expect(screen.notice == nil)
    screen.press("h s s l S")
    #expect(screen.watched.last?.document.text == "plants order height desc, edible desc")
    #expect(screen.notice == nil)
    screen.press("h h s")
    #expect(screen.watched.last?.document.text == "plants order name")
    #expect(screen.notice == .replacedSort("height desc, edible desc"))
    screen.press("u")
    #expect(screen.watched.last?.document.text == "plants order height desc, edible desc")
  }

  @Test("one key sorts descending, and adds further columns to the sort")
  func descendingSort() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    for (keys, query) in [
      ("l S", "plants order height desc"), ("h S", "plants order height desc, name desc"),
      ("S", "plants order height desc, name"), ("S", "plants order height desc"),
      ("l S", "plants order height"), ("S", "plants"), ("u", "plants order height"),
    ] {
      screen.press(keys)
      #expect(screen.watched.last?.document.text == query)
    }
  }

  @Test(
    "a new sort keeps the cursor at the top, or on its row")
  func orderAndCursor() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("l s y y")
    #expect(screen.effects.last == .copy("40"))
    screen.press("down down s y y")
    #expect(screen.effects.last == .copy("250"))
  }

  @Test("filtering by a cell includes or excludes its value")
  func filterByCell() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("l l f enter")
    #expect(names(in: screen) == ["Fig", "Mint", "梅 Ume"])
    screen.press("l f enter")
    #expect(names(in: screen) == ["Fig"])
    screen.press("u u X")
    #expect(names(in: screen).contains("Fig") == false)
  }

  @Test("filtering by a missing value matches rows without one")
  func filterByMissing() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("G l l l f enter")
    #expect(names(in: screen) == ["梅 Ume", "Odd"])
  }

  @Test("enter applies a typed filter, escape discards it")
  func typedFilter() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("F")
    screen.type("height < 100")
    screen.press("escape")
    #expect(names(in: screen).count == 5)
    screen.press("F")
    screen.type("height < 100")
    screen.press("enter")
    #expect(names(in: screen) == ["Iris", "Mint"])
  }

  @Test("a typed query can change the namespace, and back returns")
  func typedQuery() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("Q ctrl-u")
    screen.type("beds order area desc limit 1")
    screen.press("enter")
    #expect(screen.text.contains("Fallow"))
    #expect(!screen.text.contains("Fig"))
    screen.press("backspace")
    #expect(screen.text.contains("Fig"))
  }

  @Test("an invalid query stays open and shows where the error is")
  func wrongQuery() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("Q ctrl-u")
    screen.type("plants filter hight > 3")
    screen.press("enter")
    #expect(screen.text.contains("hight"))
    #expect(screen.watched.map(\.document) == [QueryDocument(QueryPlan("plants"))])
  }

  @Test("a limit is a positive whole number, and an empty one removes it")
  func limit() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("L")
    screen.type("0")
    screen.press("enter")
    #expect(screen.text.contains("positive whole number"))
    screen.press("ctrl-u")
    screen.type("2")
    screen.press("enter")
    #expect(names(in: screen) == ["Fig", "Iris"])
    screen.press("L ctrl-u enter")
    #expect(names(in: screen).count == 5)
  }

  @Test("enter follows a link, backspace returns to the same cell")
  func trail() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("down down $ enter")
    #expect(screen.text.contains("By the pond"))
    #expect(!screen.text.contains("South wall"))
    screen.press("backspace y y")
    #expect(screen.effects.count == 1)
    screen.press("0 y y")
    #expect(screen.effects.last == .copy("Mint"))
    screen.press("]")
    #expect(screen.text.contains("By the pond"))
  }

  @Test("a relation expands in place and collapses")
  func expanding() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("down $ >")
    #expect(screen.text.contains("╰ plants 2"))
    #expect(screen.text.contains("Mint"))
    screen.press("down down 0 enter")
    #expect(screen.text.contains("─ [5] Iris"))
    screen.press("backspace <")
    #expect(!screen.text.contains("╰ plants 2"))
  }

  @Test("the answer to an older query is not shown")
  func outdated() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    let old = try #require(screen.watched.first)
    screen.press("1 up enter")
    let shown = screen.text
    screen.handle(.live(old.token, .failed(LiveFailure(message: "late"))))
    #expect(screen.text == shown)
  }

  @Test("a key without effect is reported")
  func uselessKey() throws {
    var screen = try Screen()
    screen.press("#")
    #expect(screen.row(23).contains("# does nothing in Namespaces.  enter open"))
    screen.press("down")
    #expect(!screen.row(23).contains("does nothing"))
  }

  @Test("an invalid initial query appears in the prompt with its error")
  func wrongFirstQuery() throws {
    let screen = try Screen(query: QueryPlan("plnats"))
    #expect(screen.text.contains("plnats"))
    #expect(screen.text.contains("plants"))
    #expect(screen.watched.map(\.document) == [QueryDocument(QueryPlan("beds"))])
  }

  @Test("a store that cannot be opened ends the program with the reason")
  func neverOpened() {
    var workspace = Workspace(StoreListing(typed: "x"), size: Size(columns: 80, rows: 24))
    #expect(workspace.view().text.contains("loading"))
    #expect(workspace.update(.storeFailed("no")) == [.fail(reason: "no")])
  }

  @Test("keys before the catalog are queued, except quit")
  func typedAhead() throws {
    var workspace = Workspace(StoreListing(typed: "garden"), size: Size(columns: 80, rows: 24))
    #expect(workspace.mustWait(.key(.down)))
    #expect(!workspace.mustWait(.key(.character("q"))))
    #expect(workspace.update(.terminal(.key(.down))).isEmpty)
    #expect(!workspace.mustWait(.key(.character("q"))))
    #expect(workspace.update(.terminal(.key(.character(":")))).isEmpty)
    #expect(workspace.mustWait(.key(.character("q"))))
    #expect(!workspace.mustWait(.resize(Size(columns: 90, rows: 24))))
    _ = workspace.update(.snapshot(StoreSnapshot(try Garden.store())))
    #expect(!workspace.mustWait(.key(.down)))
    let screen = try Screen()
    #expect(!screen.workspace.mustWait(.key(.down)))
  }

  @Test("a slow store shows its progress, and help can be read")
  func opening() throws {
    var workspace = Workspace(StoreListing(typed: "tasks.sonde"), size: Size(columns: 90, rows: 24))
    _ = workspace.update(.loading(LoadingProgress(done: 1_500_000, of: 6_000_000, .rows)))
    let text = workspace.view().text
    #expect(text.contains("Opening tasks.sonde"))
    #expect(text.contains(String(repeating: "█", count: 10) + "░"))
    #expect(text.contains("25%"))
    #expect(text.contains("1,500,000 of 6,000,000 rows"))
    #expect(workspace.mustWait(.key(.down)))
    let help = TerminalEvent.key(.character("?"))
    #expect(!workspace.mustWait(help))
    _ = workspace.update(.terminal(help))
    #expect(!workspace.mustWait(.key(.down)))
    _ = workspace.update(.snapshot(StoreSnapshot(try Garden.store())))
    #expect(!workspace.view().text.contains("Opening"))
  }

  @Test("signals and q end the program with the expected status")
  func quitting() throws {
    for (event, status) in [
      (Event.terminal(.terminate(15)), Int32(143)), (.terminal(.hangup), 129),
      (.terminal(.key(.character("q"))), 0), (.terminal(.key(.control("c"))), 130),
    ] {
      var screen = try Screen()
      screen.handle(event)
      #expect(screen.effects == [.quit(status: status)])
    }
  }

  private func names(in screen: Screen) -> [String] {
    let known = ["Fig", "Iris", "Mint", "梅 Ume", "Odd"]
    return screen.text.split(separator: "\n").compactMap { line in
      known.first { line.contains("│▸\($0)") || line.contains("│ \($0)") }
    }
  }
}

@Suite("Live rows")
struct LiveRowsTests {
  @Test("the cursor stays on its entity when rows are added above")
  func cursorFollows() throws {
    var screen = try Screen(query: QueryPlan("plants").order("name"))
    screen.press("down down y y")
    let before = screen.effects.last
    let more = Garden.plants.replacing(
      "[{", with: #"[{"key": "aloe", "name": "Aloe"}, {"#, maxReplacements: 1)
    screen.change(to: try Garden.store(plants: more))
    #expect(screen.text.contains("Aloe"))
    screen.press("y y")
    #expect(screen.effects.last == before)
  }

  @Test("an expanded relation stays expanded and shows new rows")
  func openStaysOpen() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("$ >")
    #expect(screen.text.contains("╰ plants 2"))
    let more = Garden.plants.replacing(
      "[{", with: #"[{"key": "aloe", "name": "Aloe", "bed": "south"}, {"#, maxReplacements: 1)
    screen.change(to: try Garden.store(plants: more))
    #expect(screen.text.contains("╰ plants 3"))
    #expect(screen.text.contains("Aloe"))
  }

  @Test("when the selected entity is deleted, the cursor stays on its line")
  func chosenGone() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("G")
    screen.change(to: try Garden.store(plants: #"[{"key": "fig", "name": "Fig"}]"#))
    screen.press("y y")
    #expect(screen.effects.last == .copy("Fig"))
  }
}
