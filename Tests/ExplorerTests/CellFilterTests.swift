import Explorer
import Foundation
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Filtering by a cell")
struct CellFilterTests {
  @Test(
    "wildcard characters in a value are escaped in the pattern",
    arguments: [("100%", ["100%"]), ("a_b", ["a_b"]), (#"c\d"#, [#"c\d"#])])
  func wildcards(cell: String, found: [String]) throws {
    let names = ["100%", "100 apples", "1000", "a_b", "axb", #"c\d"#, "cd"]
    let things = names.map { #"{"name": \#(JSONWriter.text(.text($0)))}"# }
    let store = try Dataset.load([
      (name: "things.json", bytes: Array("[\(things.joined(separator: ","))]".utf8))
    ])
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("things"), store: store)
    screen.press("4 0")
    for _ in 0..<(names.firstIndex(of: cell) ?? 0) { screen.press("j") }
    screen.press("f ~ enter")
    let plan = try #require(screen.watched.last?.document.plans.first)
    let name = try #require(store.schema.attribute("things", "name"))
    let rows = try QueryEngine.answer(plan, in: store).rows
    #expect(rows.map { store.value($0, name.id) } == found.map { .text($0) })
  }

  @Test(
    "a comparison opens with its value selected, which typing replaces",
    arguments: [
      ("f >", "height > 250"), ("f > 1 0 0 M", "height > 100M"), ("f < 3", "height < 3"),
      ("f > end 0", "height > 2500"), ("f > backspace 7", "height > 7"),
    ])
  func typedBound(keys: String, condition: String) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("l " + keys + " enter")
    #expect(screen.watched.last?.document.text == "plants filter " + condition)
  }

  @Test(
    "a part of a text opens with its text selected, which typing replaces",
    arguments: [
      ("0 f ~", #"filter name ilike "%Fig%""#), ("0 f ~ i r", #"filter name ilike "%ir%""#),
      ("0 f ~ backspace x", #"filter name ilike "%x%""#),
      ("0 f ~ right s", #"filter name ilike "%Figs%""#),
      ("l f > 7 enter 0 f ~ i", #"filter height > 7 and name ilike "%i%""#),
      ("l f > 7 enter 0 f | ~ i", #"filter height > 7 or name ilike "%i%""#),
      ("0 # 0 f ~ i", #"filter name ilike "%i%" group name order count desc"#),
    ])
  func typedPart(keys: String, clauses: String) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("4 \(keys) enter")
    #expect(screen.watched.last?.document.text == "plants " + clauses, "\(screen.text)")
  }

  @Test("a part of a text is typed for a relation, too")
  func typedPartInRelation() throws {
    var screen = try Self.relation()
    screen.press("0 f ~ i enter")
    #expect(
      screen.watched.last?.document.text
        == #"plants order name with bed { with plants { filter name ilike "%i%" } }"#,
      "\(screen.text)")
  }

  @Test("a comparison is added to the filter")
  func typedFurther() throws {
    let plan = try QueryDocument(
      text: "plants filter name != \"x\" or edible = true", schema: Garden.store().schema)
    var screen = try Screen(columns: 110, rows: 24, query: plan.plans.first)
    screen.press("4 :")
    screen.type("height")
    screen.press("enter f > 7 enter")
    #expect(
      screen.watched.last?.document.text
        == "plants filter (name != \"x\" or edible = true) and height > 7")
  }

  @Test("the menu opens the filter line with the name of the column")
  func typedComparison() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("l f space")
    screen.type("!= 80")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter height != 80")
    screen.press("u $ f space")
    screen.type("area > 9")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter bed.area > 9")
  }

  @Test(
    "a dot typed after the given one of a link has no effect",
    arguments: ["4 $ f space", "2 / b e d enter f"],
    [
      (".area > 9", "bed.area > 9"), ("area > 9.5", "bed.area > 9.5"),
      (#"name = "...""#, #"bed.name = "...""#),
    ])
  func typedDot(way: String, line: (typed: String, condition: String)) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press(way)
    screen.type(line.typed)
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text == "plants filter " + line.condition, "\(screen.text)")
  }

  @Test(
    "an operator typed in the menu continues in the filter line",
    arguments: [
      ("0", "like \"F%\"", "name like \"F%\""),
      ("l", "between 1 and 2", "height >= 1 and height <= 2"),
      ("0", "contains \"ig\"", "name like \"%ig%\""),
      ("0", "ilike \"f%\"", "name ilike \"f%\""),
      ("0", "in (\"Fig\", \"Iris\")", "name in (\"Fig\", \"Iris\")"),
      ("0", "is not null", "name is not null"),
      ("0", "matches \"F.g\"", "name matches \"F.g\""),
      ("space down space 0", "matches \"F.g\"", "name matches \"F.g\""),
      ("$", "like \"%wall\"", "bed.name like \"%wall\""),
      ("$", "not in (\"South wall\")", "bed.name not in (\"South wall\")"),
      ("0", "not in (\"Fig\")", "name not in (\"Fig\")"),
    ])
  func typedOperator(way: String, typed: String, condition: String) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("\(way) f")
    screen.type(typed)
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter " + condition, "\(screen.text)")
  }

  @Test(
    "a value typed in the menu continues in the filter line, where enter completes it",
    arguments: [
      ("0", "Fi", #"name = "Fig""#),
      ("l", "80", "height = 80"), ("$", "Sou", #"bed.name = "South wall""#),
      // These letters also begin operators.
      ("0", "iri", #"name = "Iris""#), ("0", "mint", #"name = "Mint""#),
      ("$", "by the", #"bed.name = "By the pond""#),
    ])
  func typedValue(way: String, typed: String, condition: String) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("\(way) f")
    screen.type(typed)
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter " + condition, "\(screen.text)")
  }

  @Test(
    "every letter, digit, quote and minus in the menu opens the filter line",
    arguments: ["0", "l", "l l", "l l l", "$", "down down down l l l", "down down down down $"])
  func firstCharacters(way: String) throws {
    let plan = try QueryDocument(
      text: "plants filter height > 1", schema: Garden.store().schema
    ).plans.first
    var menu = try Screen(columns: 110, rows: 24, query: plan)
    menu.press("4 g 0 space \(way) f")
    #expect(menu.text.contains("─ Filter by "), "\(menu.text)")
    let characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\"'-"
    for character in characters {
      var screen = menu
      screen.type(String(character))
      #expect(screen.text.contains("╭─ Filter ─"), "\(character):\n\(screen.text)")
      #expect(screen.watched.last?.document.plans.first == plan, "\(character)")
      // The menu of filters joined by or has no such keys, either.
      screen = menu
      screen.press("|")
      screen.type(String(character))
      #expect(screen.text.contains("╭─ Filter ─"), "\(character):\n\(screen.text)")
      #expect(screen.row(2).contains(" or "), "\(screen.text)")
    }
  }

  /// The plants in the bed of the first plant, Fig, with the cursor at its height.
  private static func relation() throws -> Screen {
    var screen = try Screen(columns: 120, rows: 26, query: QueryPlan("plants").order("name"))
    screen.press("$ > down down $ > down down l")
    return screen
  }

  @Test(
    "the menu of a relation has the entries and the line of that of the rows",
    arguments: [
      ("> enter", "height > 250"), ("> 7 enter", "height > 7"), ("=", "height = 250"),
      ("1 0 0 enter", "height = 100"), ("space > 7 enter", "height > 7"),
      ("( 7 ) enter", "height in (250, 7)"), ("*", "height is not null"),
      ("> 7 enter f < 3 0 0 enter", "height > 7 and height < 300"),
      ("> 7 enter f | > 3 0 0 enter", "height > 7 or height > 300"),
    ])
  func inRelation(keys: String, condition: String) throws {
    var screen = try Self.relation()
    screen.press("f " + keys)
    #expect(
      screen.watched.last?.document.text
        == "plants order name with bed { with plants { filter \(condition) } }",
      "\(screen.text)")
  }

  @Test("a link is filtered by the label of its target")
  func label() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("4 g $ f .")
    #expect(
      screen.watched.last?.document.text == "plants filter bed.name = \"South wall\"",
      "\(screen.text)")
  }

  @Test(
    "the keys of a missing value are the same in all cells",
    arguments: ["l", "l l l", "down down down l l l", "$", "down down down down $"],
    [("_", "is null"), ("*", "is not null")])
  func missing(way: String, filter: (key: String, words: String)) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("4 g 0 " + way + " f " + filter.key)
    let text = try #require(screen.watched.last?.document.text)
    #expect(text.hasSuffix(filter.words), "\(text)")
  }

  @Test(
    "all filters are cleared by a key, from the menu and from the palette, and undo restores them",
    arguments: ["r", "f end enter", ": r e m o v e f i l t e r s enter"])
  func clear(keys: String) throws {
    let text = #"plants filter height > 1 with bed { filter name = "South wall" }"#
    let plan = try QueryDocument(text: text, schema: Garden.store().schema).plans[0]
    var screen = try Screen(columns: 110, rows: 24, query: plan)
    screen.press("4 0 " + keys)
    #expect(screen.watched.last?.document.plans.first == QueryPlan("plants").with("bed"))
    #expect(screen.notice == .filtersCleared)
    screen.press("r")
    #expect(screen.notice == .noFilters)
    screen.press("u")
    #expect(screen.watched.last?.document.plans.first == plan)
  }

  @Test("a key that a pane binds itself does not appear with its other command there")
  func shadowed() {
    let r = Key.character("r")
    #expect(Keymap.standard.keys(for: .clearFilters, in: .results) == [r])
    #expect(Keymap.standard.keys(for: .clearFilters, in: .columns).isEmpty)
    let rows = Keymap.standard.rows(in: .columns)
    #expect(rows.filter { $0.keys.contains(r) }.map(\.command) == [.reset])
  }

  @Test("an operator typed in the menu of a record continues in the filter line")
  func typedInRecord() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("enter g f")
    screen.type("like \"f%\"")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter key like \"f%\"")
    #expect(screen.hears("Results"), "\(screen.text)")
  }

