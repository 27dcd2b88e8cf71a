import Explorer
import InstaQL
import TerminalUI
import Testing

@Suite("Mouse while typing")
struct TypingMouseTests {
  private static func screen(columns: Int = 110, usesVi: Bool = false) throws -> Screen {
    try Screen(
      columns: columns, rows: 24, query: QueryPlan("plants").order("name"), usesVi: usesVi)
  }

  @Test("a click in the line sets the cursor")
  func cursor() throws {
    var screen = try Self.screen()
    screen.press("F")
    screen.type("height > 30")
    let (row, column) = try #require(screen.place(of: "height > 30"))
    screen.click(row, column)
    screen.type("!")
    #expect(screen.text.contains("!height > 30"))
    screen.click(row, column + 40)
    screen.type("?")
    #expect(screen.text.contains("!height > 30?"))
    screen.click(row, column + 1)
    screen.press("backspace")
    #expect(screen.text.contains(" height > 30?"))
  }

  @Test("the cursor follows a dragging mouse over characters of any width")
  func wide() throws {
    var screen = try Self.screen()
    screen.press("F")
    screen.type("name = \"龜e\u{301}x\"")
    let (row, column) = try #require(screen.place(of: "name = \""))
    for (offset, before) in [(8, "龜"), (9, "龜"), (10, "e\u{301}"), (11, "x"), (12, "\"")] {
      var trial = screen
      trial.click(row, column)
      trial.mouse(.drag(.left), row, column + offset)
      trial.type("|")
      #expect(trial.text.contains("|" + before), "column \(offset): \(trial.row(row))")
    }
  }

  @Test("a click in a scrolled line hits the visible character")
  func long() throws {
    var screen = try Self.screen()
    screen.press("Q")
    screen.type("limit 1" + String(repeating: "0", count: 150) + "7890")
    let (row, column) = try #require(screen.place(of: "7890"))
    screen.click(row, column + 1)
    screen.type("X")
    #expect(screen.text.contains("07X") || screen.text.contains("7X890"), "\(screen.row(row))")
    screen.press("ctrl-k")
    screen.type("Y")
    #expect(screen.text.contains("7XY "), "\(screen.row(row))")
  }

  @Test("in vi's command mode, the cursor stays on a character")
  func vi() throws {
    var screen = try Self.screen(usesVi: true)
    screen.press("F")
    screen.type("abc")
    screen.press("escape")
    let (row, column) = try #require(screen.place(of: "abc"))
    screen.click(row, column + 30)
    screen.press("x")
    #expect(screen.text.contains(" ab "))
  }

  @Test("a click accepts a completion, and the wheel scrolls the list")
  func completion() throws {
    var screen = try Self.screen()
    screen.press("Q")
    screen.press("ctrl-u")
    screen.type("plants order ")
    let before = screen.text
    let (row, column) = try #require(screen.place(of: " height "))
    screen.mouse(.scrollDown, row, column)
    screen.mouse(.scrollUp, row, column)
    #expect(screen.text == before)
    screen.click(row, column + 1)
    #expect(screen.text.contains("plants order height"))
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants order height")
  }

