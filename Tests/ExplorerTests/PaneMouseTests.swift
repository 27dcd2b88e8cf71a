import Explorer
import InstaQL
import TerminalUI
import Testing

@Suite("The mouse in the panes")
struct PaneMouseTests {
  private static func screen(columns: Int = 110, rows: Int = 24) throws -> Screen {
    try Screen(columns: columns, rows: rows, query: QueryPlan("plants").order("name"))
  }

  @Test("the second of two quick clicks opens nothing that lay beneath what the first one closed")
  func leftover() throws {
    var screen = try Self.screen()
    screen.press("4 y")
    let (row, column) = try #require(screen.place(of: "entity as JSON"))
    screen.click(row, column, times: 2)
    #expect(screen.hears("Results"), "\(screen.text)")
    screen.press("f1")
    screen.click(6, 50, times: 3)
    #expect(screen.hears("Results"), "\(screen.text)")
  }

  @Test("the wheel scrolls the pane that is under it, also beneath a menu or at its side")
  func wheel() throws {
    var screen = try Screen(columns: 110, rows: 12, query: QueryPlan("plants").order("name"))
    screen.press("4 c")
    let before = screen.text
    screen.mouse(.scrollDown, 3, 3)
    screen.mouse(.scrollUp, 3, 3)
    #expect(screen.hears("Columns"))
    #expect(screen.text == before)
  }

  @Test("one types where one clicks, in each pane with a line to type into")
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

  @Test("a dialogue is answered by the mouse alone: its keys in the last line can be clicked")
  func export() throws {
    var screen = try Self.screen()
    screen.press("4 E")
    let line = screen.row(23)
    let place = try #require(line.firstRange(of: "enter write"))
    screen.click(23, line.distance(from: line.startIndex, to: place.lowerBound))
    guard case .export? = screen.requests.last?.request else {
      Issue.record("\(screen.text)")
      return
    }
  }

  @Test("the words in the list lie above an open pane, and are taken there")
  func completion() throws {
    var screen = try Self.screen()
    screen.press("4 w space F")
    screen.type("na")
    let (row, column) = try #require(screen.place(of: " name "), "\(screen.text)")
    screen.click(row, column + 1)
    screen.type(" = 1")
    #expect(screen.text.contains("name = 1"), "\(screen.text)")
  }

  @Test("the border of a pane is no row and no title of a column")
  func borders() throws {
    var screen = try Self.screen()
    screen.press("4 Z")
    let before = screen.watched.last?.document
    screen.click(1, 30)
    #expect(screen.watched.last?.document == before)
    #expect(screen.hears("Results"))
  }

  @Test("a click beside an open pane chooses the column that is seen there")
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
