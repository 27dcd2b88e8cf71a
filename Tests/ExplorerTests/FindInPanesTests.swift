import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Finding in every pane")
struct FindInPanesTests {
  @Test(
    "a pane of lines is searched while typing, and n continues",
    arguments: [
      ("enter", "south", "bed"), ("4 c", "sow", "sown"), ("4 w", "beds", "bed"),
      ("4 l l z", "false", "false"), ("4 x", "evaluated", "How the query"),
    ])
  func panes(way: String, text: String, words: String) throws {
    var screen = try Screen(columns: 120, rows: 14, query: QueryPlan("plants"))
    screen.press(way + " /")
    screen.type(text)
    let frame = screen.workspace.view()
    let found = frame.rows(on: .matchCurrent) + frame.rows(on: .match)
    #expect(found.contains { $0.contains(words) }, "\(screen.text)")
    screen.press("enter n")
    #expect(!screen.row(13).contains("No match"))
    screen.press("/")
    screen.type("zzzz")
    #expect(screen.text.contains("No match for “zzzz”"))
  }

  @Test(
    "the place of a match among all matches is shown",
    arguments: [("4 l l z", "e", 2), ("4 c", "bed", 1), ("2", "e", 6)])
  func places(way: String, text: String, count: Int) throws {
    var screen = try Screen(columns: 120, rows: 24, query: QueryPlan("plants"))
    screen.press(way + " /")
    screen.type(text)
    #expect(screen.text.contains("match 1 of \(count) "), "\(screen.text)")
    screen.press("enter")
    #expect(screen.notice == .match(MatchPlace(number: 1, count: count)))
    if count > 1 {
      screen.press("n")
      #expect(screen.notice == .match(MatchPlace(number: 2, count: count)))
    }
  }

  @Test("changes can be searched, which stops following the newest one")
  func changes() throws {
    var screen = try Screen(columns: 120, rows: 14, query: QueryPlan("plants"))
    for height in 1...30 {
      screen.press("g l e ctrl-u")
      screen.type("\(height)")
      screen.press("enter 0")
    }
    screen.press("C /")
    screen.type("→ 3")
    screen.press("enter")
    let frame = screen.workspace.view()
    #expect(frame.rows(on: .matchCurrent).count == 1)
    #expect(frame.rows(on: .matchCurrent)[0].contains("→ 3"))
  }

