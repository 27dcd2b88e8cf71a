import Explorer
import InstaQL
import TerminalUI
import Testing

@Suite("The right button of the mouse")
struct MouseMenuTests {
  private static func screen(readOnlyReason: String? = nil) throws -> Screen {
    try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants").order("name"),
      readOnlyReason: readOnlyReason)
  }

  private static func rightClick(_ text: String, in screen: inout Screen) throws {
    let (row, column) = try #require(screen.place(of: text), "\(screen.text)")
    screen.mouse(.press(.right, clicks: 1), row, column)
    screen.mouse(.release(.right), row, column)
  }

  @Test("it opens a menu for a cell, whose keys work")
  func cell() throws {
    var screen = try Self.screen()
    try Self.rightClick("Mint", in: &screen)
    expectBlock(
      """
      ╭─ name ──────────────────────────────────────╮
      │ ↵  open this row                            │
      │ >  expand linked rows or nested values      │
      │ f  filter by this value: = != > < like …    │
      │ X  exclude this value                       │
      │ s  sort by this column                      │
      │ z  count the values of this column          │
      │ e  edit this value                          │
      │ ␣  select this row                          │
      │ y  copy                                     │
      │ x  explain why this row matches             │
      │ d  delete this row …                        │
      ╰─────────────────────────────────────────────╯
      """, in: screen.text)
    screen.press("f")
    #expect(screen.text.contains("Filter by name"))
    #expect(screen.text.contains("name = \"Mint\""))
    screen.press("escape")
    #expect(screen.hears("Results"))
  }

  @Test("its entries describe the row under the mouse")
  func words() throws {
    var screen = try Self.screen()
    try Self.rightClick("Mint", in: &screen)
    #expect(screen.text.contains("select this row") && screen.text.contains("delete this row …"))
    screen.press("space up")
    try Self.rightClick("Mint", in: &screen)
    #expect(screen.text.contains("deselect this row"), "\(screen.text)")
    #expect(screen.text.contains("delete the selected rows …"), "\(screen.text)")
    screen.press("space")
    try Self.rightClick("South wall", in: &screen)
    #expect(screen.text.contains("unlink from bed …"), "\(screen.text)")
    screen.press("escape")
    try Self.rightClick("plants order", in: &screen)
    #expect(screen.text.contains("edit the query"), "\(screen.text)")
    screen.press("escape")
    try Self.rightClick("→ beds", in: &screen)
    #expect(screen.text.contains("open the linked namespace"), "\(screen.text)")
  }

  @Test("in a tree, it selects the line under the mouse")
  func tree() throws {
    var screen = try Self.screen()
    screen.press("v")
    let (row, column) = try #require(screen.place(of: "Mint"), "\(screen.text)")
    try Self.rightClick("Mint", in: &screen)
    screen.press("escape")
    let cell = screen.workspace.view().cell(row: row, column: column)
    #expect(cell.paint.ground == .selection, "\(screen.text)")
  }

  @Test("it works on any screen size", arguments: [(1, 24), (2, 24), (1, 1), (80, 1), (3, 3)])
  func smallest(columns: Int, rows: Int) throws {
    for button in [Mouse.Button.right, .left, .middle] {
      for row in 0..<rows {
        var screen = try Self.screen()
        screen.handle(.terminal(.resize(Size(columns: columns, rows: rows))))
        screen.mouse(.press(button, clicks: 1), row, 0)
        screen.mouse(.release(button), row, 0)
        _ = screen.text
        screen.handle(.terminal(.resize(Size(columns: 110, rows: 24))))
        #expect(screen.text.contains("Mint"))
      }
    }
  }

  @Test("it offers nothing on the borders", arguments: [22, 4, 1])
  func borders(row: Int) throws {
    var screen = try Self.screen()
    let before = screen.text
    #expect(screen.text.split(separator: "\n")[row].contains("─────"))
    screen.mouse(.press(.right, clicks: 1), row, 60)
    screen.mouse(.release(.right), row, 60)
    #expect(screen.text == before)
  }

  @Test("a click in the menu performs the entry and closes it")
  func choosing() throws {
    var screen = try Self.screen()
    try Self.rightClick("Mint", in: &screen)
    let (row, column) = try #require(screen.place(of: "open this row"))
    screen.click(row, column)
    #expect(screen.hears("Record"))
    screen.press("escape")
    #expect(screen.hears("Results"))
  }

  @Test("on a column title it offers column actions and does not sort")
  func column() throws {
    var screen = try Self.screen()
    let before = screen.watched.last?.document.text
    try Self.rightClick("height", in: &screen)
    #expect(screen.hears("Menu"))
    #expect(screen.watched.last?.document.text == before)
    screen.press("s")
    #expect(screen.watched.last?.document.text == "plants order height")
  }

  @Test("on a read-only store it offers no edits")
  func readOnly() throws {
    var screen = try Self.screen(readOnlyReason: "It is open read-only")
    try Self.rightClick("Mint", in: &screen)
    #expect(screen.hears("Menu"))
    #expect(!screen.text.contains("edit this value"))
    #expect(!screen.text.contains("delete this row"))
  }

  @Test("a menu at the edge fits on the screen")
  func edge() throws {
    var screen = try Screen(columns: 60, rows: 14, query: QueryPlan("plants").order("name"))
    screen.mouse(.press(.right, clicks: 1), 11, 58)
    #expect(screen.hears("Menu"))
    #expect(screen.text.contains("╯"))
  }

  @Test("the middle button, and the right one over a menu, do nothing", arguments: Scene.allCases)
  func nothing(_ scene: Scene) throws {
    var screen = try SceneState.usual.screen(of: scene)
    let before = screen.text
    let size = screen.workspace.view().size
    for row in stride(from: 0, to: size.rows, by: 3) {
      for column in stride(from: 0, to: size.columns, by: 7) {
        screen.mouse(.press(.middle, clicks: 1), row, column)
        screen.mouse(.drag(.middle), row, column)
        screen.mouse(.release(.middle), row, column)
        screen.mouse(.release(.right), row, column)
        screen.mouse(.drag(.right), row, column)
      }
    }
    #expect(screen.text == before)
  }

  @Test("the wheel neither opens nor closes anything", arguments: Scene.allCases)
  func wheel(_ scene: Scene) throws {
    var screen = try SceneState.usual.screen(of: scene)
    let notice = screen.notice
    let size = screen.workspace.view().size
    for action in [Mouse.Action.scrollDown, .scrollUp, .scrollRight, .scrollLeft] {
      for row in stride(from: 0, to: size.rows, by: 5) {
        for column in stride(from: 0, to: size.columns, by: 13) {
          screen.mouse(action, row, column)
        }
      }
      #expect(scene.isFocused(on: screen), "\(action):\n\(screen.text)")
    }
    // The key hints depend on the column, which the wheel can move.
    if scene.focus != nil { #expect(screen.notice == notice) }
  }
}
