import InstaQL
import TerminalUI
import Testing
import Triples

@testable import Explorer

@Suite("Collapsing nested values")
struct FoldingTests {
  private static let plan = QueryPlan("beds").filter(.compare("area", .less, 100))
    .with("plants") { $0.fields(["name"]).order("name") }

  private static let noted = #"""
    [{"key": "fig", "name": "Fig", "note": "{\"soil\": {\"ph\": 6.5}, \"tags\": [\"a\", null]}"}]
    """#

  @Test("a path is collapsed if it differs from the others")
  func folds() {
    var folds = NodeFolds()
    #expect(!folds.hidesSome && !folds.collapses(["plants"]))
    _ = folds.fold(["plants"], within: nil, isCollapsed: true)
    #expect(folds.collapses(["plants"]) && !folds.collapses(["plants", "0"]))
    _ = folds.fold(["plants"], within: nil, isCollapsed: false)
    #expect(!folds.hidesSome)
    folds = NodeFolds(isCollapsed: true)
    _ = folds.fold(["plants"], within: nil, isCollapsed: false)
    #expect(!folds.collapses(["plants"]) && folds.collapses(["plants", "0"]))
  }

  @Test("in a tree < collapses the value around the line, and > expands it again")
  func tree() throws {
    var screen = try Screen(columns: 90, rows: 26, query: Self.plan)
    screen.press("v down down down down down down down")
    #expect(screen.workspace.view().selectedText?.contains("name Fig") == true, "\(screen.text)")
    screen.press("<")
    #expect(screen.workspace.view().selectedText?.contains("▸ {2} Fig") == true, "\(screen.text)")
    #expect(screen.text.contains("▾ {2} 梅 Ume"))
    screen.press("<")
    let selected = screen.workspace.view().selectedText
    #expect(selected?.contains("plants ▸ [2]") == true, "\(screen.text)")
    #expect(!screen.text.contains("Ume"))
    screen.press("<")
    let row = screen.workspace.view().selectedText
    #expect(row?.contains("▸ {5} South wall") == true, "\(screen.text)")
    screen.press("<")
    #expect(screen.notice == .alreadyFolded)
    screen.press("> down down down down down >")
    #expect(screen.text.contains("▸ {2} Fig") && screen.text.contains("▾ {2} 梅 Ume"))
    screen.press("up >")
    #expect(screen.notice == .nothingNested)
  }

  @Test("a whole row collapses to its label, keeps that when rows are sorted, and expands again")
  func row() throws {
    var screen = try Screen(columns: 90, rows: 26, query: Self.plan.order("name"))
    screen.press("v down down <")
    let selected = screen.workspace.view().selectedText
    #expect(selected?.contains("▸ {5} By the pond") == true, "\(screen.text)")
    #expect(!screen.text.contains("Iris") && screen.text.contains("name  Fig"))
    screen.press("O ctrl-u")
    screen.type("name desc")
    screen.press("enter")
    #expect(screen.text.contains("▸ {5} By the pond"), "\(screen.text)")
    #expect(!screen.text.contains("Iris") && screen.text.contains("name  Fig"))
    screen.press("v")
    #expect(screen.text.contains("{… 5} By the pond"), "\(screen.text)")
    screen.press("*")
    #expect(screen.workspace.view().selectedText == "{", "\(screen.text)")
  }

  @Test("in JSON a collapsed value takes one line with its number of members")
  func json() throws {
    var screen = try Screen(columns: 90, rows: 26, query: Self.plan)
    screen.press("v v down down down down down <")
    #expect(screen.text.contains(#""plants": [… 2]"#), "\(screen.text)")
    #expect(screen.text.contains(#""name": "Iris""#))
    screen.press("v v v")
    #expect(screen.text.contains(#""plants": [… 2]"#), "another view keeps it collapsed")
  }

  @Test("* collapses all nested values of all rows, and expands them again")
  func all() throws {
    var screen = try Screen(columns: 90, rows: 26, query: Self.plan)
    screen.press("v down down down down down down down *")
    let selected = screen.workspace.view().selectedText
    #expect(selected?.contains("plants ▸ [2]") == true, "\(screen.text)")
    #expect(!screen.text.contains("Fig") && !screen.text.contains("Iris"))
    expectBlock(
      """
      ├─ [4] Results ──────────────────────────────────────────────── tree · row 1 of 2 · top ─┤
      │ South wall                                                                             │
      │   id      02935472-bc9c-8364-a413-21dee8159ed3                                         │
      │   key     south                                                                        │
      │   name    South wall                                                                   │
      │   area    12.5                                                                         │
      │   plants  ▸ [2]                                                                        │
      │ By the pond                                                                            │
      │   id      0ae9705c-7406-8f9a-bb71-069d5e529edd                                         │
      │   key     pond                                                                         │
      │   name    By the pond                                                                  │
      """, in: screen.text)
    screen.press("*")
    #expect(screen.text.contains("name  Fig"))
  }

  @Test("collapsed values belong to their row when rows are sorted and after going back")
  func identity() throws {
    var screen = try Screen(columns: 90, rows: 26, query: Self.plan.order("name"))
    screen.press("v down down down down down <")
    #expect(screen.line(with: "▸ [2]") != nil)
    #expect(screen.text.contains("name  Fig") && !screen.text.contains("name  Iris"))
    screen.press("O ctrl-u")
    screen.type("name desc")
    screen.press("enter")
    #expect(screen.text.contains("name  Fig") && !screen.text.contains("name  Iris"))
    screen.press("1 down enter 1 up enter")
    #expect(screen.text.contains("name  Fig") && !screen.text.contains("name  Iris"))
  }

  @Test("a match in a collapsed value expands its document")
  func search() throws {
    var screen = try Screen(columns: 90, rows: 26, query: Self.plan)
    screen.press("v * /")
    screen.type("Iris")
    screen.press("enter")
    let found = screen.workspace.view().selectedText(of: .matchCurrent)
    #expect(found?.contains("Iris") == true, "\(screen.text)")
    #expect(!screen.text.contains("name  Fig"))
  }

  @Test("values of a record collapse one by one and all at once")
  func record() throws {
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants"),
      store: try Garden.store(plants: Self.noted))
    screen.press("enter")
    for _ in 0..<12 where screen.workspace.view().selectedText?.contains("note") != true {
      screen.press("down")
    }
    #expect(screen.workspace.view().selectedText?.contains("▾ {2}") == true, "\(screen.text)")
    screen.press("down down <")
    #expect(screen.workspace.view().selectedText?.contains("▸ {1}") == true, "\(screen.text)")
    #expect(screen.line(with: "ph ") == nil)
    screen.press("*")
    #expect(screen.line(with: "ph ")?.contains("6.5") == true)
    screen.press("*")
    #expect(screen.line(with: "tags") == nil)
  }

  @Test("the keys and values of documents have the colors of their kinds")
  func colors() throws {
    let store = try Garden.store(plants: Self.noted)
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"), store: store)
    screen.press("enter")
    let record = screen.workspace.view()
    #expect(record.ink(of: "ph ") == .documentKey && record.ink(of: "6.5") == .number)
    #expect(record.ink(of: "∅") == .null)
    screen.press("escape v v")
    let json = screen.workspace.view()
    #expect(json.ink(of: "\"name\"") == .documentKey && json.ink(of: "\"Fig\"") == .string)
    #expect(json.ink(of: "{") == .punctuation)
  }

  @Test("in a table > opens the record at a list or an object with members")
  func nestedCell() throws {
    var screen = try Screen(
      columns: 110, rows: 26, query: QueryPlan("plants").fields(["note"]),
      store: try Garden.store(plants: Self.noted))
    #expect(screen.row(25).contains("> expand"), "\(screen.text)")
    screen.press(">")
    #expect(screen.hears("Record"))
    #expect(screen.workspace.view().selectedText?.contains("note") == true, "\(screen.text)")
    #expect(screen.line(with: "ph ")?.contains("6.5") == true, "\(screen.text)")
    var plain = try Screen(
      columns: 110, rows: 26, query: QueryPlan("plants").fields(["note"]),
      store: try Garden.store(plants: #"[{"key": "fig", "name": "Fig", "note": "[]"}]"#))
    plain.press(">")
    #expect(plain.notice == .nothingLinked)
  }

  @Test("in a table * expands the relation of the column in each visible row, and collapses all")
  func table() throws {
    var screen = try Screen(columns: 110, rows: 30, query: QueryPlan("beds"))
    screen.press("$ *")
    #expect(screen.text.contains("╰ plants 2"), "\(screen.text)")
    #expect(screen.text.contains("Fig") && screen.text.contains("Iris"))
    screen.press("*")
    #expect(!screen.text.contains("╰ plants"))
  }
}

extension Frame {
  /// Returns the role of the first cell of a text; nil if the text is not shown.
  fileprivate func ink(of text: String) -> Role? {
    for row in 0..<size.rows {
      let cells = (0..<size.columns).map { cell(row: row, column: $0) }
      let wanted = Array(text.unicodeScalars)
      guard cells.count >= wanted.count else { continue }
      for start in 0...(cells.count - wanted.count)
      where zip(cells[start...], wanted).allSatisfy({ $0.scalar == $1 }) {
        return cells[start].paint.ink
      }
    }
    return nil
  }
}
