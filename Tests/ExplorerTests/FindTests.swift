import DataSources
import Explorer
import InstaQL
import Notebooks
import TerminalUI
import Testing
import Triples

@Suite("Search")
struct FindTests {
  @Test("the cursor moves to the match, n and N continue, escape returns")
  func results() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("/")
    screen.type("pond")
    expectBlock(
      """
      ╭─ Find ─────────────────────────────────────────────────── match 1 of 2, in bed ─╮
      │ pond                                                                            │
      │                                                                                 │
      ├─ [4] Results ────────────────────────────────────────────────────── row 2 of 5 ─┤
      │ name          height  edible  sown        note  key   bed                       │
      │ Fig              250  true    2019-04-01  ·     fig   South wall →              │
      │ Iris              80  false   2022-03-15  ·     iris  By the pond →             │
      """, in: screen.text)
    #expect(screen.workspace.view().rows(on: .matchCurrent) == ["pond"])
    #expect(screen.workspace.view().rows(on: .match).isEmpty)
    screen.press("enter")
    #expect(screen.workspace.view().rows(on: .matchCurrent) == ["pond"])
    #expect(screen.workspace.view().rows(on: .match) == ["pond"])
    screen.press("y y")
    #expect(screen.effects.last == .copy("Iris"))
    screen.press("n y y")
    #expect(screen.effects.last == .copy("Mint"))
    screen.press("N y y")
    #expect(screen.effects.last == .copy("Iris"))
    screen.press("g /")
    screen.type("odd")
    screen.press("escape y y")
    #expect(screen.effects.last == .copy("Fig"))
  }

  @Test(
    "the letters of all matches in a cell are highlighted, also wide ones",
    arguments: [("Banana", "AN", ["anan"]), ("梅 Ume 梅", "梅", ["梅梅"]), ("x梅", "x梅", ["x梅"])])
  func letters(name: String, typed: String, found: [String]) throws {
    let plants = #"[{"key": "1", "name": "\#(name)"}, {"key": "2", "name": "z"}]"#
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants"), store: try Garden.store(plants: plants))
    screen.press("4 /")
    screen.type(typed)
    let frame = screen.workspace.view()
    let rows = (0..<frame.size.rows).map { row in
      (0..<frame.size.columns).map { frame.cell(row: row, column: $0) }
        .filter { $0.paint.ground == .matchCurrent && !$0.isSecondHalf }
        .map { String($0.scalar) }.joined()
    }
    #expect(rows.filter { !$0.isEmpty } == found, "\(screen.text)")
  }

  @Test("all columns are searched, wherever the column of the cursor is", arguments: ["0", "$"])
  func allColumns(key: String) throws {
    let plants = try Dataset.load([
      (
        name: "plants.json",
        bytes: Array(
          #"""
          [{"name": "Aster", "friend": "Borage", "note": "blue"},
           {"name": "Borage", "friend": "Aster", "note": "Borage"},
           {"name": "Borage II", "friend": "Cress", "note": "-"}]
          """#.utf8)
      )
    ])
    let query = QueryPlan("plants").fields(["name", "friend", "note"])
    var screen = try Screen(columns: 110, rows: 20, query: query, store: plants)
    screen.press("4 g \(key) /")
    screen.type("borage")
    #expect(screen.text.contains("match 1 of 3, in friend"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.notice == .match(MatchPlace(number: 1, count: 3, column: "friend")))
    for number in [2, 3, 1] {
      screen.press("n")
      // The first column, which is always visible, is not named.
      let column = number == 1 ? "friend" : nil
      #expect(screen.notice == .match(MatchPlace(number: number, count: 3, column: column)))
      #expect(screen.text.contains("row \(number) of 3"), "\(screen.text)")
    }
    screen.press("/")
    screen.type("cress")
    #expect(screen.text.contains("match 1 of 1, in friend"))
    #expect(screen.text.contains("row 3 of 3"))
    screen.press("enter n")
    #expect(screen.notice == .noOtherMatch("cress"))
    // A cell and the next one do not match together.
    screen.press("/")
    screen.type("aster borage")
    #expect(screen.text.contains("No match for “aster borage”"))
  }

  @Test("a match in a hidden column scrolls there, and escape returns")
  func column() throws {
    var screen = try Screen(columns: 44, rows: 20, query: QueryPlan("plants"))
    #expect(!screen.text.contains("By the pond"))
    screen.press("/")
    screen.type("pond")
    #expect(screen.text.contains("By the pond"), "\(screen.text)")
    #expect(screen.text.contains("match 1 of 2, in bed"), "\(screen.text)")
    screen.press("escape")
    #expect(!screen.text.contains("By the pond"))
    screen.press("y c")
    #expect(screen.effects.last == .copy("Fig"))
    screen.press("/")
    screen.type("pond")
    screen.press("enter")
    #expect(screen.text.contains("By the pond"))
  }

  @Test("a visible match keeps the column")
  func columnInSight() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l /")
    screen.type("mint")
    screen.press("enter y c")
    #expect(screen.effects.last == .copy("40"))
  }

  @Test("namespaces and schema can be searched, too")
  func namespaces() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("2 /")
    screen.type("bed")
    screen.press("enter enter")
    #expect(screen.text.contains("South wall"))
  }

  @Test("matches are highlighted only in their pane")
  func ownPane() throws {
    var screen = try Screen(columns: 130, rows: 20, query: QueryPlan("plants"))
    let marks: Set<Role> = [.match, .matchCurrent]
    screen.press("4 c /")
    screen.type("name")
    screen.press("enter")
    #expect(!screen.workspace.view().grounds.isDisjoint(with: marks))
    screen.press("escape enter")
    #expect(screen.hears("Record"))
    #expect(screen.workspace.view().grounds.isDisjoint(with: marks), "\(screen.text)")
    screen.press("n")
    #expect(!screen.workspace.view().grounds.isDisjoint(with: marks))
    // In the results, the search starts only on request.
    screen.press("escape")
    #expect(screen.workspace.view().grounds.isDisjoint(with: marks))
  }

  @Test("a search without a match reports it")
  func nowhere() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("n")
    #expect(screen.notice == .noSearch)
    screen.press("/")
    screen.type("zzz")
    #expect(screen.text.contains("No match for “zzz”"))
    screen.press("enter n")
    #expect(screen.notice == .notFound("zzz"))
  }
}

@Suite("Values of a column")
struct FacetsTests {
  @Test("shows values with bars, and enter filters by one")
  func bars() throws {
    var screen = try Screen(columns: 150, rows: 16, query: QueryPlan("plants"))
    screen.press("l l z")
    try expectScreen(screen.text, named: "facets")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter edible = true")
  }

  @Test("a count has no rows to sort or count")
  func ofCount() throws {
    var screen = try Screen(columns: 100, rows: 16, query: QueryPlan("plants").count())
    #expect(!screen.row(15).contains("s order"), "\(screen.text)")
    for key in ["z", "s", "S"] {
      screen.press(key)
      #expect(screen.notice == .countHasNoRows, "\(screen.text)")
      #expect(screen.watched.last?.document.text == "plants count")
    }
  }

  @Test("many numbers are grouped into ranges that can filter")
  func histogram() throws {
    let plants = (0..<60).map { #"{"key": "k\#($0)", "name": "P\#($0)", "height": \#($0 * $0)}"# }
    var screen = try Screen(
      columns: 150, rows: 18, query: QueryPlan("plants"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"))
    screen.press("l z")
    expectBlock(
      """
      ╭─ [6] Values of height ───────────── 60 distinct · 60 rows ─╮
      │ 0 – 500                    23  38% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 500 – 1000                  9  15% ▆▆▆▆▆▆▆▆                │
      │ 1000 – 1500                 7  12% ▆▆▆▆▆▆                  │
      │ 1500 – 2000                 6  10% ▆▆▆▆▆                   │
      │ 2000 – 2500                 5   8% ▆▆▆▆                    │
      │ 2500 – 3000                 5   8% ▆▆▆▆                    │
      │ 3000 – 3500                 5   8% ▆▆▆▆                    │
      """, in: screen.text)
    screen.press("down enter")
    #expect(screen.text.contains("height >= 500 and height < 1000"))
    #expect(screen.text.contains("─ row 1 of 9 ─"))
  }

  @Test("times within a day filter with their time")
  func moments() throws {
    let plants = (0..<24).map { hour in
      #"{"key": "k\#(hour)", "sown": "2024-02-29T\#(hour < 10 ? "0" : "")\#(hour):30:00Z"}"#
    }
    var screen = try Screen(
      columns: 150, rows: 30, query: QueryPlan("plants"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"))
    screen.press("l l l z")
    screen.press("G enter")
    #expect(
      screen.watched.last?.document.text
        == #"plants filter sown >= "2024-02-29T18:00:00Z" and sown < "2024-03-01""#)
    #expect(try #require(screen.line(with: "─ [4] Results")).contains(" of 6 "))
  }

  @Test("ranges too wide for the pane use thousands, millions and billions")
  func wideRanges() throws {
    let plants = (0..<15).map { #"{"key": "k\#($0)", "height": \#($0 * 100_000_000)}"# }
    var screen = try Screen(
      columns: 80, rows: 24, query: QueryPlan("plants"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"))
    screen.press("l z")
    for range in ["0 – 0.2 G", "0.8 G – 1 G", "1 G – 1.2 G", "1.2 G – 1.4 G"] {
      #expect(screen.text.contains("│ \(range) "), "\(screen.text)")
    }
  }

  @Test("equally frequent values are sorted by text")
  func equallyFrequent() throws {
    let names = ["Dune 20", "Dune", "Dune 10", "A, \\\"x\\\" 16", "A, \\\"x\\\""]
    let plants = names.enumerated().map { #"{"key": "k\#($0)", "name": "\#($1)"}"# }
    var screen = try Screen(
      columns: 150, rows: 30, query: QueryPlan("plants"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"))
    screen.press("z")
    let bars = screen.text.split(separator: "\n").compactMap { line in
      line.split(separator: "│").last.map { String($0) }
    }.filter { $0.contains("▆") }
    let shown = bars.map {
      $0.prefix { $0 != "▆" }.split(separator: " ").dropLast(2).joined(separator: " ")
    }
    #expect(shown == [#"A, "x""#, #"A, "x" 16"#, "Dune", "Dune 10", "Dune 20"], "\(screen.text)")
  }

  /// Returns a store of plants sown over ten years, each a little taller than the one before.
  private static func sown() throws -> TripleStore {
    let plants = (0..<200).map { place in
      let (year, month) = (2015 + place / 20, 1 + place * 7 % 12)
      let date = place % 40 == 39 ? "null" : "\"\(year)-\(month < 10 ? "0" : "")\(month)-15\""
      return
        #"{"key": "k\#(place)", "name": "P\#(place)", "height": \#(place).5, "sown": \#(date)}"#
    }
    return try Garden.store(plants: "[" + plants.joined(separator: ",") + "]")
  }

  @Test("dates are shown over time and as ranges, missing ones separately")
  func dates() throws {
    var screen = try Screen(
      columns: 150, rows: 30, query: QueryPlan("plants"), store: try Self.sown())
    screen.press("l l l z")
    expectBlock(
      """
      ╭─ [6] Values of sown ───────────── 120 distinct · 200 rows ─╮
      │ rows by sown                               highest count 6 │
      │ █    ▃   ▃   ▃▃  ▃   ▅  ▃  ▃      ▃▃  ▃▃▃   ▃   ▃▃  ▃    ▅ │
      │ ███████████▅██████████████████████████████████▅███████████ │
      │ 2015-01-15                                      2024-12-15 │
      │────────────────────────────────────────────────────────────│
      │ 2015                       20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 2016                       19  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆    │
      │ 2017                       20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 2018                       19  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆    │
      │ 2019                       20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 2020                       19  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆    │
      │ 2021                       20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 2022                       19  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆    │
      │ 2023                       20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 2024                       19  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆    │
      │ ∅                           5   3% ▆▆▆▆▆                   │
      """, in: screen.text)
    screen.press("down enter")
    #expect(try #require(screen.line(with: "─ [4] Results")).contains(" of 19 "))
    let asked = try #require(screen.watched.last?.document)
    #expect(
      asked.text == #"plants filter sown >= "2016-01-01" and sown < "2017-01-01""#)
    #expect(try QueryDocument(text: asked.text, schema: screen.store.schema) == asked)
  }

  @Test("numbers are also shown over time")
  func numbersOverTime() throws {
    var screen = try Screen(
      columns: 150, rows: 30, query: QueryPlan("plants"), store: try Self.sown())
    screen.press("l z")
    expectBlock(
      """
      ╭─ [6] Values of height ─────────── 200 distinct · 200 rows ─╮
      │ mean height by sown                    highest mean 192.17 │
      │                              ▁▁▁▁▁▁▃▃▃▃▃▄▅▄▄▄▄▅▆▆▆▆▆▇█████ │
      │ ▁▁▁▁▁▁▂▂▂▂▂▃▄▄▄▄▄▄▅▅▆▅▅▇▇▇▇▇▇█████████████████████████████ │
      │ 2015-01-15                                      2024-12-15 │
      │────────────────────────────────────────────────────────────│
      │ 0 – 20                     20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 20 – 40                    20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 40 – 60                    20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 60 – 80                    20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 80 – 100                   20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 100 – 120                  20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 120 – 140                  20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 140 – 160                  20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 160 – 180                  20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      │ 180 – 200                  20  10% ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆  │
      """, in: screen.text)
  }

  @Test(
    "extreme numbers can be grouped",
    arguments: [
      "[1e300, -1e300, 0]", "[1, 1.0000000000000002]", "[0.1, 0.2, 0.30000000000000004]",
      "[9007199254740993, 9007199254740992]", "[-5e-324, 5e-324]", "[1e15, 1e15, 3]",
    ])
  func extremes(numbers: String) throws {
    let few = numbers.dropFirst().dropLast().split(separator: ", ")
    let all = few + (0..<20).map { "\($0 * 3)" }
    let plants = all.enumerated().map { #"{"key": "k\#($0)", "height": \#($1)}"# }
    var screen = try Screen(
      columns: 150, rows: 20, query: QueryPlan("plants"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"))
    screen.press("l z enter")
    #expect(screen.text.contains("plants"))
  }

  @Test("links are counted by groups", arguments: ["$ z", "$ #", "$ : v a l u e s enter"])
  func link(keys: String) throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press(keys)
    #expect(screen.watched.last?.document.text == "plants group bed order count desc")
    #expect(screen.notice == .grouped(by: "bed"))
    #expect(screen.line(with: "South wall") != nil && screen.line(with: "By the pond") != nil)
  }

  @Test("computed columns are counted by groups", arguments: ["z", "#"])
  func computed(key: String) throws {
    let plan = try QueryPlan("plants").fields(["name"]).computing("height * 2", as: "double")
    var screen = try Screen(columns: 110, query: plan)
    screen.press("$ " + key)
    #expect(screen.watched.last?.document.text == "plants group height * 2 order count desc")
  }
}

@Suite("Saved queries")
struct SavedPaneTests {
  private static let moment = WallClock.Instant(sinceEpoch: .zero)

  @Test("a query is saved under a name")
  func saving() throws {
    var screen = try Screen(query: QueryPlan("plants").limit(2))
    screen.press("b enter")
    #expect(screen.text.contains("Enter a name"))
    screen.type("two")
    screen.press("enter")
    #expect(screen.effects.last == .save(.savedQuery(name: "two", text: "plants limit 2")))
  }

  @Test(
    "a prompt in place of the query does not show its notation",
    arguments: [
      ("b", "─ Save the query as ─"), ("L", "─ Limit ─"), ("O", "─ Sort ─"), ("Q", "─ Query ─"),
      ("/", "─ Find ─"),
    ])
  func notation(key: String, title: String) throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press("4 i")
    #expect(screen.text.contains("InstaQL ─╮"), "\(screen.text)")
    screen.press(key)
    #expect(screen.line(with: title)?.contains("InstaQL") == false, "\(screen.text)")
    screen.press("escape")
    #expect(screen.text.contains("InstaQL ─╮"), "\(screen.text)")
  }

  @Test("a saved query keeps days such as today as they were typed", arguments: ["Q", "F"])
  func days(key: String) throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press(key + " ctrl-u")
    screen.type((key == "Q" ? "plants filter " : "") + "sown < today")
    screen.press("enter b")
    screen.type("old")
    screen.press("enter")
    #expect(
      screen.effects.last == .save(.savedQuery(name: "old", text: "plants filter sown < today")))
  }

  @Test(
    "the query pane and the prompts show days and searches as they were typed",
    arguments: ["sown in last 7 days", "search \"zin\""])
  func typedWords(_ condition: String) throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press("F ctrl-u")
    screen.type(condition)
    screen.press("enter")
    let query = condition.hasPrefix("search") ? "plants \(condition)" : "plants filter \(condition)"
    #expect(screen.text.contains(query), "\(screen.text)")
    screen.press("F")
    #expect(screen.text.contains(condition), "\(screen.text)")
    #expect(!screen.text.contains("ilike") && !screen.text.contains("sown >="), "\(screen.text)")
    screen.press("escape Q")
    #expect(screen.text.contains(query), "\(screen.text)")
  }

  @Test("a saved query with days such as today keeps them when it is opened and saved again")
  func openedDays() throws {
    var screen = try Screen(columns: 110, rows: 16, query: QueryPlan("plants"))
    screen.press("B")
    let text = "plants filter sown in last 7 days"
    screen.respond(
      .savedQueries([SavedQuery(name: "new", store: "garden", text: text)], history: []))
    screen.press("enter b")
    screen.type("again")
    screen.press("enter")
    #expect(screen.effects.last == .save(.savedQuery(name: "again", text: text)))
  }

  @Test("saved and recent queries are listed, and enter runs them")
  func recalling() throws {
    var screen = try Screen(columns: 110, rows: 16, query: QueryPlan("beds"))
    screen.press("B")
    #expect(screen.requests.last?.request == .savedQueries)
    let kept = SavedQuery(name: "two", store: "garden", text: "plants limit 2")
    screen.respond(
      .savedQueries(
        [kept],
        history: [
          HistoryEntry(store: "garden", text: "plants order height desc", when: Self.moment),
          HistoryEntry(store: "garden", text: "no such thing", when: Self.moment),
        ]))
    expectBlock(
      """
      ╭─ Saved queries and history ──────────────────────────────── 1 saved · 2 recent ─╮
      │ two       plants limit 2                                                        │
      │ (recent)  plants order height desc                                              │
      │           no such thing                                                         │
      │                                                                                 │
      """, in: screen.text)
    screen.press("G enter")
    #expect(screen.row(15).contains("no"))
    screen.press("up enter")
    #expect(screen.watched.last?.document.text == "plants order height desc")
    screen.press("backspace")
    #expect(screen.text.contains("Saved queries"))
    screen.press("g d")
    #expect(screen.text.contains("Delete the saved query “two”?"))
    screen.press("n d d")
    #expect(screen.effects.filter { $0 == .save(.deletedQuery(kept)) }.count == 1)
    screen.respond(.savedQueries([], history: []))
    screen.press("U")
    #expect(screen.effects.contains(.save(.restoredQuery(kept))))
  }

  @Test("a saved query of the current namespace edits the query and adds no history")
  func askingAgain() throws {
    var screen = try Screen(columns: 90, rows: 16, query: QueryPlan("plants").limit(1))
    screen.saved = [SavedQuery(name: "two", store: "garden", text: "plants limit 2")]
    screen.press("B enter")
    #expect(screen.watched.last?.document.text == "plants limit 2")
    #expect(screen.row(0).contains("garden › plants ") && screen.hears("Results"))
    screen.press("B enter")
    #expect(screen.notice == .queryAlreadyShown, "\(screen.text)")
    screen.press("escape escape u")
    #expect(screen.watched.last?.document.text == "plants limit 1")
  }

  @Test("a query too long for its line shows both ends")
  func longQueries() throws {
    var screen = try Screen(columns: 53, rows: 16, query: QueryPlan("beds"))
    screen.press("B")
    let asked = ["Fig", "梅 Ume"].map {
      HistoryEntry(
        store: "garden",
        text: "plants filter height > 1000000 and edible = true and name = \"\($0)\"",
        when: Self.moment)
    }
    screen.respond(.savedQueries([], history: asked))
    for end in ["\"Fig\"", "\"梅 Ume\""] {
      let line = try #require(screen.line(with: end), "\(screen.text)")
      #expect(line.contains("plants filter") && line.contains("…"))
    }
  }

  @Test("similar queries show where they differ")
  func alikeQueries() throws {
    var screen = try Screen(columns: 80, rows: 24, query: QueryPlan("beds"))
    screen.press("B")
    let asked = [1_000_000, 2_000_000].map {
      HistoryEntry(
        store: "garden",
        text: "plants filter edible = true and note = \"a note\" and height > \($0) and "
          + "name = \"Fig\" and bed.name = \"South wall\"",
        when: Self.moment)
    }
    screen.respond(.savedQueries([], history: asked))
    for part in ["height > 1000000", "height > 2000000"] {
      let line = try #require(screen.line(with: part), "\(screen.text)")
      #expect(line.contains("plants filter"))
    }
  }

  @Test("the whole query under the cursor is shown below")
  func wholeQuery() throws {
    let text =
      "plants filter edible = true and note = \"a note\" and height > 1000000 and name = \"Fig\""
    let entry = HistoryEntry(store: "garden", text: text, when: Self.moment)
    for (rows, isTold) in [(24, true), (14, false)] {
      var screen = try Screen(columns: 80, rows: rows, query: QueryPlan("beds"))
      screen.press("B")
      screen.respond(.savedQueries([], history: [entry]))
      #expect(screen.text.contains("a note") == isTold, "\(screen.text)")
    }
  }

  @Test("the query plan is shown in lines")
  func explaining() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.isSlow = true
    screen.press("x")
    screen.respond(
      .explanation([TextLine("all plants  by namespace"), TextLine("5 of 5 in 10 µs")]))
    #expect(screen.text.contains("by namespace"))
    screen.press("y")
    #expect(screen.effects.last == .copy("all plants  by namespace\n5 of 5 in 10 µs"))
  }
}

extension Frame {
  /// All backgrounds on the screen.
  fileprivate var grounds: Set<Role> {
    var grounds: Set<Role> = []
    for row in 0..<size.rows {
      for column in 0..<size.columns { grounds.insert(cell(row: row, column: column).paint.ground) }
    }
    return grounds
  }
}
