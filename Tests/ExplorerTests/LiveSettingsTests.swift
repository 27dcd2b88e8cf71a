import Explorer
import TerminalUI
import Testing

@Suite("Live settings")
struct LiveSettingsTests {
  @Test("keys and the store's label apply at once, and only changes reach the terminal")
  func habits() throws {
    var screen = try Screen(columns: 100, rows: 20)
    let quit = try #require(Command(named: "quit"))
    let key = try #require(Key(named: "f9"))
    screen.handle(
      .liveSettings(
        LiveSettings(
          ExplorerSettings(keymap: .standard.changed([quit: [key]])), label: "PRODUCTION",
          remark: Notice("Saved"))))
    #expect(screen.row(0).hasPrefix(" sonde   PRODUCTION   garden"))
    #expect(screen.row(19).contains("Saved"))
    #expect(
      screen.effects.filter { $0 == .mouse(isOn: false) || $0 == .theme(.named("nord")) }.isEmpty)
    screen.press("q")
    #expect(!screen.effects.contains(.quit(status: 0)))
    screen.handle(.liveSettings(LiveSettings(theme: "nord", isMouseOn: false)))
    #expect(screen.effects.contains(.theme(.named("nord"))))
    #expect(screen.effects.contains(.mouse(isOn: false)))
    #expect(!screen.text.contains("PRODUCTION"))
    screen.press("q")
    #expect(screen.effects.contains(.quit(status: 0)))
  }

  @Test("a setting in the palette changes all open stores")
  func toggled() throws {
    var screen = try ManyStores.gardenAndPlan()
    screen.press(":")
    screen.type("vi keys")
    #expect(screen.text.contains("setting: off"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.notice == .settingChanged("vi-keys", isOn: true))
    screen.press(". :")
    screen.type("vi keys")
    #expect(screen.text.contains("setting: on"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.notice == .settingChanged("vi-keys", isOn: false))
  }

  @Test("the palette opens the settings file in the editor")
  func file() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.press(":")
    screen.type("preferences")
    screen.press("enter")
    #expect(screen.notice == .noSettingsFile)
    screen = try Screen(columns: 100, rows: 20, settingsFile: "/home/ada/config.toml")
    screen.press(":")
    screen.type("preferences")
    screen.press("enter")
    let commands = screen.effects.compactMap { effect -> ShellCommand? in
      if case .run(let command, nil) = effect { command } else { nil }
    }
    #expect(commands.map(\.variables) == [["SONDE_SETTINGS": "/home/ada/config.toml"]])
    #expect(commands.map(\.output) == [.terminal])
  }

  @Test("a screen reader keeps motion reduced")
  func fixed() throws {
    var screen = try Screen(columns: 100, rows: 20, isScreenReader: true)
    screen.press(":")
    screen.type("reduced motion")
    screen.press("enter")
    #expect(screen.notice == .motionAlwaysReduced, "\(screen.text)")
  }

  @Test("the mode for screen readers applies at once, and the screen returns without it")
  func screenReader() throws {
    var screen = try Screen(columns: 100, rows: 20)
    let before = screen.text
    screen.handle(.liveSettings(LiveSettings(ExplorerSettings(isScreenReader: true))))
    #expect(!screen.text.contains("│"), "\(screen.text)")
    screen.handle(.liveSettings(LiveSettings()))
    #expect(screen.text == before)
  }

  @Test("a setting that is saved or chosen reaches the terminal's drawings")
  func ascii() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.handle(.liveSettings(LiveSettings(ExplorerSettings(isASCII: true))))
    #expect(screen.effects.contains(.workspace(.set(.ascii, isOn: true))))
    screen.handle(.liveSettings(LiveSettings(ExplorerSettings(isASCII: true))))
    #expect(screen.effects.filter { $0 == .workspace(.set(.ascii, isOn: true)) }.count == 1)
    screen.handle(.liveSettings(LiveSettings()))
    #expect(screen.effects.contains(.workspace(.set(.ascii, isOn: false))))
  }

  @Test(
    "the mode for screen readers and ASCII borders change in all open stores",
    arguments: ["screen reader", "ASCII borders"])
  func toggledForAll(name: String) throws {
    var screen = try ManyStores.gardenAndPlan()
    let setting = try #require(["screen reader": "screen-reader", "ASCII borders": "ascii"][name])
    screen.press(":")
    screen.type(name)
    screen.press("enter")
    #expect(screen.notice == .settingChanged(setting, isOn: true))
    screen.press(". :")
    screen.type(name)
    screen.press("enter")
    #expect(screen.notice == .settingChanged(setting, isOn: false))
    let reached = screen.effects.map(\.effect)
    #expect(reached.contains(.workspace(.set(.ascii, isOn: true))) == (setting == "ascii"))
    #expect(reached.contains(.workspace(.set(.ascii, isOn: false))) == (setting == "ascii"))
  }

  @Test("tabs to the right of a label can be clicked")
  func tabs() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.handle(.liveSettings(LiveSettings(label: "LIVE")))
    screen.press("t")
    let row = screen.row(0)
    #expect(row.hasPrefix(" sonde   LIVE    1 beds [2 beds]"), "\(row)")
    screen.handle(.terminal(.mouse(Mouse(.press(.left, clicks: 1), row: 0, column: 17))))
    #expect(screen.row(0).contains("LIVE   [1 beds] 2 beds "), "\(screen.row(0))")
  }

  @Test("the current tab has its own readable background")
  func tabGround() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.press("t")
    let column = try #require(screen.row(0).firstRange(of: "beds]"))
    let place = screen.row(0).distance(from: screen.row(0).startIndex, to: column.lowerBound)
    #expect(screen.workspace.view().cell(row: 0, column: place).paint == Paint(.tabActive))
  }

  @Test("a hostile or very long label stays in its place")
  func hostile() throws {
    var screen = try Screen(columns: 60, rows: 20)
    screen.handle(
      .liveSettings(LiveSettings(label: "\u{1B}[2J" + String(repeating: "漢", count: 4_000))))
    #expect(!screen.text.unicodeScalars.contains("\u{1B}"))
    #expect(screen.row(0).contains("garden"))
  }

  @Test("changed theme files are reloaded")
  func themes() throws {
    var screen = try Screen(columns: 60, rows: 20)
    screen.handle(.themesSaved)
    #expect(screen.effects.contains(.theme(.reread)))
  }
}
