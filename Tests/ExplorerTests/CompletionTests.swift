import Explorer
import InstaQL
import Testing
import TerminalUI
import Triples

@Suite("Completion")
struct CompletionTests {
  @Test("a filter offers attributes, then operators, then known values")
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

  @Test("numbers of rows are right-aligned")
  func counts() throws {
    let rows = (1...13).map { #"{"key": "k\#($0)", "name": "\#($0 == 13 ? "Iris" : "Fig")"}"# }
    var screen = try Screen(
      columns: 100, rows: 24, query: QueryPlan("plants"),
      store: Garden.store(plants: "[" + rows.joined(separator: ",") + "]"))
    screen.press("F")
    screen.type("name = ")
    #expect(screen.text.contains(#""Fig"   12 rows"#), "\(screen.text)")
    #expect(screen.text.contains(#""Iris"   1 row"#), "\(screen.text)")
  }

  @Test("typed text is colored by kind, errors as errors")
  func colors() throws {
    var screen = try Screen(columns: 100, query: QueryPlan("plants"))
    screen.press("F ctrl-u")
    screen.type("height >= 12 and bed.name = \"é x\" or nonsense = 1")
    let frame = screen.workspace.view()
    let row = try #require((0..<24).first { frame.text(row: $0).contains("height >= 12") })
    let line = frame.text(row: row)
    // A namespace next to the prompt has the same beginning as a link.
    let typed = try #require(line.firstRange(of: "height >= 12")).lowerBound..<line.endIndex
    func role(of word: String) -> Role? {
      line[typed].firstRange(of: word).map { range in
        frame.cell(row: row, column: line.distance(from: line.startIndex, to: range.lowerBound))
          .paint.ink
      }
    }
    for (word, expected) in [
      ("height", Role.attribute), (">=", .operator), ("12", .number), ("and", .keyword),
      ("bed", .link), ("\"é", .string), ("x\"", .string), ("or", .keyword), ("nonsense", .invalid),
    ] {
      #expect(role(of: word) == expected, "\(word)")
    }
    // What is still being typed is no mistake yet.
    screen.press("ctrl-u")
    screen.type("heig")
    #expect(screen.workspace.view().cell(row: row, column: 28).paint.ink != .invalid)
  }

  @Test("values with the typed prefix come before those that contain it")
  func beginnings() throws {
    let names = ["Côte Frêche", "Central Fruit", "Frisée", "Fig"]
    let plants = names.map { #"{"key": "\#($0)", "name": "\#($0)"}"# }.joined(separator: ",")
    var screen = try Screen(
      query: QueryPlan("plants"), store: try Garden.store(plants: "[\(plants)]"))
    screen.press("F")
    screen.type("name = \"Fr")
    screen.press("tab enter")
    #expect(screen.watched.last?.document.text == #"plants filter name = "Frisée""#)
  }

  @Test("values without quotes may have several words")
  func unquoted() throws {
    let names = ["West Wall", "West Wing", "Westfall", "North Wing"]
    let plants = names.map { #"{"key": "\#($0)", "name": "\#($0)"}"# }.joined(separator: ",")
    var screen = try Screen(
      columns: 100, query: QueryPlan("plants"), store: try Garden.store(plants: "[\(plants)]"))
    func isListed(_ name: String) -> Bool { screen.text.contains("│ \"\(name)\" ") }
    screen.press("F")
    screen.type("name =West")
    #expect(names.filter(isListed) == ["West Wall", "West Wing", "Westfall"], "\(screen.text)")
    screen.type(" ")
    #expect(names.filter(isListed) == ["West Wall", "West Wing"], "\(screen.text)")
    screen.type("wi")
    #expect(names.filter(isListed) == ["West Wing"], "\(screen.text)")
    screen.press("tab")
    screen.type(" or name = north w")
    screen.press("tab enter")
    #expect(
      screen.watched.last?.document.text
        == #"plants filter name = "West Wing" or name = "North Wing""#, "\(screen.text)")
    // Without such a value, the error is shown.
    screen.press("F ctrl-u")
    screen.type("name = west x")
    #expect(screen.text.contains("expected a value, but found 'west'"), "\(screen.text)")
  }

  @Test("enter applies the line unless a completion is selected")
  func enterApplies() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("F")
    screen.type("height > 1")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter height > 1")
  }

  @Test(
    "enter also accepts the only completion that makes the line valid",
    arguments: [
      ("F", "name = west w", #"plants filter name = "West Wing""#),
      ("F", "name = WEST", #"plants filter name = "West""#),
      ("F", #"height = 1 or name = "north"#, #"plants filter height = 1 or name = "North Wing""#),
      ("Q ctrl-u", "bed", "beds"), ("O", "hei", "plants order height"),
      // A valid line stays as it is.
      ("F", #"name != "west""#, #"plants filter name != "west""#),
    ])
  func enterRepairs(way: String, typed: String, query: String) throws {
    var screen = try Screen(query: QueryPlan("plants"), store: try Self.walls())
    screen.press(way)
    screen.type(typed)
    screen.press("enter")
    #expect(screen.watched.last?.document.text == query, "\(screen.text)")
  }

  @Test(
    "enter accepts no completion where several fit, none does, or no word is begun",
    arguments: [("F", "nax"), ("F", "height = 1 and "), ("O", "name, ")])
  func enterDoesNotGuess(way: String, typed: String) throws {
    var screen = try Screen(columns: 100, query: QueryPlan("plants"), store: try Self.walls())
    screen.press(way)
    screen.type(typed)
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants", "\(screen.text)")
    #expect(screen.text.contains("expected"), "\(screen.text)")
  }

  @Test("of values that are not all listed, enter accepts only one that was typed in another case")
  func enterKnowsNotAll() throws {
    let names = ["West Wing"] + (1...1_000).map { "Plant \($0)" }
    let plants = names.map { #"{"key": "\#($0)", "name": "\#($0)"}"# }.joined(separator: ",")
    var screen = try Screen(
      columns: 100, query: QueryPlan("plants"), store: try Garden.store(plants: "[\(plants)]"))
    screen.press("F")
    screen.type("name = west")
    #expect(screen.text.contains(#"│ "West Wing" "#), "\(screen.text)")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants", "\(screen.text)")
    screen.press("ctrl-u")
    screen.type("name = WEST WING")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text == #"plants filter name = "West Wing""#, "\(screen.text)")
  }

  @Test(
    "if several values fit, enter says how to go on, and the list stays open",
    arguments: [
      ("name = wes", #""wes""#), ("name = \"wes", #""wes""#), ("name wes", #"= "wes""#),
      ("height = 1 or name = wes", #""wes""#), ("name in (wes", #""wes""#),
    ])
  func enterAdvises(typed: String, quoted: String) throws {
    var screen = try Screen(columns: 120, query: QueryPlan("plants"), store: try Self.walls())
    screen.press("F")
    screen.type(typed)
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants", "\(screen.text)")
    let advice = "Choose a suggestion (tab, ↓), or put the text in quotes: \(quoted)."
    #expect(screen.text.contains(advice), "\(screen.text)")
    #expect(screen.text.contains("\"West Wing\"  1 row"), "\(screen.text)")
    // The list is used as before, and its choice removes the advice.
    screen.press("down enter")
    #expect(screen.row(2).contains("\"West Wing\""), "\(screen.text)")
    #expect(!screen.text.contains("Choose a suggestion"), "\(screen.text)")
  }

  @Test(
    "enter does not complete a pattern, which tab does",
    arguments: ["like", "ilike", "matches", "contains", "begins", "ends"])
  func pattern(comparison: String) throws {
    for typed in ["north", "\"north"] {
      var screen = try Screen(columns: 120, query: QueryPlan("plants"), store: try Self.walls())
      screen.press("F")
      screen.type("name \(comparison) \(typed)")
      screen.press("enter")
      #expect(screen.watched.last?.document.text == "plants", "\(screen.text)")
      #expect(screen.text.contains("or put the text in quotes: \"north\"."), "\(screen.text)")
      screen.press("tab")
      #expect(screen.text.contains("name \(comparison) \"North Wing\""), "\(screen.text)")
    }
  }

  @Test("the hints name what tab takes if there is space, and down if there are others")
  func hintOfTab() throws {
    var screen = try Screen(columns: 120, query: QueryPlan("plants"), store: try Self.walls())
    screen.press("F")
    screen.type("name = wes")
    #expect(screen.row(23).contains("  tab \"West Wing\"  down others"), "\(screen.text)")
    screen.press("down down")
    #expect(screen.row(23).contains("  tab \"West\"  down others"), "\(screen.text)")
    screen.press("ctrl-u")
    screen.type("name = north")
    #expect(screen.row(23).hasSuffix("  tab \"North Wing\""), "\(screen.text)")
    screen = try Screen(columns: 76, query: QueryPlan("plants"), store: try Self.walls())
    screen.press("F")
    screen.type("name = north")
    #expect(screen.row(23).hasSuffix("  tab accept"), "\(screen.text)")
  }

  @Test("enter accepts the only completion, and the line stays open if more must follow")
  func enterContinues() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("F")
    screen.type("nam")
    screen.press("enter")
    screen.type(" = fig")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == #"plants filter name = "Fig""#)
  }

  private static func walls() throws -> TripleStore {
    let names = ["West", "West Wing", "Westfall", "North Wing"]
    let plants = names.map { #"{"key": "\#($0)", "name": "\#($0)"}"# }.joined(separator: ",")
    return try Garden.store(plants: "[\(plants)]")
  }

  @Test("the words for days precede the values of a date field")
  func days() throws {
    var screen = try Screen(columns: 100, query: QueryPlan("plants"))
    screen.press("F")
    screen.type("sown > ")
    #expect(screen.text.contains(#""2019-04-01""#), "\(screen.text)")
    screen.press("down down enter")
    #expect(screen.text.contains("sown > yesterday"), "\(screen.text)")
  }

  @Test("after a dot, the keys of JSON objects are offered, the most frequent ones first")
  func keys() throws {
    let plants = #"""
      [{"key": "a", "name": "A", "care": {"water": 2, "light": {"hours": 6}, "of.two": 1}},
       {"key": "b", "name": "B", "care": {"light": {"hours": 8, "shade": true}, "soil type": "x"}},
       {"key": "c", "name": "C", "care": "none"}]
      """#
    var screen = try Screen(
      columns: 100, query: QueryPlan("plants"), store: try Garden.store(plants: plants))
    screen.press("F")
    screen.type("care.")
    let lines = screen.text.split(separator: "\n")
    let places = ["light", "water", "`soil type`"].map { key in
      lines.firstIndex { $0.contains("│ \(key) ") }
    }
    let found = places.compactMap { $0 }
    #expect(found.count == 3 && found == found.sorted(), "\(screen.text)")
    #expect(!screen.text.contains("of.two"), "\(screen.text)")
    screen.press("tab")
    screen.type(".ho")
    screen.press("tab")
    screen.type(" > 6")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter care.light.hours > 6")
  }

  @Test("a link that is compared with a string offers the unique names of its targets")
  func names() throws {
    let schema = Garden.schema.replacing(
      #""beds": {"key": "key", "label": "name""#, with: #""beds": {"key": "key", "label": "key""#)
    var screen = try Screen(
      columns: 100, query: QueryPlan("plants"), store: try Garden.store(schema: schema))
    screen.press("F")
    screen.type("bed = \"so")
    screen.press("tab enter")
    #expect(screen.watched.last?.document.text == #"plants filter bed.key = "south""#)
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

  @Test("an accepted keyword ends with a space, and an accepted name does not")
  func keywords() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("Q")
    screen.type("ord")
    screen.press("tab")
    screen.type("hei")
    screen.press("tab")
    screen.type(", na")
    screen.press("tab enter")
    #expect(screen.watched.last?.document.text == "plants order height, name")
    screen.press("F")
    screen.type("height bet")
    screen.press("tab")
    screen.type("1 an")
    screen.press("tab")
    screen.type("99 an")
    screen.press("tab")
    screen.type("edible = true")
    screen.press("enter")
    let condition = "(height >= 1 and height <= 99) and edible = true"
    #expect(
      screen.watched.last?.document.text == "plants filter \(condition) order height, name",
      "\(screen.text)")
  }

  @Test("an accepted aggregate ends with a space, and another one does no harm")
  func aggregate() throws {
    for typed in ["hei", " hei"] {
      var screen = try Screen(query: QueryPlan("plants"))
      screen.press("Q")
      screen.type(" aggregate su")
      screen.press("tab")
      screen.type(typed)
      screen.press("tab enter")
      #expect(screen.watched.last?.document.text == "plants aggregate sum(height)")
    }
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("Q")
    screen.type(" aggregate cou")
    screen.press("tab")
    screen.type(", max height")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants aggregate count(), max(height)")
  }

  @Test("after limit, the line says that a number follows")
  func number() throws {
    var screen = try Screen(columns: 100, query: QueryPlan("plants"))
    screen.press("Q")
    screen.type(" limit ")
    #expect(screen.text.contains("type a whole number of at least 1"), "\(screen.text)")
    screen.press("tab enter")
    #expect(screen.watched.last?.document.text == "plants")
    screen.type("4")
    #expect(!screen.text.contains("type a whole number"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants limit 4")
  }

  @Test("escape closes the list first, then the line")
  func escape() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("F")
    screen.type("h")
    screen.press("down escape")
    screen.type("eight = 80")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter height = 80")
  }

  @Test("escape closes the list without a choice, too, and then keeps the typed text for up")
  func escapeKeepsText() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("Q")
    screen.type("order na")
    #expect(screen.text.contains("choose a suggestion"), "\(screen.text)")
    screen.press("escape")
    #expect(!screen.text.contains("choose a suggestion"), "\(screen.text)")
    #expect(screen.text.contains("plants order na"), "\(screen.text)")
    screen.press("escape")
    #expect(screen.notice == .notApplied(.queryText))
    #expect(!screen.text.contains("order na"))
    screen.press("Q up")
    #expect(screen.text.contains("plants order na"), "\(screen.text)")
    // Nothing was typed.
    screen.press("escape Q escape")
    #expect(screen.notice == nil)
  }

  @Test("the list stands still while blanks are typed")
  func blanks() throws {
    var screen = try Screen(columns: 120, rows: 30, query: QueryPlan("plants"))
    screen.press("Q ctrl-u")
    screen.type("plants ")
    let note = "filter by a condition"
    let place = try #require(screen.place(of: note))
    screen.type("  ")
    #expect(try #require(screen.place(of: note)) == place, "\(screen.text)")
    screen.type("f")
    #expect(try #require(screen.place(of: note)).column == place.column + 2, "\(screen.text)")
  }
}
