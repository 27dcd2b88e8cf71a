import InstaQL
import TerminalUI
import Testing
import Triples

@testable import Explorer

@Suite("Long values of a record")
struct LongValueTests {
  /// The record of Fig, whose note and care have these JSON values.
  private static func screen(
    note: String = "null", care: String = "null", columns: Int = 100, rows: Int = 24,
    keys: String = "4 0 enter"
  ) throws -> Screen {
    let plants =
      #"[{"key": "fig", "name": "Fig", "bed": "south", "note": \#(note), "care": \#(care)}]"#
    var screen = try Screen(
      columns: columns, rows: rows, query: QueryPlan("plants"),
      store: try Garden.store(plants: plants))
    screen.press(keys)
    return screen
  }

  /// A text of so many lines as a JSON value.
  private static func verses(_ count: Int) -> String {
    #""\#((1...count).map { "verse \($0)" }.joined(separator: #"\n"#))""#
  }

  /// Moves the cursor to a line with a text.
  private static func go(to text: String, in screen: inout Screen) {
    for _ in 0..<40 where screen.workspace.view().selectedText?.contains(text) != true {
      screen.press("down")
    }
  }

  @Test("a long text ends with the number of hidden lines, and expands and collapses")
  func text() throws {
    var screen = try Self.screen(note: Self.verses(40))
    let shown = screen.text.matches(of: #/verse \d+/#).count
    #expect(shown >= 5, "\(screen.text)")
    #expect(screen.text.contains("… \(40 - shown) more lines"), "\(screen.text)")
    #expect(screen.text.contains(#/→ bed +South wall/#), "\(screen.text)")
    Self.go(to: "more lines", in: &screen)
    #expect(screen.row(23).contains("> expand"), "\(screen.text)")
    screen.press(">")
    #expect(!screen.text.contains("more lines"), "\(screen.text)")
    let selected = screen.workspace.view().selectedText
    #expect(selected?.contains("verse \(shown + 1)") == true, "\(screen.text)")
    #expect(screen.row(23).contains("< collapse"), "\(screen.text)")
    screen.press("<")
    #expect(screen.text.contains("… \(40 - shown) more lines"), "\(screen.text)")
    screen.press("*")
    #expect(!screen.text.contains("more lines"), "\(screen.text)")
    screen.press("*")
    #expect(screen.text.contains("… \(40 - shown) more lines"), "\(screen.text)")
  }

  @Test("a text is not collapsed if the record fits the pane, or for a single line")
  func enoughSpace() throws {
    let whole = try Self.screen(note: Self.verses(12), rows: 60)
    #expect(whole.text.contains("verse 12") && !whole.text.contains("more lines"), "\(whole.text)")
    let six = try Self.screen(note: Self.verses(6), rows: 12)
    #expect(!six.text.contains("more line"), "\(six.text)")
  }

  @Test("next to the rows, the other fields stay visible")
  func preview() throws {
    let screen = try Self.screen(note: Self.verses(40), columns: 160, keys: "4 0")
    #expect(screen.text.contains(#/… \d+ more lines/#), "\(screen.text)")
    #expect(screen.text.contains(#/→ bed +South wall/#), "\(screen.text)")
  }

  @Test("the lines of a very long text are not counted")
  func veryLong() throws {
    let note = #""\#(String(repeating: "word ", count: 100_000))""#
    let screen = try Self.screen(note: note)
    #expect(screen.text.contains("… more "), "\(screen.text)")
    #expect(!screen.text.contains("more lines"))
  }

  @Test("a cell of the table contains only the beginning of a very long value")
  func cell() {
    let text = String(repeating: "x", count: 100_000)
    #expect(CellText(.text(text)).text == String(repeating: "x", count: 500))
    #expect(CellText(.array([.text(text)])).text == "[\"" + String(repeating: "x", count: 498))
  }

  @Test("a long list shows its first lines, and collapses like any list")
  func list() throws {
    let items = (1...50).map { #""item \#($0)""# }.joined(separator: ", ")
    var screen = try Self.screen(care: "[\(items)]")
    #expect(screen.text.contains(#/… \d+ more lines/#), "\(screen.text)")
    #expect(screen.text.contains(#/→ bed +South wall/#), "\(screen.text)")
    Self.go(to: "▾ [50]", in: &screen)
    screen.press("<")
    #expect(screen.text.contains("▸ [50]") && !screen.text.contains("more lines"))
    screen.press(">")
    #expect(screen.text.contains("▾ [50]") && screen.text.contains("more lines"))
    screen.press("down >")
    #expect(!screen.text.contains("more lines"), "\(screen.text)")
    #expect(screen.workspace.view().selectedText?.contains("item 1") == true, "\(screen.text)")
    screen.press("<")
    #expect(screen.workspace.view().selectedText?.contains("▸ [50]") == true, "\(screen.text)")
  }

  @Test("a match in a hidden line expands it")
  func search() throws {
    var screen = try Self.screen(note: Self.verses(40))
    screen.press("/")
    screen.type("verse 33")
    screen.press("enter")
    let found = screen.workspace.view().selectedText(of: .matchCurrent)
    #expect(found?.contains("verse 33") == true, "\(screen.text)")
    screen.press("/")
    screen.type("verse 44")
    #expect(screen.text.contains("No match"), "\(screen.text)")
  }
}
