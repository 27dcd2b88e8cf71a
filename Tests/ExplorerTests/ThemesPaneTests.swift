import Explorer
import TerminalUI
import Testing

@Suite("The list of themes")
struct ThemesPaneTests {
  private static func screen(isScreenReader: Bool = false) throws -> Screen {
    var screen = try Screen(columns: 120, rows: 24, isScreenReader: isScreenReader)
    screen.press("A")
    return screen
  }

  /// The names of the themes that were shown, one after the other; `-` for the one before.
  private static func shown(_ screen: Screen) -> [String] {
    screen.effects.compactMap { effect in
      guard case .theme(.preview(let theme)) = effect else { return nil }
      return theme?.name ?? "-"
    }
  }

  @Test("the cursor starts at the current theme, and the whole screen previews the selected one")
  func preview() throws {
    var screen = try Self.screen()
    #expect(screen.text(on: [.selection]).hasPrefix("sonde-dark"))
    #expect(screen.line(with: "sonde-dark")?.contains("current") == true)
    screen.press("up up")
    // A broken one cannot be shown: the one before is.
    #expect(Self.shown(screen) == ["sonde-dark", "mono", "-"])
    screen.press("up")
    #expect(Self.shown(screen).last == "daylight")
  }

  @Test("enter keeps the theme and reports it after the list is closed")
  func keep() throws {
    var screen = try Self.screen()
    screen.press("up enter")
    #expect(!screen.text.contains("─ Themes ─"))
    let last = screen.effects.suffix(2)
    guard case .theme(.keep(let theme))? = last.first, last.last == .theme(.preview(nil)) else {
      Issue.record("\(last)")
      return
    }
    #expect(theme.name == "mono")
  }

  @Test(
    "leaving the list in any way restores the previous theme",
    arguments: ["escape", "ctrl-c", "tab", "f10"])
  func left(by way: String) throws {
    let more = Keymap.standard.changed([.paneResults: [.function(10)]])
    var screen = try Screen(columns: 120, rows: 24, keymap: more)
    screen.press("A up")
    screen.press(way)
    #expect(!screen.text.contains("─ Themes ─"), "\(screen.text)")
    #expect(Self.shown(screen).last == "-")
  }

  @Test("another tab has no preview; the first one still has the list open")
  func tabs() throws {
    var screen = try Screen(columns: 120, rows: 24)
    screen.press("t A up")
    #expect(Self.shown(screen).last == "mono")
    screen.click(0, 10)
    #expect(Self.shown(screen).last == "-")
    screen.click(0, 17)
    #expect(Self.shown(screen).last == "mono")
  }

  @Test("an invalid theme file shows its error with the line and cannot be kept")
  func broken() throws {
    var screen = try Self.screen()
    screen.press("up up")
    #expect(screen.text.contains("Did you mean 'title'?"))
    let before = screen.effects.count
    screen.press("enter")
    #expect(screen.effects.count == before)
    #expect(screen.row(23).contains("line 3: unknown role 'titel'"))
  }

  @Test("typing filters by name, kind and owner")
  func narrow() throws {
    for (typed, names) in [
      ("mon", ["mono"]), ("LIGHT", ["daylight"]), ("yours", ["daylight", "midnight"]),
      ("dark", ["sonde-dark"]), ("no colors", ["mono"]),
    ] {
      var screen = try Self.screen()
      screen.type(typed)
      let listed = ["daylight", "midnight", "mono", "sonde-dark"].filter {
        screen.text.contains("│ \($0) ")
      }
      #expect(listed == names, "\(typed):\n\(screen.text)")
    }
    var screen = try Self.screen()
    screen.type("zzz")
    #expect(screen.text.contains("No match"))
    #expect(Self.shown(screen).last == "-")
    screen.press("enter")
    #expect(screen.notice == .noMatch)
    screen.press("backspace backspace backspace")
    #expect(screen.text.contains("mono"))
  }

  @Test("a click previews, a second click keeps, and the wheel scrolls the list")
  func mouse() throws {
    var screen = try Self.screen()
    let (row, column) = try #require(screen.place(of: "mono"))
    screen.click(row, column)
    #expect(Self.shown(screen).last == "mono")
    screen.mouse(.scrollDown, row, column)
    #expect(Self.shown(screen).last == "mono")
    screen.mouse(.press(.left, clicks: 2), row, column)
    guard case .theme(.keep)? = screen.effects.dropLast().last else {
      Issue.record("\(screen.effects.suffix(2))")
      return
    }
  }

  @Test("a sample shows the roles in their own styles")
  func sample() throws {
    let screen = try Self.screen()
    let frame = screen.workspace.view()
    for (role, word) in [(Role.string, "string"), (.error, "error"), (.link, "link →")] {
      let place = try #require(screen.place(of: " \(word) "))
      #expect(frame.cell(row: place.row, column: place.column + 1).paint.ink == role, "\(word)")
    }
  }

  @Test("a theme file changed while the list is open is reloaded")
  func saved() throws {
    var screen = try Self.screen()
    screen.press("up up")
    var themes = try #require(screen.themes)
    let midnight = Theme(name: "midnight", appearance: .dark, styles: [:])
    themes[1] = ThemeListing(name: "midnight", isOwn: true, reading: .theme(midnight))
    screen.themes = themes
    screen.handle(.themesSaved)
    #expect(Self.shown(screen).last == "midnight")
    #expect(!screen.text.contains("unknown role"))
    screen.press("escape")
    // The list was not requested: a late response opens nothing.
    screen.respond(.themes(themes, kept: "mono"))
    #expect(!screen.text.contains("─ Themes ─"))
  }

  @Test("a screen reader reads lines, with the cursor on the selected theme")
  func linear() throws {
    var screen = try Self.screen(isScreenReader: true)
    screen.press("up")
    let frame = screen.workspace.view()
    let row = try #require(frame.cursor?.row)
    #expect(frame.text(row: row).hasPrefix(" mono"), "\(screen.text)")
    #expect(!screen.text.contains("selection") && !screen.text.contains("─"))
    #expect(screen.row(1).contains("Themes"))
    #expect(screen.text.contains("line 3: unknown role 'titel'"))
  }

  @Test("there are none")
  func nothing() throws {
    var screen = try Screen(columns: 120, rows: 24)
    screen.themes = []
    screen.press("A")
    #expect(screen.text.contains("No theme files found"))
    screen.press("enter down escape")
    #expect(!screen.text.contains("─ Themes ─"))
  }

  @Test("a preview ends, a kept theme stays, and a changed file applies to both")
  func themeState() {
    func theme(_ name: String, _ color: UInt8 = 7) -> Theme {
      Theme(name: name, appearance: .dark, styles: [.text: Style(foreground: .ansi(color))])
    }
    var themeState = EffectRunner.ThemeState(theme("one"))
    themeState.preview(theme("two"))
    themeState.preview(theme("three"))
    #expect(themeState.theme.name == "three" && themeState.kept.name == "one")
    themeState.preview(nil)
    themeState.preview(nil)
    #expect(themeState.theme.name == "one" && themeState.kept.name == "one")
    themeState.preview(theme("two"))
    themeState.show(theme("two"))
    themeState.preview(nil)
    #expect(themeState.theme.name == "two")
    themeState.preview(theme("two"))
    let choice = ThemeChoice(named: { .theme(theme($0, 3)) })
    #expect(themeState.reread(choice) != nil)
    themeState.preview(nil)
    #expect(themeState.theme == theme("two", 3))
  }
}
