import Explorer
import InstaQL
import Notebooks
import TerminalUI
import Testing
import Triples

/// Plants in beds: from a plant to its bed, from there to the plants of the bed, and so on.
@Suite("Tables within tables")
struct NestedTableTests {
  /// Fig with its bed open beneath, and the plants of that beneath it.
  private static func screen(
    isPartial: Bool = false, recalled: RestoredSession? = nil
  ) throws -> Screen {
    try Screen(
      columns: 120, rows: 26, query: QueryPlan("plants").order("name"), isPartial: isPartial,
      recalled: recalled)
  }

  @Test(
    "a relation opens beneath any row, also of another open relation", arguments: [false, true])
  func open(isPartial: Bool) throws {
    var screen = try Self.screen(isPartial: isPartial)
    screen.press("$ > down down $ >")
    #expect(screen.line(with: "╰ bed 1") != nil)
    #expect(screen.line(with: "    ╰ plants 2") != nil)
    if !isPartial { try expectScreen(screen.text, named: "nested-tables") }
    // Down goes through all of them, in the order of the lines.
    screen.press("down down")
    #expect(screen.line(with: "        Fig ") != nil)
  }

  @Test("the number of linked rows has a plus if a database read only the first ones")
  func firstLinkedRows() throws {
    var screen = try Screen(columns: 120, rows: 26, query: QueryPlan("beds").with("plants"))
    #expect(screen.text.contains("⇉ 2: "), "\(screen.text)")
    var served = ServedAnswer(canGiveAll: true)
    served.cutLinks = ["beds.plants": 2]
    screen.show(StoreSnapshot(screen.store, served: served))
    #expect(screen.text.contains("⇉ 2+: "), "\(screen.text)")
    screen.press("4 g $ >")
    #expect(screen.text.contains("╰ plants 2+"), "\(screen.text)")
    #expect(screen.text.contains("first 2 plants loaded"), "\(screen.text)")
  }

  @Test(
    "in a column without a link, the user chooses among several relations",
    arguments: [false, true])
  func choice(isPartial: Bool) throws {
    var screen = try Self.twins(isPartial: isPartial)
    screen.press("4 g 0 >")
    #expect(screen.text.contains("─ Expand ─"), "\(screen.text)")
    screen.press("1 > 1")
    #expect(screen.line(with: "╰ bed 1") != nil, "\(screen.text)")
    #expect(screen.line(with: "╰ twin 1") != nil, "\(screen.text)")
    screen.press(">")
    #expect(screen.notice == .alreadyExpanded)
  }

  @Test(
    "in a column without a link, the user chooses what to expand in all rows",
    arguments: [false, true])
  func choiceForAll(isPartial: Bool) throws {
    var screen = try Self.twins(isPartial: isPartial)
    screen.press("4 g 0 *")
    #expect(screen.text.contains("─ Expand in all rows ─"), "\(screen.text)")
    screen.press("2")
    #expect(screen.count(of: "╰ bed 1") == 2, "\(screen.text)")
    screen.press("*")
    #expect(!screen.text.contains("╰ "), "\(screen.text)")
  }

