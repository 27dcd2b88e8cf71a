import Explorer
import TerminalUI
import Testing

@Suite("Settings that are saved while the screen is open")
struct HabitsTests {
  @Test("keys and the store's label hold at once; only what is new is wished of the terminal")
  func habits() throws {
    var screen = try Screen(columns: 100, rows: 20)
    let quit = try #require(Intent(named: "quit"))
    let key = try #require(Key(named: "f9"))
    screen.handle(
      .habits(
        Habits(
          keymap: .standard.changed([quit: [key]]), label: "PRODUCTION", remark: Notice("Saved"))))
    #expect(screen.row(0).hasPrefix(" sonde   PRODUCTION   garden"))
    #expect(screen.row(19).contains("Saved"))
    #expect(
      screen.effects.filter { $0 == .mouse(isOn: false) || $0 == .theme(.named("nord")) }.isEmpty)
    screen.press("q")
    #expect(!screen.effects.contains(.quit(status: 0)))
    screen.handle(.habits(Habits(theme: "nord", isMouseOn: false)))
    #expect(screen.effects.contains(.theme(.named("nord"))))
    #expect(screen.effects.contains(.mouse(isOn: false)))
    #expect(!screen.text.contains("PRODUCTION"))
    screen.press("q")
    #expect(screen.effects.contains(.quit(status: 0)))
  }

  @Test("tabs stand right of the label, and are clicked there")
  func tabs() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.handle(.habits(Habits(label: "LIVE")))
    screen.press("t")
    let row = screen.row(0)
    #expect(row.hasPrefix(" sonde   LIVE    beds [beds]"), "\(row)")
    screen.handle(.terminal(.mouse(Mouse(.press(.left, clicks: 1), row: 0, column: 17))))
    #expect(screen.row(0).contains("LIVE   [beds] beds "), "\(screen.row(0))")
  }

  @Test("the tab that is shown lies on its own ground, where its letters can be read")
  func tabGround() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.press("t")
    let column = try #require(screen.row(0).firstRange(of: "[beds]"))
    let place = screen.row(0).distance(from: screen.row(0).startIndex, to: column.lowerBound)
    #expect(screen.model.view().cell(row: 0, column: place).paint == Paint(.tabActive))
  }

  @Test("a label of hostile or endless text stays in its place")
  func hostile() throws {
    var screen = try Screen(columns: 60, rows: 20)
    screen.handle(
      .habits(Habits(label: "\u{1B}[2J" + String(repeating: "漢", count: 4_000))))
    #expect(!screen.text.unicodeScalars.contains("\u{1B}"))
    #expect(screen.row(0).contains("garden"))
  }

  @Test("saved themes are read again")
  func themes() throws {
    var screen = try Screen(columns: 60, rows: 20)
    screen.handle(.themesSaved)
    #expect(screen.effects.contains(.theme(.reread)))
  }
}
