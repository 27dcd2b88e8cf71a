import InstaQL
import TerminalUI
import Testing
import Triples
import Widgets

@testable import Explorer

@Suite("Home and End")
struct ListEndTests {
  private static func screen() throws -> Screen {
    try Screen(columns: 120, rows: 24, query: QueryPlan("plants"))
  }

  @Test(
    "go to the ends of each list",
    arguments: [":", "ctrl-o", "4 $ e", "4 0 z", "4 0 enter", "4 y", "4 w", "4 c", "1 c", "A", "C"])
  func lists(way: String) throws {
    var screen = try Self.screen()
    screen.press(way)
    let workspace = screen.workspace
    let pane = try #require(workspace.tab.overlays.last?.pane as? any LinePane)
    let count = pane.lineCount(in: workspace.context(of: workspace.tab.overlays.count - 1))
    screen.press("end")
    #expect(Self.line(in: screen) == max(0, count - 1), "\(screen.text)")
    screen.press("home")
    #expect(Self.line(in: screen) == 0, "\(screen.text)")
  }

  private static func line(in screen: Screen) -> Int? {
    (screen.workspace.tab.overlays.last?.pane as? any LinePane)?.cursor.index
  }

  @Test("go to the ends of the namespaces and of the schema")
  func mainPanes() throws {
    var screen = try Self.screen()
    screen.press("1 home")
    #expect(screen.workspace.chosenNamespace == "beds")
    screen.press("end 2 end")
    #expect(screen.workspace.chosenNamespace == "plants")
    #expect(screen.workspace.line(in: .schema) > 0)
    screen.press("home")
    #expect(screen.workspace.line(in: .schema) == 0)
  }

  @Test("move the cursor in the typed text of a list", arguments: [":", "4 $ e"])
  func fields(way: String) throws {
    var screen = try Self.screen()
    screen.press(way)
    screen.type("o")
    screen.press("home p end w")
    let pane = try #require(screen.workspace.tab.overlays.last?.pane as? any FilteredPane)
    #expect(pane.field.text == "pow", "\(screen.text)")
  }
}
