import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Screen-reader mode")
struct ScreenReaderTests {
  private func screen(rows: Int = 14, query: QueryPlan = QueryPlan("plants")) throws -> Screen {
    try Screen(columns: 100, rows: rows, query: query, isScreenReader: true)
  }

  @Test("one pane is shown, with a line per row and each value after its column name")
  func results() throws {
    var screen = try screen()
    try expectScreen(screen.text, named: "linear-results")
    screen.press("down")
    #expect(screen.underCursor.hasPrefix("Iris; height 80; edible false"))
    screen.press("l l")
    #expect(screen.underCursor.hasPrefix("edible false; sown 2022-03-15"))
    screen.press("space up")
    #expect(screen.line(with: "selected: Iris") != nil)
    screen.press("down down down")
    #expect(screen.line(with: "梅 Ume; height 310; edible true; sown null; note missing") != nil)
  }

  @Test("words longer than the signs they replace cut no text of the line")
  func longWords() throws {
    var screen = try Screen(columns: 60, rows: 14, query: QueryPlan("plants"), isScreenReader: true)
    screen.press("enter")
    let line = try #require(screen.line(with: "note "))
    #expect(line.contains("missing") && line.hasSuffix("text"), "\(line)")
  }

  @Test("when scrolled right, a row starts with its label and the selected value")
  func farRight() throws {
    var screen = try Screen(columns: 40, rows: 14, query: QueryPlan("plants"), isScreenReader: true)
    screen.press("$")
    #expect(screen.underCursor.hasPrefix("bed South wall"), "\(screen.text)")
    #expect(screen.line(with: "Fig; bed South wall") != nil, "\(screen.text)")
  }

  @Test("the title contains the filter, and the first notice mentions help")
  func beginning() throws {
    var screen = try screen(query: QueryPlan("plants").filter(.compare("height", .greater, 50)))
    #expect(screen.row(1).hasPrefix("Results, plants, "))
    #expect(screen.row(1).hasSuffix("filter height > 50"), "\(screen.row(1))")
    #expect(screen.row(13) == "Screen-reader mode is on.  ? keys")
    screen.press("down")
    #expect(screen.row(13) == "")
  }

  @Test("linked rows are read below their row")
  func nested() throws {
    var screen = try screen(query: QueryPlan("beds"))
    screen.press("> down")
    #expect(screen.underCursor.hasPrefix("plants, 2 linked rows of the row above"))
    screen.press("down")
    #expect(screen.underCursor.hasPrefix("plants 1: Fig; height 250"))
  }

  @Test(
    "the cursor follows the focus, and no pane draws boxes or bars", arguments: PaneTraits.allCases)
  func focus(_ focus: PaneTraits) throws {
    var screen = try screen(rows: 24)
    screen.press(focus.way)
    expectHeard(screen)
    // The test does not respond to requests for stored data.
    if focus != .menu, focus != .saved {
      #expect(screen.row(1).hasPrefix(focus.title), "\(screen.text)")
    }
  }

  @Test(
    "prompts draw no boxes, and the cursor is at the typed text",
    arguments: [
      "F", "Q", "O", "L", "b", "/", ": d", "4 e", "4 l e", "4 v", "4 v v", "4 d", "t", "4 M",
    ])
  func prompts(keys: String) throws {
    var screen = try screen(rows: 24)
    screen.press(keys)
    expectHeard(screen)
  }

  @Test("links are read in words in schema, record and diagram")
  func links() throws {
    var screen = try screen(rows: 24)
    screen.press("2")
    #expect(screen.line(with: "link to beds") != nil, "\(screen.text)")
    screen.press("D")
    #expect(screen.line(with: "beds, 3 rows, link plants to many plants") != nil, "\(screen.text)")
    screen.press("g")
    #expect(screen.underCursor.hasPrefix("beds"))
    screen.press("down")
    #expect(screen.underCursor.hasPrefix("plants"))
  }

  /// Expects that the screen has no symbols and that reading can start at a cursor.
  private func expectHeard(_ screen: Screen, at location: SourceLocation = #_sourceLocation) {
    let frame = screen.workspace.view()
    #expect(frame.cursor != nil, "\(screen.text)", sourceLocation: location)
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let value = frame.cell(row: row, column: column).scalar.value
        let isSign = [0x2190...0x23FF, 0x2500...0x27BF, 0x2800...0x2BFF].contains {
          $0.contains(value)
        }
        if isSign {
          Issue.record("row \(row), column \(column):\n\(screen.text)", sourceLocation: location)
          return
        }
      }
    }
  }

  @Test("a typed line is read with its error and completions")
  func typing() throws {
    var screen = try screen()
    screen.press("F")
    screen.type("hei")
    expectBlock(
      """
      Filter
       hei
       tab accept suggestion
      Suggestion:
      height
      """, in: screen.text)
    let cursor = try #require(screen.workspace.view().cursor)
    #expect(cursor.row == 2 && cursor.column == 4)
  }

  @Test("changes are announced, even away from the cursor")
  func changes() throws {
    var screen = try screen()
    let store = screen.store
    let height = try #require(store.schema.attribute("plants", "height"))
    let fig = try #require(store.handle(ofKey: "fig"))
    screen.press("1")
    try screen.transact([.addTriple(.id(store.id(of: fig)), height.id, .integer(251))])
    #expect(screen.row(13) == "Fig: height is 251, was 250")
    screen.press("p")
    try screen.transact([.addTriple(.id(store.id(of: fig)), height.id, .integer(252))])
    #expect(!screen.row(13).contains("252"))
  }

  @Test("a deleted row is announced first among many changes")
  func gone() throws {
    var screen = try screen()
    let store = screen.store
    let fig = try #require(store.handle(ofKey: "fig"))
    try screen.transact([.deleteEntity(.id(store.id(of: fig)), namespace: "plants")])
    #expect(screen.row(13).contains("including: Fig was removed from plants"), "\(screen.row(13))")
  }

  @Test("the diagram has no lines in the pager either")
  func paged() throws {
    var screen = try screen()
    screen.press("D o")
    let pages = screen.effects.compactMap { if case .page(let text) = $0 { text } else { nil } }
    #expect(
      pages == [
        "beds, 3 rows, link plants to many plants\nplants, 5 rows, link bed to beds\n"
      ])
  }

  @Test("errors are announced as errors")
  func error() throws {
    var screen = try screen()
    screen.reject("This store is read-only")
    #expect(screen.row(13) == "Error: This store is read-only")
  }

  @Test("the query is read as text, and its keys work as usual")
  func query() throws {
    var screen = try screen(query: QueryPlan("plants").order("name").limit(2))
    screen.press("3")
    #expect(screen.row(2) == "plants order name limit 2")
    screen.press("4 f")
    #expect(screen.row(1).hasPrefix("Menu, Filter by name"))
    screen.press("enter")
    #expect(screen.watched.last?.document.text.contains("name = \"Fig\"") == true)
  }
}

extension Screen {
  /// The text of the row from the terminal's cursor.
  fileprivate var underCursor: String {
    guard let cursor = workspace.view().cursor else { return "" }
    return String(row(cursor.row).dropFirst(cursor.column))
  }
}

extension TripleStore {
  fileprivate func handle(ofKey key: String) -> EntityHandle? {
    guard let attribute = schema.attribute("plants", "key") else { return nil }
    return rows(of: "plants").handles.first { value($0, attribute.id) == .text(key) }
  }
}