  @Test("the wheel scrolls the pane under the mouse, and the line stays")
  func wheel() throws {
    var screen = try Screen(
      columns: 110, rows: 16, query: QueryPlan("plants").order("name"),
      store: Garden.store(
        plants: "["
          + (10..<60).map { #"{"key": "k\#($0)", "name": "P\#($0)"}"# }.joined(separator: ",") + "]"
      ))
    screen.press("F")
    screen.type("height")
    screen.press("escape")
    #expect(screen.text.contains("P10"))
    screen.press("F")
    screen.mouse(.scrollDown, 9, 60)
    #expect(!screen.text.contains("P10") && screen.text.contains("─ Filter ─"))
  }

  @Test("a click elsewhere closes an unchanged line and takes effect")
  func untouched() throws {
    var screen = try Self.screen()
    screen.press("F")
    let (row, column) = try #require(screen.place(of: "Iris"))
    screen.click(row, column)
    #expect(!screen.text.contains("─ Filter ─"))
    #expect(screen.text(on: [.cursorCell]).contains("Iris"))
  }

  @Test("a click never discards typed text and shows what to press")
  func typed() throws {
    var screen = try Self.screen()
    screen.press("4 G")
    let chosen = screen.text(on: [.selectionUnfocused, .selection])
    screen.press("F")
    screen.type("height > 30x")
    let (row, column) = try #require(screen.place(of: "Fig"))
    screen.click(row, column)
    #expect(screen.text.contains("height > 3"))
    #expect(screen.notice == .unappliedInput)
    screen.press("escape")
    #expect(screen.text(on: [.selectionUnfocused, .selection]) == chosen)
  }

  @Test("a search keeps its match after a click elsewhere")
  func find() throws {
    var screen = try Self.screen()
    screen.press("/ i r i")
    let (row, column) = try #require(screen.place(of: "Mint"))
    screen.click(row, column)
    #expect(!screen.text.contains("─ Find ─"))
    #expect(screen.text(on: [.cursorCell]).contains("Mint"))
    screen.press("N")
    #expect(screen.text(on: [.cursorCell, .matchCurrent, .selection]).contains("Iris"))
  }

  @Test("hints in the last line can be clicked, also while typing")
  func footer() throws {
    var screen = try Self.screen()
    screen.press("1")
    let (row, column) = try #require(screen.place(of: "Q query"))
    #expect(row == 23)
    screen.click(row, column)
    #expect(screen.text.contains("─ Query ─"))
    screen.type("limit 2")
    let apply = try #require(screen.place(of: "enter apply"))
    screen.click(apply.row, apply.column + 8)
    #expect(screen.watched.last?.document.text == "plants order name limit 2")
    screen.press("F")
    screen.type("height > 30x")
    let leave = try #require(screen.place(of: "escape cancel"))
    screen.click(leave.row, leave.column)
    #expect(!screen.text.contains("─ Filter ─"))
  }

  @Test("while suggestions are listed, the last line says what Escape and Enter do")
  func hintsOfList() throws {
    var screen = try Self.screen()
    screen.press("F")
    screen.type("hei")
    #expect(screen.row(23).hasPrefix(" enter apply  escape close list"), "\(screen.text)")
    screen.press("down")
    #expect(screen.row(23).hasPrefix(" enter accept  escape close list"), "\(screen.text)")
    let close = try #require(screen.place(of: "escape close list"))
    screen.click(close.row, close.column)
    #expect(screen.row(23).hasPrefix(" enter apply  escape cancel"), "\(screen.text)")
    #expect(screen.text.contains("─ Filter ─"))
    let cancel = try #require(screen.place(of: "escape cancel"))
    screen.click(cancel.row, cancel.column)
    #expect(!screen.text.contains("─ Filter ─"))
  }

  @Test("a click on a notice only dismisses it")
  func notice() throws {
    var screen = try Self.screen()
    screen.press("'")
    #expect(screen.row(23).contains("does nothing"))
    let effects = screen.effects.count
    screen.click(23, 2)
    #expect(screen.row(23).contains("filter") && screen.effects.count == effects)
  }

  @Test("the line of a zoomed pane can be clicked")
  func below() throws {
    var screen = try Self.screen()
    screen.press("D /")
    screen.type("abcd")
    let (row, column) = try #require(screen.place(of: "abcd"))
    #expect(row == 23)
    screen.click(row, column + 2)
    screen.type("|")
    #expect(screen.row(23).contains("ab|cd"))
  }
}

extension Screen {
  /// Where a text stands first on the screen.
  func place(of text: String) -> (row: Int, column: Int)? {
    let frame = workspace.view()
    for row in 0..<frame.size.rows {
      let line = frame.text(row: row)
      guard let found = line.firstRange(of: text) else { continue }
      return (row, TextWidth.columns(of: String(line[..<found.lowerBound])))
    }
    return nil
  }

  mutating func mouse(
    _ action: Mouse.Action, _ row: Int, _ column: Int, _ modifiers: Key.Modifiers = []
  ) {
    handle(.terminal(.mouse(Mouse(action, row: row, column: column, modifiers: modifiers))))
  }

  /// Clicks several times at one position.
  mutating func click(_ row: Int, _ column: Int, times: Int = 1) {
    for number in 1...times {
      mouse(.press(.left, clicks: number), row, column)
      mouse(.release(.left), row, column)
    }
  }
}
