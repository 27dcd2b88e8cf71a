import Explorer
import InstaQL
import Testing
import Triples

@Suite("Record pane")
struct EntityPaneTests {
  private static let rich = #"""
    [{"key": "fig", "name": "Fig", "height": 250, "sown": 1553990400000, "bed": "south",
      "note": "A long note that does not fit into one line of the pane and is therefore told in several of them, between words.",
      "care": {"water": [1, 2], "sun": {"hours": 6}, "odd": "\u001b[2J"}}]
    """#

  @Test("shows all values, JSON as a tree, and links in both directions")
  func whole() throws {
    var screen = try Screen(
      columns: 110, rows: 30, query: QueryPlan("plants"),
      store: try Garden.store(plants: Self.rich))
    screen.press("enter")
    try expectScreen(screen.text, named: "entity")
  }

  @Test("a long text in a nested value continues on further lines", arguments: ["enter", "K"])
  func nestedText(key: String) throws {
    let plants = #"""
      [{"key": "fig", "care": {"water": "Every morning before the sun has dried the soil again", "n": 1}}]
      """#
    var screen = try Screen(
      columns: 60, rows: 40, query: QueryPlan("plants").order("name"),
      store: try Garden.store(plants: plants))
    screen.press("4 0 " + key)
    #expect(screen.line(with: "Every morning") != nil, "\(screen.text)")
    #expect(screen.line(with: "the soil again") != nil, "\(screen.text)")
  }

  @Test("on a wide screen, the record opens next to the results")
  func beside() throws {
    var screen = try Screen(columns: 160, rows: 20, query: QueryPlan("beds"))
    screen.press("enter")
    expectBlock(
      """
      ├─ [4] Results ───────────────────────────────────── row 1 of 3 ─┤╭─ [5] South wall ───────────────────────────────────────── beds ─╮
      │ name             area  key    plants                           ││ key              south                              unique text │
      │ South wall       12.5  south  ⇉ 2: Fig, 梅 Ume                 ││ name             South wall                                text │
      │ By the pond       8.0  pond   ⇉ 2: Iris, Mint                  ││ area             12.5                                    number │
      │ Fallow       10,000.0  empty  ·                                ││ id               02935472-bc9c-8364-a413-21dee8159ed3           │
      │                                                                ││ ⇉ plants         2                                     ⇉ plants │
      │                                                                ││                  Fig                                            │
      │                                                                ││                  梅 Ume                                         │
      """, in: screen.text)
  }

  @Test("long names get more space if possible")
  func longNames() throws {
    for columns in [50, 120] {
      var screen = try Screen(
        columns: columns, rows: 40, query: QueryPlan("countries"), store: DemoData.store())
      screen.press("enter")
      #expect(screen.text.contains(#/⇉ neighbourOf +6/#), "\(screen.text)")
      #expect(screen.text.contains(#/officialName +Islamic/#))
    }
  }

  @Test("links open the linked entity, and back returns")
  func links() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("enter")
    #expect(screen.text.contains("─ [5] Fig ─"))
    screen.press("G enter")
    #expect(screen.text.contains("─ [5] South wall ─"))
    screen.press("G enter")
    #expect(screen.text.contains("─ [5] 梅 Ume ─"))
    screen.press("[ [")
    #expect(screen.text.contains("─ [5] Fig ─"))
    screen.press("escape")
    #expect(!screen.text.contains("─ [5] Fig ─"))
  }

  @Test("the palette leads to fields of the record, also of a linked one")
  func palette() throws {
    var screen = try Screen(columns: 110, rows: 30, query: QueryPlan("plants"))
    screen.press("0 enter :")
    screen.type("height")
    screen.press("enter e")
    #expect(screen.text.contains("Edit height"), "\(screen.text)")
    screen.press("escape :")
    screen.type("bed")
    screen.press("enter j enter :")
    screen.type("area")
    screen.press("enter e")
    #expect(screen.text.contains("Edit area"), "\(screen.text)")
    screen.press("escape backspace backspace e")
    #expect(screen.text.contains("Edit name"), "\(screen.text)")
  }

  @Test("f filters by the value of the field, also in a record of another namespace")
  func filter() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("enter g f")
    #expect(screen.text.contains("─ Filter by key ─"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == #"plants filter key = "fig""#)
    #expect(screen.hears("Results"))
    screen.press("enter $ enter 0 f enter")
    #expect(screen.watched.last?.document.text == #"beds filter key = "south""#)
    #expect(screen.hears("Results"))
  }

  @Test("all targets of a link open as a query, and back returns")
  func intoRelation() throws {
    var screen = try Screen(query: QueryPlan("beds"))
    screen.press("enter G up up enter")
    #expect(screen.text.contains("plants filter bed.name = \"South wall\""))
    screen.press("backspace")
    #expect(screen.text.contains("─ [5] South wall ─"))
  }

  @Test("the cursor stays on its field while the entity changes")
  func liveEntity() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("enter G")
    screen.change(
      to: try Garden.store(
        plants: #"[{"key": "fig", "name": "Fig", "note": "new\nlines\nhere", "bed": "south"}]"#))
    #expect(screen.text.contains("lines"))
    screen.press("enter")
    #expect(screen.text.contains("─ [5] South wall ─"))
  }

  @Test("the record states that its entity was deleted")
  func gone() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("enter")
    screen.change(to: try Garden.store(plants: "[]"))
    #expect(screen.text.contains("no longer exists"))
  }

  @Test(
    "an entity deleted while paused keeps its name, and no commands are offered for it"
  )
  func goneBeneath() throws {
    var screen = try Screen(query: QueryPlan("plants").order("name"))
    screen.press("4 p")
    screen.change(to: try Garden.store(plants: #"[{"key": "iris", "name": "Iris"}]"#))
    screen.press("enter")
    #expect(screen.text.contains("[5] Fig") && screen.text.contains("no longer exists"))
    for key in ["edit", "delete", "copy"] { #expect(!screen.row(23).contains(key)) }
    for key in ["e", "d", "a", "y", "enter", ">", "down"] {
      screen.press(key)
      #expect(screen.row(23).contains("no longer exists"), "\(key)\n\(screen.text)")
    }
    screen.press("backspace")
    #expect(screen.text.contains("Fig") && !screen.text.contains("[5]"))
  }

  @Test("a value and the whole entity can be copied")
  func copying() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("enter y y")
    #expect(screen.effects.last == .copy("Fig"))
    screen.press("y e")
    guard case .copy(let json)? = screen.effects.last else {
      Issue.record("Nothing was copied")
      return
    }
    #expect(json.hasPrefix("{"))
    #expect(json.contains(#""height":250"#))
  }
}

@Suite("Menus")
struct MenuTests {
  @Test("the copy menu previews each text")
  func copyMenu() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants").limit(2))
    screen.press("y")
    expectBlock(
      """
      ╭─ Copy ────────────────────────────────────────────────────────────────────────╮
      │ c  cell                            Fig                                        │
      │ e  row as JSON                     {"id":"b1f43311-2308-800c-949a-f2dab93ea…  │
      │ r  row as CSV                      id,key,name,height,edible,sown,note b1f4…  │
      │ n  row as INSERT                   INSERT INTO "plants" ("id", "key", "name…  │
      │ k  id                              b1f43311-2308-800c-949a-f2dab93ead96       │
      │ o  column “name”                   name Fig Iris                              │
      │ t  results as table                name  height  edible  sown        note  …  │
      │ a  results as JSON                 [{"id":"b1f43311-2308-800c-949a-f2dab93e…  │
      │ s  results as CSV                  id,key,name,height,edible,sown,note b1f4…  │
      │ M  results as Markdown             | id | key | name | height | edible | so…  │
      │ q  query as text                   plants limit 2                             │
      │ i  query as InstaQL                {"plants":{"$":{"limit":2}}}               │
      │ w  query as Swift                  QueryPlan("plants")   .limit(2)            │
      │ l  command that reopens this view  sonde garden 'plants limit 2'              │
      ╰───────────────────────────────────────────────────────────────────────────────╯
      """, in: screen.text)
  }

  @Test("the help of a menu omits keys of commands that choose an entry or begin a value there")
  func help() throws {
    var screen = try Screen(columns: 110, rows: 40, query: QueryPlan("plants"))
    screen.press("4 f ?")
    #expect(screen.text.contains("─ Keys in Menu ─"), "\(screen.text)")
    #expect(!screen.text.contains("In this pane"), "\(screen.text)")
    #expect(screen.line(with: "down one row")?.contains(" j ") == false, "\(screen.text)")
    screen.press("escape escape y ?")
    #expect(screen.text.contains("─ Keys in Menu ─"), "\(screen.text)")
    #expect(screen.line(with: "down one row")?.hasPrefix("│ down  j  ") == true, "\(screen.text)")
    #expect(screen.line(with: "up one row")?.contains(" k ") == false, "\(screen.text)")
  }

  @Test("entries too long for a clipboard suggest an alternative")
  func tooLong() throws {
    let rows = (0..<5_001).map { "{\"n\": \($0)}" }.joined(separator: ",")
    var screen = try Screen(
      columns: 110, rows: 26, query: QueryPlan("numbers"),
      store: try Dataset.load([(name: "numbers.json", bytes: Array("[\(rows)]".utf8))]))
    screen.press("4 y")
    #expect(screen.line(with: "column “n”")?.contains("too long for the clipboard") == true)
    screen.press("s")
    #expect(screen.notice == .tooManyRowsToCopy(5001))
    #expect(!screen.effects.contains { if case .copy = $0 { true } else { false } })
  }

  @Test("the copy menu copies cell, column, answer and every notation of the query")
  func copies() throws {
    var screen = try Screen(query: QueryPlan("plants").fields(["name"]).limit(2))
    screen.press("y o y q y l y a")
    #expect(
      screen.effects == [
        .copy("name\nFig\nIris"), .copy("plants limit 2 fields name"),
        .copy("sonde garden 'plants limit 2 fields name'"), screen.effects.last,
      ])
    screen.press("y i y w")
    #expect(screen.effects.count == 6)
  }

  @Test("an entity is copied as CSV and SQL, selected rows as CSV")
  func forms() throws {
    var screen = try Screen(query: QueryPlan("plants").fields(["name", "height"]))
    screen.press("y r y n space y v y s")
    let copies = screen.effects.compactMap { effect -> String? in
      if case .copy(let text) = effect { text } else { nil }
    }
    #expect(copies.count == 4)
    #expect(copies[0].hasPrefix("name,height\nFig,250"))
    let fig = copies[1]
    #expect(fig.hasPrefix("INSERT INTO \"plants\" (\"id\", "), "\(fig)")
    #expect(fig.contains("\"sown\"") && fig.contains("'Fig', 250, TRUE, '2019-04-01'"), "\(fig)")
    #expect(fig.hasSuffix(");"))
    #expect(copies[2] == copies[0])
    #expect(copies[3].split(separator: "\n").count == 6)
  }

  @Test("results and selected rows are copied as a Markdown table")
  func markdown() throws {
    var screen = try Screen(
      query: QueryPlan("plants").fields(["name", "height"]).order("name").limit(2))
    screen.press("4 g y M")
    #expect(
      screen.effects.last
        == .copy(
          "| name | height |\n| --- | ---: |\n| Fig | 250 |\n| Iris | 80 |\n"))
    screen.press("space y x")
    #expect(screen.effects.last == .copy("| name | height |\n| --- | ---: |\n| Fig | 250 |\n"))
  }

  @Test(
    "names that SQL would misread are quoted",
    arguments: [
      (Value.text("it's"), "'it''s'"), (.null, "NULL"), (.bool(false), "FALSE"),
      (.array([.integer(1)]), "'[1]'"), (.double(1.5), "1.5"),
    ] as [(Value, String)])
  func literals(_ value: Value, _ written: String) throws {
    var store = try Garden.store(plants: "[{\"key\": \"fig\"}]")
    let fig = try #require(store.rows(of: "plants").handles.first)
    let odd = Attribute(id: AttributeID("odd"), namespace: "plants", label: "order by")
    store.addAttribute(odd)
    _ = try store.transact(Transaction([.addTriple(.id(store.id(of: fig)), odd.id, value)]))
    var screen = try Screen(query: QueryPlan("plants"), store: store)
    screen.press("4 y n")
    guard case .copy(let text)? = screen.effects.last else {
      Issue.record("Nothing was copied")
      return
    }
    #expect(text.contains("\"order by\"") && text.contains(written), "\(text)")
  }

  @Test("a quote in a query is escaped for the shell")
  func shellQuotes() throws {
    var screen = try Screen(query: QueryPlan("plants").filter(.compare("name", .equal, "it's")))
    screen.press("y l")
    guard case .copy(let command)? = screen.effects.last else {
      Issue.record("Nothing was copied")
      return
    }
    #expect(command.contains(#"'\''"#))
  }

  @Test("a text with JSON is shown as a tree")
  func documentInText() throws {
    let store = try Garden.store(
      plants: #"""
        [{"key": "fig", "name": "Fig", "note": "{\"soil\": {\"ph\": 6.5}, \"tags\": [\"a\", null]}"},
         {"key": "ume", "name": "Ume", "note": "{not JSON}"}]
        """#)
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"), store: store)
    screen.press("enter")
    #expect(screen.line(with: "ph ")?.contains("6.5") == true)
    #expect(screen.line(with: "tags")?.contains("[2]") == true)
    #expect(screen.text.contains("∅"))
    screen.press("escape down enter")
    #expect(screen.text.contains("{not JSON}"))
  }

  @Test("filters by cells of several columns combine with and, and by one more key with or")
  func filterEither() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("l f")
    #expect(!screen.text.contains("also include this value (OR)"))
    screen.press("< enter l f =")
    #expect(screen.watched.last?.document.plans.first?.condition?.conjuncts.count == 2)
    screen.press("f |")
    #expect(screen.text.contains("or edible = "))
    screen.press("=")
    let condition = screen.watched.last?.document.plans.first?.condition
    guard case .any(let parts)? = condition else {
      Issue.record("Not either of two: \(condition?.text ?? "nothing")")
      return
    }
    #expect(parts.count == 2)
  }

  @Test("the filter menu suits the value")
  func filterMenu() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("l f")
    try expectScreen(screen.text, named: "filter-menu")
    screen.press("> enter")
    #expect(screen.watched.last?.document.text == "plants filter height > 250")
  }

  @Test("escape or q close a menu without effect")
  func closing() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("$")
    let before = screen.text
    screen.press("y escape f escape d q")
    #expect(screen.text == before)
    #expect(screen.effects == [])
  }
}