  /// Fig and Ume in one bed. Ume is the twin of Fig.
  private static func twins(isPartial: Bool) throws -> Screen {
    let twins = #"""
      "links": {"twins": {"forward": {"on": "plants", "label": "twin", "has": "one"},
                          "reverse": {"on": "plants", "label": "twinOf", "has": "many"}},
      """#
    let store = try Garden.store(
      schema: Garden.schema.replacing(#""links": {"#, with: twins),
      plants: #"""
        [{"key": "fig", "name": "Fig", "bed": "south", "twin": "ume"},
         {"key": "ume", "name": "Ume", "bed": "south"}]
        """#)
    return try Screen(
      columns: 120, rows: 26, query: QueryPlan("plants").order("name"), store: store,
      isPartial: isPartial)
  }

  @Test(
    "all rows expand, also if the query must include the relation first", arguments: ["0", "$"])
  func allOfPartial(column: String) throws {
    var screen = try Self.screen(isPartial: true)
    screen.press("4 g \(column) *")
    // One plant has no bed.
    #expect(screen.count(of: "╰ bed 1") == 4, "\(screen.text)")
    screen.press("*")
    #expect(!screen.text.contains("╰ "), "\(screen.text)")
    screen.press("*")
    #expect(screen.count(of: "╰ bed 1") == 4, "\(screen.text)")
  }

  @Test("all rows expand, even if an expanded row is no longer in the results")
  func allAfterFilter() throws {
    var screen = try Self.screen()
    screen.press("4 g $ >")
    #expect(screen.count(of: "╰ bed 1") == 1, "\(screen.text)")
    screen.press("F")
    screen.type("height < 100")
    screen.press("enter")
    #expect(!screen.text.contains("╰ "), "\(screen.text)")
    screen.press("*")
    #expect(screen.count(of: "╰ bed 1") == 2, "\(screen.text)")
  }

  @Test("a tree says that it omits relations that only the table expands")
  func otherForms() throws {
    var screen = try Screen(columns: 110, rows: 30, query: QueryPlan("beds"))
    screen.press("4 $ > v")
    #expect(screen.notice == .onlyIncluded)
    screen.press("v")
    #expect(screen.notice == nil)
    var included = try Screen(columns: 110, rows: 30, query: QueryPlan("beds").with("plants"))
    included.press("4")
    if included.line(with: "╰ plants") == nil { included.press("*") }
    included.press("v")
    #expect(included.notice == nil)
  }

  @Test("rows that come into view when relations collapse widen their columns")
  func collapsed() throws {
    let plants = (1...10).map { number in
      let name = number == 10 ? "A name that is rather long" : "P\(number)"
      return #"{"key": "p\#(number)", "name": "\#(name)", "height": \#(number), "bed": "south"}"#
    }
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants").order("height").with("bed"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"))
    screen.press("4")
    if screen.line(with: "╰ bed 1") == nil { screen.press("*") }
    #expect(screen.line(with: "╰ bed 1") != nil, "\(screen.text)")
    #expect(!screen.text.contains("A name"), "\(screen.text)")
    screen.press("*")
    #expect(screen.text.contains("A name that is rather long"), "\(screen.text)")
  }

  @Test("tables of one level have the same widths and number formats, and titles once")
  func alike() throws {
    let plants = #"""
      [{"key": "p", "name": "A very long name", "height": 20430, "bed": "south"},
       {"key": "q", "name": "Q", "height": 7, "bed": "south"},
       {"key": "r", "name": "R", "height": 2035, "bed": "pond"}]
      """#
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("beds").order("area", .descending),
      store: try Garden.store(plants: plants))
    screen.press("4 $ *")
    let lines = screen.text.split(separator: "\n").map(String.init)
    func column(of text: String) throws -> Int {
      let line = try #require(lines.first { $0.contains(text) }, "\(screen.text)")
      let range = try #require(line.firstRange(of: text))
      return line.distance(from: line.startIndex, to: range.upperBound)
    }
    #expect(try column(of: "20,430") == column(of: " 2,035"))
    #expect(try column(of: "20,430") == column(of: " 7 ") - 1)
    let titles = lines.filter { $0.contains("╰ plants") }
    #expect(titles.count == 2)
    #expect(titles[0].contains("height") && !titles[1].contains("height"), "\(screen.text)")
    // At the cursor they are repeated.
    screen.press("G")
    let last = screen.text.split(separator: "\n").last { $0.contains("╰ plants") }
    #expect(last?.contains("height") == true, "\(screen.text)")
  }

  @Test("on a value, relations of the query expand first")
  func nestedFirst() throws {
    let query = QueryPlan("cities").with("nearby").limit(3)
    var screen = try Screen(columns: 120, rows: 26, query: query, store: try DemoData.store())
    screen.press("*")
    #expect(!screen.text.contains("╰ "), "\(screen.text)")
    screen.press(">")
    #expect(screen.text.contains("╰ nearby"), "\(screen.text)")
  }

  @Test("relations of the query on the command line are expanded")
  func commandLine() throws {
    let query = QueryPlan("plants").order("name").with("bed")
    let screen = try Screen(columns: 120, rows: 26, query: query)
    let heads = screen.text.split(separator: "\n").filter { $0.contains("╰ bed 1") }
    // One plant has no bed.
    #expect(heads.count == 4, "\(screen.text)")
  }

  @Test("all relations of the query expand and collapse together")
  func several() throws {
    let query = QueryPlan("countries").order("name").limit(2)
      .with("continent").with("cities") { $0.order("name").limit(3) }
    var screen = try Screen(columns: 120, rows: 30, query: query, store: try DemoData.store())
    screen.press("4 * *")
    let heads = screen.text.split(separator: "\n").filter { $0.contains("╰ ") }
    #expect(heads.count == 4, "\(screen.text)")
    #expect(heads.filter { $0.contains("╰ continent 1") }.count == 2)
    // From within one of them, only that one collapses.
    screen.press("down down <")
    #expect(screen.text.split(separator: "\n").filter { $0.contains("╰ ") }.count == 3)
    screen.press(">")
    #expect(screen.text.split(separator: "\n").filter { $0.contains("╰ ") }.count == 4)
    // The query does not include the others, so the user chooses.
    screen.press(">")
    #expect(screen.text.contains("─ Expand ─"), "\(screen.text)")
    screen.press("escape <")
    #expect(screen.text.split(separator: "\n").filter { $0.contains("╰ ") }.count == 2)
    screen.press("*")
    #expect(!screen.text.contains("╰ "), "\(screen.text)")
  }

  @Test("each level has a column of its own under the cursor")
  func columns() throws {
    var screen = try Self.screen()
    screen.press("$ > down down")
    // In the bed it stands on the name, in the plants still on the bed.
    screen.press("y c")
    #expect(screen.copied == "South wall")
    screen.press("l y c")
    #expect(screen.copied == "12.5")
    screen.press("up up h y c")
    #expect(screen.copied == "fig")
    // Back beneath, where it was.
    screen.press("down down y c")
    #expect(screen.copied == "12.5")
  }

  @Test("the palette leads to columns of the level at the cursor")
  func palette() throws {
    var screen = try Self.screen()
    screen.press("$ > down down :")
    screen.type("area")
    screen.press("enter y c")
    #expect(screen.copied == "12.5")
    screen.press("up up :")
    screen.type("height")
    screen.press("enter y c")
    #expect(screen.copied == "250")
  }

  @Test("fold collapses the relation below, or else the one around the cursor")
  func fold() throws {
    var screen = try Self.screen()
    screen.press("$ > down down $ > <")
    #expect(!screen.text.contains("╰ plants"))
    #expect(screen.text.contains("╰ bed 1"))
    screen.press("<")
    #expect(!screen.text.contains("╰ bed 1"))
    screen.press("0 y c")
    #expect(screen.copied == "Fig")
    screen.press("<")
    #expect(screen.notice == .nothingExpanded)
    // What lay beneath is not open once more with what it lay in.
    screen.press("$ >")
    #expect(screen.text.contains("╰ bed 1") && !screen.text.contains("╰ plants"))
  }

  @Test("an entity shown twice expands only once")
  func places() throws {
    var screen = try Self.screen()
    screen.press("$ > down down $ > down down $ >")
    // Fig is a row, and a plant of the bed of Fig.
    let heads = screen.text.split(separator: "\n").filter { $0.contains("╰ bed 1") }
    #expect(heads.count == 2)
    #expect(heads.first != heads.last)
  }

  @Test("a column of the only linked row groups by its path")
  func grouping() throws {
    var screen = try Self.screen()
    screen.press("$ > down down 0 #")
    #expect(
      screen.watched.last?.document.plans.first?.groups == [AttributePath(["bed", "name"])],
      "\(screen.text)")
    #expect(screen.text.contains("bed.name"), "\(screen.text)")
    screen = try Self.screen()
    screen.press("$ > down down $ > down down 0 #")
    #expect(screen.text.contains("Cannot count or group by a column of"), "\(screen.text)")
  }

  @Test("filtering and sorting in an expanded relation edit the relation")
  func compose() throws {
    var screen = try Self.screen()
    screen.press("$ > down down $ > down down l s")
    #expect(
      screen.watched.last?.document.text
        == "plants order name with bed { with plants { order height } }")
    screen.press("s")
    #expect(screen.text.contains("↓height"))
    let rows = screen.text.split(separator: "\n").map(String.init)
    let ume = try #require(rows.firstIndex { $0.contains("        梅 Ume ") })
    let fig = try #require(rows.firstIndex { $0.contains("        Fig ") })
    #expect(ume < fig)
    screen.press("f")
    #expect(screen.text.contains("Filter plants by height"))
    screen.press("> enter")
    #expect(screen.text.contains("height > ") && !screen.text.contains("        Fig "))
    screen.press("u u u")
    #expect(screen.watched.last?.document.text == "plants order name")
  }

  @Test("the title of a relation has an arrow if its first column is sorted")
  func titleOfSorted() throws {
    var screen = try Self.screen()
    screen.press("$ > down down $ > down down s")
    #expect(
      screen.watched.last?.document.text
        == "plants order name with bed { with plants { order name } }")
    #expect(screen.text.contains("╰ bed 1") && screen.text.contains("╰ ↑plants 2"))
    screen.press("s")
    #expect(screen.text.contains("╰ ↓plants 2"), "\(screen.text)")
    screen.press("s")
    #expect(screen.text.contains("╰ plants 2"), "\(screen.text)")
  }

  @Test("sorting by a link uses the target's label, also in a relation")
  func orderByLink() throws {
    var screen = try Screen(columns: 120, query: QueryPlan("plants"))
    screen.press("$ s")
    #expect(screen.watched.last?.document.text == "plants order bed.name")
    #expect(screen.text.contains("↑bed"), "\(screen.text)")
    screen.press("s")
    #expect(screen.watched.last?.document.text == "plants order bed.name desc")
    #expect(screen.text.contains("↓bed"), "\(screen.text)")
    screen.press("0 S")
    #expect(screen.watched.last?.document.text == "plants order bed.name desc, name desc")
    #expect(screen.text.contains("↓1bed") && screen.text.contains("↓2name"))
    screen.press("$ > down down $ s")
    #expect(
      screen.watched.last?.document.text
        == "plants order bed.name desc, name desc with bed { order count(plants) }")
  }

  @Test("sorting by a link without a label is explained")
  func orderByNameless() throws {
    let store = try Dataset.load([
      (
        name: "schema.json",
        bytes: Array(
          #"""
          {"entities": {"points": {"attrs": {"x": {"valueType": "number", "config": {}}}},
           "things": {"attrs": {"name": {"valueType": "string", "config": {}}}}},
           "links": {"a": {"forward": {"on": "things", "label": "at", "has": "one"},
           "reverse": {"on": "points", "label": "things", "has": "many"}}}}
          """#.utf8)
      ),
      (name: "things.json", bytes: Array(#"[{"name": "one"}]"#.utf8)),
    ])
    var screen = try Screen(columns: 120, query: QueryPlan("things"), store: store)
    screen.press("$ s")
    #expect(screen.notice?.text.hasPrefix("Cannot sort by") == true, "\(screen.text)")
  }

  @Test("values in an expanded relation can be edited")
  func edit() throws {
    var screen = try Self.screen()
    screen.press("$ > down down l e ctrl-u")
    screen.type("13.5")
    screen.press("enter")
    #expect(screen.transactions.count == 1)
    #expect(screen.text.contains("13.5"))
    screen.press("y c")
    #expect(screen.copied == "13.5")
  }

  @Test("at each level, the cursor stays on its entity while rows are added above")
  func live() throws {
    var screen = try Self.screen()
    screen.press("$ > down down $ > down down down y k")
    let ume = try #require(screen.copied)
    let apple = EntityID("00000000-0000-4000-8000-000000000077")
    let id = try #require(screen.store.schema.attribute("plants", "id"))
    let name = try #require(screen.store.schema.attribute("plants", "name"))
    try screen.transact([
      .addTriple(.id(apple), id.id, .text(apple.text)), .addTriple(.id(apple), name.id, "Apple"),
    ])
    screen.press("y k")
    #expect(screen.copied == ume)
    #expect(screen.text.contains("Apple"))
  }

  @Test("enter follows a nested link, and on the heading opens the whole relation")
  func enter() throws {
    var screen = try Self.screen()
    screen.press("$ > down down $ enter")
    #expect(screen.watched.last?.document.text.hasPrefix("plants filter bed.id = ") == true)
    screen.press("backspace")
    #expect(screen.text.contains("╰ bed 1"))
    screen.press("up enter")
    #expect(screen.watched.last?.document.text.hasPrefix("beds filter plants.id = ") == true)
  }

  @Test("expanded relations and the cursor are restored in the next session")
  func remembered() throws {
    var screen = try Self.screen()
    screen.press("$ > down down $ > down down down y k")
    let ume = try #require(screen.copied)
    screen.press("q")
    let view = try #require(screen.lastView)
    var again = try Screen(columns: 120, rows: 26, recalled: RestoredSession(view: view))
    #expect(again.text.contains("    ╰ plants 2"))
    again.press("y k")
    #expect(again.copied == ume)
  }

  @Test("a click selects the cell under the mouse")
  func click() throws {
    var screen = try Self.screen()
    screen.press("$ > ")
    let rows = screen.text.split(separator: "\n").map(String.init)
    let row = try #require(rows.firstIndex { $0.contains("│    South wall ") })
    let text = rows[row]
    let place = text.distance(
      from: text.startIndex, to: try #require(text.firstRange(of: "12.5")).lowerBound)
    screen.handle(
      .terminal(.mouse(Mouse(.press(.left, clicks: 1), row: row, column: place))))
    screen.press("y c")
    #expect(screen.copied == "12.5")
  }

  @Test("a relation shows only the fields of the query")
  func fields() throws {
    let plan = try QueryDocument(text: "plants order name with bed { fields area }").plans[0]
    var screen = try Screen(columns: 119, rows: 20, query: plan)
    screen.press("$")
    let line = try #require(screen.line(with: "╰ bed 1"))
    let head = try #require(line.split(separator: "╰").last)
    #expect(!head.contains("key") && !head.contains("plants"))
    #expect(screen.line(with: "12.5")?.contains("South wall") == false)
  }

  @Test("the deepest nesting stays within the screen", arguments: [40, 80])
  func deep(columns: Int) throws {
    var screen = try Screen(columns: columns, rows: 40, query: QueryPlan("plants").order("name"))
    for _ in 0..<16 { screen.press("$ > down down") }
    screen.press("$ >")
    #expect(screen.notice?.text.contains("the limit is 16 levels") == true)
    for line in screen.text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(TextWidth.columns(of: String(line)) <= columns)
    }
    for _ in 0..<40 { screen.press("<") }
    #expect(!screen.text.contains("╰ "))
  }
}

extension Screen {
  /// What was copied last.
  fileprivate var copied: String? {
    for case .copy(let text) in effects.reversed() { return text }
    return nil
  }

  @Test("expanding the last visible row scrolls the relation into view")
  func lowestRow() throws {
    var screen = try Screen(columns: 110, rows: 14, query: QueryPlan("plants"))
    screen.press("4 down down down $ >")
    let lines = screen.text.split(separator: "\n").map(String.init)
    let row = try #require(lines.firstIndex { $0.contains("梅 Ume") })
    #expect(lines[(row + 1)...].contains { $0.contains("12.5") }, "\(screen.text)")
  }

  @Test("a long query begins with its namespace and shows how many lines it has")
  func longQuery() throws {
    let words = (1...9).map { "name != \"nobody \($0)\"" }.joined(separator: " and ")
    var screen = try Screen(columns: 100, rows: 24, query: QueryPlan("plants"))
    screen.press("Q ctrl-u")
    screen.type("plants filter \(words) order height limit 3 with bed")
    screen.press("enter")
    let lines = (1...5).map { screen.row($0) }.joined(separator: "\n")
    for part in [" 8 lines ", "│ plants ", "  filter name != \"nobody 1\"", "█"] {
      #expect(lines.contains(part), "\(part) in \(lines)")
    }
    screen.press("3 G")
    let last = (2...5).map { screen.row($0) }.joined(separator: "\n")
    for part in ["  order height", "  limit 3", "  with bed"] {
      #expect(last.contains(part), "\(part) in \(last)")
    }
  }
}
