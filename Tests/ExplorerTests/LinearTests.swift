import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("For somebody who hears the screen")
struct LinearTests {
  private func screen(rows: Int = 14, query: QueryPlan = QueryPlan("plants")) throws -> Screen {
    try Screen(columns: 100, rows: rows, query: query, isLinear: true)
  }

  @Test("one pane is there, a line a row, each value after the name of its column")
  func results() throws {
    var screen = try screen()
    try expectScreen(screen.text, named: "linear-results")
    screen.press("down")
    #expect(screen.underCursor.hasPrefix("Iris; height 80; edible false"))
    screen.press("l l")
    #expect(screen.underCursor.hasPrefix("edible false; sown 2022-03-15"))
    screen.press("space up")
    #expect(screen.line(with: "marked: Iris") != nil)
    screen.press("down down down")
    #expect(screen.line(with: "梅 Ume; height 310; edible true; sown null; note missing") != nil)
  }

  @Test("what a row is linked with is said beneath it")
  func nested() throws {
    var screen = try screen(query: QueryPlan("beds"))
    screen.press("> down")
    #expect(screen.underCursor.hasPrefix("plants, 2 beneath the row above"))
    screen.press("down")
    #expect(screen.underCursor.hasPrefix("plants 1: Fig; height 250"))
  }

  @Test("the cursor follows the focus, and no pane draws boxes or bars", arguments: Focus.allCases)
  func focus(_ focus: Focus) throws {
    var screen = try screen(rows: 24)
    screen.press(focus.way)
    let frame = screen.model.view()
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let value = frame.cell(row: row, column: column).scalar.value
        #expect(!(0x2500...0x259F).contains(value), "row \(row), column \(column)")
      }
    }
    // What is only read has no place of its own.
    let isRead: Set<Focus> = [.help, .changes, .subscriptions, .diagram, .saved]
    #expect(frame.cursor != nil || isRead.contains(focus), "\(screen.text)")
    // What was kept is asked of the world, which does not answer here.
    if focus != .menu, focus != .saved {
      #expect(screen.row(1).hasPrefix(focus.title), "\(screen.text)")
    }
  }

  @Test("typing stands alone with its complaint and what could come next")
  func typing() throws {
    var screen = try screen()
    screen.press("F")
    screen.type("hei")
    try expectScreen(screen.text, named: "linear-typing")
    let cursor = try #require(screen.model.view().cursor)
    #expect(cursor.row == 2 && cursor.column == 4)
  }

  @Test("a change is said in words, also when the cursor is elsewhere")
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

  @Test("an error says that it is one")
  func error() throws {
    var screen = try screen()
    screen.handle(.refused("This store is read-only"))
    #expect(screen.row(13) == "Error: This store is read-only")
  }

  @Test("the query is read as its text, and copied, filtered and left as ever")
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
  /// The text from the terminal's cursor on.
  fileprivate var underCursor: String {
    guard let cursor = model.view().cursor else { return "" }
    return String(row(cursor.row).dropFirst(cursor.column))
  }
}

extension TripleStore {
  fileprivate func handle(ofKey key: String) -> EntityHandle? {
    guard let attribute = schema.attribute("plants", "key") else { return nil }
    return rows(of: "plants").handles.first { value($0, attribute.id) == .text(key) }
  }
}