  @Test("the prompt is visible while a pane covers the screen")
  func help() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.press("4 ? /")
    screen.type("theme")
    #expect(screen.row(1).hasPrefix("╭─ Keys in Results ─"), "\(screen.text)")
    #expect(screen.text.contains("│ A  T            choose a theme, with preview"))
    #expect(screen.row(19) == " Find: theme")
    screen.press("escape")
    #expect(screen.text.contains("Keys in Results"))
  }

  @Test("a search in the help lists only matches with their letters marked, until escape")
  func helpMatches() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.press("4 ?")
    let all = screen.text
    screen.press("/")
    screen.type("exclude")
    #expect(screen.row(1).hasSuffix("─ 1 match ─╮"), "\(screen.text)")
    #expect(screen.row(2).hasPrefix("│ In this pane  "), "\(screen.text)")
    #expect(screen.row(3).hasPrefix("│ X               exclude this value  "), "\(screen.text)")
    #expect(screen.row(4).allSatisfy { "│ ".contains($0) }, "\(screen.text)")
    let frame = screen.workspace.view()
    let marked = (0..<frame.size.rows).flatMap { frame.runs(row: $0) }
      .filter { $0.paint.ink == .match }.map(\.text)
    #expect(marked == ["exclude"])
    screen.press("enter")
    #expect(screen.row(1).hasSuffix("─ 1 match · most keys close this help ─╮"), "\(screen.text)")
    #expect(screen.row(19).contains("escape show all"), "\(screen.text)")
    screen.press("escape")
    #expect(screen.text == all)
    screen.press("/")
    screen.type("zzzz")
    #expect(screen.text.contains("No match for “zzzz”"), "\(screen.text)")
    screen.press("escape")
    #expect(screen.text == all)
    screen.press("escape")
    #expect(!screen.text.contains("Keys in"), "\(screen.text)")
  }

  @Test("the help is searched for keys, too")
  func helpKeys() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.press("4 ? /")
    screen.type("shift-l")
    #expect(screen.row(1).hasSuffix("─ 1 match ─╮"), "\(screen.text)")
    #expect(screen.row(3).hasPrefix("│ H  shift-left   move the column left  "), "\(screen.text)")
  }

  @Test("the prompt is visible while a zoomed pane covers the query")
  func zoomed() throws {
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("plants"))
    screen.press("4 x Z /")
    screen.type("evaluated")
    #expect(screen.row(19) == " Find: evaluated", "\(screen.text)")
    let cursor = try #require(screen.workspace.view().cursor)
    #expect(cursor == Position(row: 19, column: 16))
  }

  @Test("a row far below is found in the background")
  func far() throws {
    var screen = try Screen(
      columns: 100, rows: 20, query: QueryPlan("plants"), store: try Self.long())
    screen.isSlow = true
    screen.press("/")
    screen.type("p4999")
    #expect(screen.text.contains("Searching 5,000 rows …"))
    // A response to an earlier search has no effect.
    let former = try #require(screen.requests.dropLast().last)
    screen.handle(.response(former.id, .found(nil)))
    #expect(screen.text.contains("Searching"))
    screen.respondAtLast()
    #expect(screen.line(with: "P4999") != nil)
    screen.press("enter n")
    #expect(screen.text.contains("Searching"))
    screen.press("escape")
    #expect(screen.canceled.last == screen.searches.last.map { .search($0) })
  }

  @Test("a search without a match reports it, for any number of rows")
  func nowhere() throws {
    var screen = try Screen(
      columns: 100, rows: 20, query: QueryPlan("plants"), store: try Self.long())
    screen.press("/")
    screen.type("nil")
    #expect(screen.text.contains("No match for “nil”"))
  }

  @Test("nested rows are found, in a tree as well")
  func nested() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("beds").with("plants"))
    screen.press("/")
    screen.type("ume")
    screen.press("enter")
    #expect(screen.workspace.view().rows(on: .matchCurrent).contains { $0.contains("Ume") })
    screen.press("escape v /")
    screen.type("iris")
    screen.press("enter")
    #expect(screen.workspace.view().rows(on: .matchCurrent).contains { $0.contains("Iris") })
  }

  @Test(
    "the search ignores case",
    arguments: [
      ("ÉTÉ", "été", true), ("Straße", "STRASSE", false), ("梅 Ume", "UME", true),
      ("abc", "abcd", false), ("aab", "ab", true), ("x", "", false), ("Cafe\u{301}", "CAFE", true),
      ("→ b", "B", true),
    ])
  func letters(text: String, pattern: String, isFound: Bool) throws {
    var screen = try Screen(
      columns: 100, rows: 20, query: QueryPlan("plants"),
      store: try Garden.store(plants: #"[{"key": "a", "name": "\#(text)"}]"#))
    screen.press("/")
    screen.type(pattern)
    #expect(!screen.workspace.view().rows(on: .matchCurrent).isEmpty == isFound)
  }

  @Test("the searched lines can be opened in the pager")
  func pager() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.press("4 ? o")
    guard case .page(let text)? = screen.effects.last else {
      Issue.record("Nothing went to the pager")
      return
    }
    #expect(text.contains("ctrl-l redraw the screen"))
  }

  private static func long() throws -> TripleStore {
    let plants = (0..<5_000).map { #"{"key": "k\#($0)", "name": "P\#($0)"}"# }
    return try Garden.store(plants: "[" + plants.joined(separator: ",") + "]")
  }

  @Test(
    "a search that ends late moves the cursor of the rows that were looked through, and of no others"
  )
  func late() throws {
    let plants = (0..<3_000).map { #"{"key": "p\#($0)", "name": "Plant \#($0)"}"# }
    let store = try Garden.store(plants: "[" + plants.joined(separator: ",\n") + "]")
    var screen = try Screen(
      columns: 120, rows: 24, query: QueryPlan("plants").limit(3_000), store: store)
    screen.press("4 t , /")
    screen.isSlow = true
    screen.type("plant 2999")
    screen.press("enter")
    var other = screen
    other.press("C")
    other.respondAtLast()
    other.press("esc")
    #expect(other.text.contains("Plant 2999"), "\(other.text)")
    screen.press(".")
    #expect(screen.canceled.last == screen.searches.last.map { .search($0) })
    let before = screen.text
    screen.respond(.found(screen.searches.last?.rest()))
    #expect(screen.text == before)
  }
}

extension Frame {
  /// Returns the text on a background, row by row.
  func rows(on ground: Role) -> [String] {
    (0..<size.rows).compactMap { row in
      let text = (0..<size.columns).filter { cell(row: row, column: $0).paint.ground == ground }
        .map { String(cell(row: row, column: $0).scalar) }.joined()
      return text.isEmpty ? nil : text
    }
  }
}
