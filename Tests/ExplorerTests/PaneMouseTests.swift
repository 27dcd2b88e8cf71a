import Explorer
import InstaQL
import TerminalUI
import Testing

@Suite("Mouse in panes")
struct PaneMouseTests {
  private static func screen(columns: Int = 110, rows: Int = 24) throws -> Screen {
    try Screen(columns: columns, rows: rows, query: QueryPlan("plants").order("name"))
  }

  @Test("the second of two quick clicks does not open what the first one uncovered")
  func leftover() throws {
    var screen = try Self.screen()
    screen.press("4 y")
    let (row, column) = try #require(screen.place(of: "row as JSON"))
    screen.click(row, column, times: 2)
    #expect(screen.hears("Results"), "\(screen.text)")
    screen.press("f1")
    screen.click(6, 50, times: 3)
    #expect(screen.hears("Results"), "\(screen.text)")
  }

  @Test("the wheel scrolls the pane under the mouse, even below a menu")
  func wheel() throws {
    var screen = try Screen(columns: 110, rows: 12, query: QueryPlan("plants").order("name"))
    screen.press("4 c")
    let before = screen.text
    screen.mouse(.scrollDown, 3, 3)
    screen.mouse(.scrollUp, 3, 3)
    #expect(screen.hears("Columns"))
    #expect(screen.text == before)
  }

  @Test("a click sets the cursor in every text field")
  func lines() throws {
    for (way, text) in [(":", "colu"), ("4 $ e", "pond")] {
      var screen = try Self.screen()
      screen.press(way)
      screen.type(text)
      let (row, column) = try #require(screen.place(of: text), "\(screen.text)")
      screen.click(row, column + 2)
      screen.type("|")
      #expect(screen.row(row).contains(text.prefix(2) + "|" + text.suffix(2)), "\(screen.text)")
    }
    var screen = try Self.screen()
    screen.press("4 E")
    let (row, column) = try #require(screen.place(of: "plants.csv"))
    screen.click(row, column)
    screen.click(row, column + 6)
    screen.type("-1")
    #expect(screen.text.contains("plants-1.csv"))
  }

  @Test("shift turns the wheel sideways")
  func sideways() throws {
    var screen = try Self.screen()
    screen.press("4 0")
    let before = screen.text(on: [.cursorCell])
    screen.mouse(.scrollDown, 7, 60, .shift)
    #expect(screen.text(on: [.cursorCell]) != before)
    screen.mouse(.scrollUp, 7, 60, .shift)
    #expect(screen.text(on: [.cursorCell]) == before)
  }

  @Test("a dialog can be used with the mouse alone, by clicking the hints in the last line")
  func export() throws {
    var screen = try Self.screen()
    screen.press("4 E")
    let line = screen.row(23)
    let place = try #require(line.firstRange(of: "enter save"))
    screen.click(23, line.distance(from: line.startIndex, to: place.lowerBound))
    guard case .export? = screen.requests.last?.request else {
      Issue.record("\(screen.text)")
      return
    }
  }

  @Test("completions above an open pane can be clicked")
  func completion() throws {
    var screen = try Self.screen()
    screen.press("4 w space F")
    screen.type("na")
    let (row, column) = try #require(screen.place(of: " name "), "\(screen.text)")
    screen.click(row, column + 1)
    screen.type(" = 1")
    #expect(screen.text.contains("name = 1"), "\(screen.text)")
  }

  @Test("a pane's border is neither a row nor a column title")
  func borders() throws {
    var screen = try Self.screen()
    screen.press("4 Z")
    let before = screen.watched.last?.document
    screen.click(1, 30)
    #expect(screen.watched.last?.document == before)
    #expect(screen.hears("Results"))
  }

  @Test("a click next to an open pane selects the visible column")
  func beside() throws {
    var screen = try Screen(columns: 120, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press("4 $ c")
    let (row, column) = try #require(screen.place(of: "fig "))
    screen.click(row, column + 1)
    #expect(screen.hears("Results"))
    screen.press("y c")
    #expect(screen.effects.last == .copy("fig"))
  }
}
