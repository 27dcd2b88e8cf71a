import Explorer
import InstaQL
import Testing
import Triples

@Suite("Unlinking one of many")
struct UnlinkTests {
  private func screen(plants count: Int) throws -> Screen {
    let plants = (1...count).map { #"{"key": "p\#($0)", "name": "Plant \#($0)", "bed": "south"}"# }
    let store = try Garden.store(plants: "[" + plants.joined(separator: ",\n") + "]")
    return try Screen(
      columns: 110, rows: 40,
      query: QueryPlan("beds").filter(
        .compare(AttributePath(["key"]), .equal, .text("south"))), store: store)
  }

  @Test("letters move the cursor of the menu, and enter unlinks")
  func letters() throws {
    var screen = try screen(plants: 30)
    screen.press("4 $ d")
    #expect(screen.text.contains("Unlink from plants"))
    for _ in 0..<20 { screen.press("j") }
    screen.press("k")
    #expect(screen.transactions.isEmpty)
    #expect(screen.text.contains("Unlink from plants"))
    screen.press("enter")
    #expect(screen.text.contains("Plant 20 unlinked"))
    #expect(screen.transactions.count == 1)
  }

  @Test("the first nine have a digit")
  func digits() throws {
    var screen = try screen(plants: 30)
    screen.press("4 $ d 9")
    #expect(screen.text.contains("Plant 9 unlinked"))
  }

  @Test(
    "a key without a line in the menu does not reach the pane below",
    arguments: ["d", "x", "t", "w", "e", "tab", "ctrl-w"])
  func swallowed(key: String) throws {
    var screen = try screen(plants: 3)
    screen.press("4 $ d \(key)")
    #expect(
      screen.row(39).contains("\(key) does nothing in this menu.  escape close"), "\(screen.text)")
    screen.press("escape")
    #expect(!screen.text.contains("Unlink from plants"))
    #expect(screen.hears("Results") && screen.transactions.isEmpty)
  }

  @Test("keys for the program work above the menu")
  func global() throws {
    var screen = try screen(plants: 3)
    screen.press("4 $ d alt-t")
    #expect(screen.effects.last == .theme(.next))
    screen.press("ctrl-l")
    #expect(screen.effects.last == .redraw)
    // What the palette names is not done beneath the menu either.
    screen.press(":")
    screen.type("new tab")
    screen.press("enter escape")
    #expect(screen.text.contains("Unlink from plants") && !screen.row(0).contains("beds]"))
  }

  @Test("omitted targets are mentioned")
  func more() throws {
    var screen = try screen(plants: 1_100)
    screen.press("4 $ d")
    #expect(screen.text.contains("the first 1,000 of 1,100"))
  }
}