  @Test("dates do not match patterns")
  func dates() throws {
    var screen = try Screen(query: QueryPlan("plants").fields(["sown", "name"]))
    screen.press("f")
    #expect(screen.text.contains("sown > "), "\(screen.text)")
    #expect(!screen.text.contains("ilike"))
  }

  @Test("the example filter matches something and uses valid syntax")
  func example() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("F")
    let line = try #require(screen.line(with: " >= ")?.split(separator: "│").last)
    let text = line.trimmingCharacters(in: .whitespaces)
    #expect(screen.text.contains("is null") && !screen.text.contains("isnull"))
    screen.type(text)
    screen.press("enter")
    #expect(screen.text.contains("[4] Results"), "\(screen.text)")
    #expect(!screen.text.contains("No rows match"))
  }

  @Test("the examples have names and numbers as they are typed")
  func typedExamples() throws {
    let rows = #"[{"the height": 12345, "full name": "n"}]"#
    var screen = try Screen(
      query: QueryPlan("my things"),
      store: try Dataset.load([(name: "my things.json", bytes: Array(rows.utf8))]))
    screen.press("F")
    #expect(screen.text.contains("`the height` >= 12_345"), "\(screen.text)")
    screen.press("escape O")
    #expect(screen.text.contains("`the height` desc, `full name`"), "\(screen.text)")
    screen.press("escape Q ctrl-u")
    #expect(screen.text.contains("`my things` filter `the height` >= 12_345"), "\(screen.text)")
  }
}
