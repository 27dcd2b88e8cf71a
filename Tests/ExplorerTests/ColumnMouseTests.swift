import Explorer
import InstaQL
import Notebooks
import TerminalUI
import Testing

@Suite("Mouse on columns")
struct ColumnMouseTests {
  private static func screen() throws -> Screen {
    try Screen(columns: 120, rows: 20, query: QueryPlan("plants").order("name"))
  }

  /// Where a column's title stands: its row on the screen, and the column at which it begins.
  private static func place(of title: String, in screen: Screen) throws -> (row: Int, column: Int) {
    let rows = screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let row = try #require(rows.firstIndex { $0.contains("↑name ") && $0.contains("edible") })
    let place = try #require(rows[row].firstRange(of: title))
    return (row, rows[row].distance(from: rows[row].startIndex, to: place.lowerBound))
  }

  private static func mouse(
    _ screen: inout Screen, _ action: Mouse.Action, _ row: Int, _ column: Int
  ) {
    screen.handle(.terminal(.mouse(Mouse(action, row: row, column: column))))
  }

  @Test("dragging the right edge of a title sets the width and persists it on release")
  func edge() throws {
    var screen = try Self.screen()
    let (row, next) = try Self.place(of: "edible", in: screen)
    let before = screen.effects.count
    // The blank before the next title belongs to the edge.
    Self.mouse(&screen, .press(.left, clicks: 1), row, next - 1)
    Self.mouse(&screen, .drag(.left), row, next + 6)
    #expect(try Self.place(of: "edible", in: screen).column == next + 8)
    #expect(screen.effects.count == before)
    Self.mouse(&screen, .release(.left), row, next + 6)
    #expect(screen.effects.count == before + 1)
    // It was no click: nothing is ordered by it.
    #expect(screen.watched.last?.document.text == "plants order name")
    Self.mouse(&screen, .drag(.left), row, next + 20)
    #expect(try Self.place(of: "edible", in: screen).column == next + 8)
  }

  @Test("a column keeps a minimum width, however far its edge is dragged", arguments: [-90, 900])
  func far(by columns: Int) throws {
    var screen = try Self.screen()
    let (row, next) = try Self.place(of: "edible", in: screen)
    Self.mouse(&screen, .press(.left, clicks: 1), row, next - 2)
    Self.mouse(&screen, .drag(.left), row, next + columns)
    Self.mouse(&screen, .release(.left), row, next + columns)
    #expect(screen.text.split(separator: "\n").count == 20)
    let width = columns < 0 ? 2 : 200
    guard case .save(.columns(let settings, _))? = screen.effects.last else {
      Issue.record("Nothing is remembered")
      return
    }
    #expect(settings.widths["height"] == width)
  }

  @Test("a click on a title sorts, and the wheel scrolls sideways")
  func others() throws {
    var screen = try Self.screen()
    let (row, column) = try Self.place(of: "edible", in: screen)
    Self.mouse(&screen, .press(.left, clicks: 1), row, column)
    #expect(screen.watched.last?.document.text == "plants order edible")
    let before = screen.text(on: [.cursorCell])
    Self.mouse(&screen, .scrollRight, row + 2, column)
    #expect(screen.text(on: [.cursorCell]) != before)
    Self.mouse(&screen, .scrollLeft, row + 2, column)
    #expect(screen.text(on: [.cursorCell]) == before)
  }
}
