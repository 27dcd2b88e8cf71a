import Explorer
import InstaQL
import TerminalUI
import Testing

@Suite("Fields of a form")
struct FormFieldTests {
  private static func screen(usesVi: Bool = false) throws -> Screen {
    var screen = try Screen(
      columns: 100, rows: 24, query: QueryPlan("plants").order("name"), usesVi: usesVi)
    screen.press("4 0 a")
    return screen
  }

  @Test(
    "are edited with the keys of every line",
    arguments: [
      ("left left", "ab|cd"), ("home", "|abcd"), ("home right", "a|bcd"), ("ctrl-a", "|abcd"),
      ("home end", "abcd|"), ("left ctrl-u", "|d"), ("left left ctrl-k", "ab|"), ("ctrl-w", "|"),
      ("home delete", "|bcd"), ("left backspace", "ab|d"),
    ])
  func keys(_ keys: String, _ left: String) throws {
    var screen = try Self.screen()
    screen.type("abcd")
    let row = try #require(screen.place(of: "abcd")).row
    screen.press(keys)
    screen.type("|")
    #expect(screen.row(row).contains(" \(left) "))
  }

  @Test("a click moves the cursor, in the edited field and in others")
  func clicks() throws {
    var screen = try Self.screen()
    screen.type("abcd")
    let (row, column) = try #require(screen.place(of: "abcd"))
    screen.click(row, column + 2)
    screen.type("|")
    #expect(screen.row(row).contains("ab|cd"))
    screen.press("down")
    screen.click(row, column + 1)
    screen.type("-")
    #expect(screen.row(row).contains("a-b|cd"))
    screen.click(row, column + 30)
    screen.type("!")
    #expect(screen.row(row).contains("a-b|cd!"))
  }

  @Test("fields accept vi keys if enabled; a second escape leaves the form")
  func vi() throws {
    var screen = try Self.screen(usesVi: true)
    screen.type("Red oak")
    let row = try #require(screen.place(of: "Red oak")).row
    screen.press("escape b x i")
    screen.type("O")
    #expect(screen.row(row).contains("Red Oak"))
    screen.press("escape 0 d w")
    #expect(screen.row(row).contains("Oak") && !screen.row(row).contains("Red"))
    screen.press("j")
    screen.type("12")
    screen.press("escape k u")
    #expect(screen.row(row).contains("Red Oak"))
    screen.press("escape")
    #expect(screen.text.contains("escape discard the input"))
    screen.press("escape")
    #expect(screen.hears("Results"))
  }
}
