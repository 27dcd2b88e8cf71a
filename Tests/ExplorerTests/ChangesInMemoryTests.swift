import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("Changes that are only in memory")
struct ChangesInMemoryTests {
  private static func screen(_ keys: String) throws -> Screen {
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants").order("name"), losesChanges: true)
    screen.press(keys)
    return screen
  }

  @Test("the notice says so, and quitting asks once")
  func quitting() throws {
    var screen = try Self.screen("l e ctrl-u 2 5 1 enter")
    #expect(
      screen.text.contains("height updated, in memory only.  U undo  E export"), "\(screen.text)")
    screen.press("q")
    #expect(screen.text.contains("1 change only in memory"), "\(screen.text)")
    #expect(screen.text.contains("changes in memory are lost, unless exported"))
    screen.press("k")
    #expect(!screen.text.contains("1 change only in memory"))
    #expect(!screen.effects.contains(.quit(status: 0)))
    screen.press("q q")
    #expect(screen.effects.last == .quit(status: 0))
  }

  @Test("they can be exported before quitting")
  func exporting() throws {
    var screen = try Self.screen("l e ctrl-u 2 5 1 enter q e")
    #expect(screen.text.contains("─ Export ─"), "\(screen.text)")
    screen.press("enter")
    #expect(try #require(screen.ordered).path == "plants.csv")
  }

  @Test("staged changes are counted separately until they are sent")
  func staged() throws {
    var screen = try Self.screen("l e ctrl-u 2 5 1 enter P e ctrl-u 2 5 2 enter q")
    #expect(
      screen.text.contains("1 change staged, 1 change only in memory"), "\(screen.text)")
    screen.press("s q")
    #expect(screen.text.contains("2 changes only in memory"), "\(screen.text)")
  }

  @Test("without changes, or once they are undone, there is no question")
  func undone() throws {
    for keys in ["", "l e ctrl-u 2 5 1 enter U"] {
      var screen = try Self.screen(keys)
      screen.press("q")
      #expect(screen.effects.last == .quit(status: 0), "after \(keys)")
    }
  }

  @Test("closing a store asks, too, and quitting asks for all stores")
  func closing() throws {
    var screen = try ManyStores.gardenAndPlan(losesChanges: true)
    let (garden, plan) = (screen.ids[0], screen.ids[1])
    screen.handle(.changes(nil, ChangesState(version: 1, madeCount: 2)), of: plan)
    screen.press("q")
    #expect(screen.text.contains("plan.sonde: 2 changes only in memory"), "\(screen.text)")
    // Only rows of the visible store can be exported.
    #expect(!screen.text.contains("rows or all of"))
    screen.press("k . ctrl-w")
    #expect(screen.text.contains("2 changes only in memory"))
    #expect(screen.text.contains("rows or all of plan.sonde"), "\(screen.text)")
    #expect(screen.ids == [garden, plan])
    screen.press("c")
    #expect(screen.ids == [garden])
    screen.press("q")
    #expect(screen.effects.last?.effect == .quit(status: 0))
  }
}
