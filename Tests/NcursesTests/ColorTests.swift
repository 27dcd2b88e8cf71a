import Ncurses
import TerminalUI
import Testing

@Suite struct ColorMappingTests {
  @Test(
    "a color maps to the nearest of the terminal",
    arguments: [
      ("#ff0000", ColorDepth.palette, Theme.Appearance.dark, Int32(196)),
      ("#1f242d", .palette, .dark, 235), ("#808080", .palette, .dark, 244),
      ("#5f87af", .palette, .dark, 67), ("#84b8f8", .direct, .dark, 0x84B8F8),
      ("#000003", .direct, .dark, 16), ("#000000", .direct, .dark, 0),
      // With few colors the hue is kept.
      ("#84b8f8", .sixteen, .dark, 14), ("#eeab7c", .sixteen, .dark, 11),
      ("#a3d188", .sixteen, .dark, 10), ("#f79a98", .eight, .dark, 1),
      ("#84b8f8", .eight, .dark, 6),
      ("#0a54a3", .eight, .light, 4), ("#6d4c00", .eight, .light, 1),
      ("#28611b", .sixteen, .light, 2),
      // Grays use the terminal's default, or bright black when they are faint.
      ("#d7dbe3", .eight, .dark, -1), ("#d7dbe3", .sixteen, .dark, -1),
      ("#4a5261", .sixteen, .dark, 8),
      ("#c3cad4", .sixteen, .light, 8), ("#262b33", .sixteen, .light, -1),
      ("bright-red", .sixteen, .dark, 9), ("bright-red", .eight, .dark, 1),
      ("default", .direct, .dark, -1),
      ("#ff0000", .none, .dark, -1),
    ])
  func mapping(text: String, depth: ColorDepth, appearance: Theme.Appearance, number: Int32) throws
  {
    let color = try #require(Color(text))
    #expect(ColorMapping.number(of: color, depth: depth, appearance: appearance) == number)
  }

  static let theme = Theme(
    name: "t", appearance: .dark,
    styles: [
      .number: Style(foreground: Color("#73d0c6"), attributes: .bold),
      .selection: Style(background: Color("#2a3547")),
      .cursorCell: Style(foreground: Color("#ffffff"), background: Color("#385a8f")),
      .statusBar: Style(foreground: Color("#a3abba"), background: Color("#1f242d")),
      .dim: Style(attributes: .dim),
    ])

  @Test("a highlight is visible with few or no colors")
  func highlights() {
    for depth in [ColorDepth.none, .eight, .sixteen] {
      let selected = Self.theme.style(of: Paint(.number, on: .selection), depth: depth)
      #expect(selected.attributes == [.bold, .reverse])
      #expect(selected.foreground == .standard && selected.background == .standard)
      let cursor = Self.theme.style(of: Paint(.number, on: .cursorCell), depth: depth)
      #expect(cursor.attributes != selected.attributes)
      #expect(
        !Self.theme.style(of: Paint(.dim, on: .selection), depth: depth).attributes.contains(.dim))
    }
  }

  @Test("shaded grounds are omitted where they would all be black")
  func shades() {
    let bar = Self.theme.style(of: Paint(.statusBar, on: .statusBar), depth: .sixteen)
    #expect(bar.background == .standard)
    #expect(Self.theme.style(of: Paint(.number), depth: .eight).foreground == Color("#73d0c6"))
  }

  @Test("without colors every distinction is made by attributes")
  func colorless() {
    for role in Role.allCases {
      let style = Self.theme.style(of: Paint(role), depth: .none)
      #expect(style.foreground == .standard && style.background == .standard)
    }
    #expect(Self.theme.style(of: Paint(.error), depth: .none).attributes.contains(.bold))
  }
}

@Suite struct ColorPairsTests {
  private func colors(_ number: Int32) -> ColorPairs.Colors {
    ColorPairs.Colors(foreground: number, background: -1)
  }

  @Test("equal colors get the same pair, and the default colors pair 0")
  func same() {
    var pairs = ColorPairs(limit: 8)
    #expect(pairs.number(colors(-1)) == .known(0))
    #expect(pairs.number(colors(5)) == .new(1))
    #expect(pairs.number(colors(6)) == .new(2))
    #expect(pairs.number(colors(5)) == .known(1))
  }

  @Test("when all pairs are used, numbering starts again")
  func full() {
    var pairs = ColorPairs(limit: 4)
    for number in Int32(1)...3 { #expect(pairs.number(colors(number)) == .new(number)) }
    #expect(pairs.number(colors(9)) == .newAfterReset(1))
    #expect(pairs.number(colors(1)) == .new(2))
    #expect(pairs.number(colors(9)) == .known(1))
  }
}

@Suite struct TerminalProfileTests {
  private func profile(_ variables: [String: String]) -> TerminalProfile {
    TerminalProfile { variables[$0] }
  }

  @Test(
    "24-bit colors are used where they are supported",
    arguments: [
      (["TERM": "xterm-256color", "COLORTERM": "truecolor"], true),
      (["TERM": "xterm-256color", "COLORTERM": "24bit"], true),
      (["TERM": "xterm-256color"], false), (["TERM": "linux", "COLORTERM": "truecolor"], false),
      (["TERM": "screen-256color", "COLORTERM": "truecolor"], false),
      (["TERM": "screen-256color", "COLORTERM": "truecolor", "TMUX": "/tmp/t"], true),
    ])
  func direct(variables: [String: String], isDirect: Bool) {
    #expect(profile(variables).claimsDirectColor == isDirect)
  }

  @Test("NO_COLOR applies when it is not empty")
  func noColor() {
    #expect(profile(["TERM": "xterm", "NO_COLOR": "1"]).wantsNoColor)
    #expect(!profile(["TERM": "xterm", "NO_COLOR": ""]).wantsNoColor)
  }

  @Test(
    "the environment may contain the background",
    arguments: [
      ("15;0", Theme.Appearance.dark), ("0;15", .light), ("0;default;7", .light), ("x", nil),
    ])
  func background(value: String, appearance: Theme.Appearance?) {
    #expect(profile(["TERM": "xterm", "COLORFGBG": value]).appearance == appearance)
    #expect(profile(["TERM": "xterm"]).appearance == nil)
  }

  @Test("old terminals are not sent unknown sequences", arguments: ["linux", "vt100", "ansi"])
  func old(type: String) {
    #expect(!profile(["TERM": type]).isModern)
    #expect(profile(["TERM": "xterm-kitty"]).isModern)
  }

  @Test("the terminfo entry determines the color depth")
  func depth() {
    let profile = profile(["TERM": "xterm"])
    #expect(profile.depth(colors: 0, isDirect: false) == .none)
    #expect(profile.depth(colors: 8, isDirect: false) == .eight)
    #expect(profile.depth(colors: 88, isDirect: false) == .sixteen)
    #expect(profile.depth(colors: 256, isDirect: false) == .palette)
    #expect(profile.depth(colors: 1 << 24, isDirect: true) == .direct)
  }

  @Test(
    "the clipboard also works inside tmux and screen",
    arguments: [
      (["TERM": "xterm"], "\u{1B}]52;c;R3LDvMOfZQ==\u{7}"),
      (
        ["TERM": "tmux-256color", "TMUX": "x"],
        "\u{1B}]52;c;R3LDvMOfZQ==\u{7}\u{1B}Ptmux;\u{1B}\u{1B}]52;c;R3LDvMOfZQ==\u{7}\u{1B}\\"
      ),
      (["TERM": "screen"], "\u{1B}P\u{1B}]52;c;R3LDvMOfZQ==\u{7}\u{1B}\\"),
    ])
  func clipboard(variables: [String: String], expected: String) {
    #expect(Clipboard.sequences(for: "Grüße", profile: profile(variables)) == expected)
  }

  @Test("a text that terminals would drop is rejected")
  func longClipboard() {
    let profile = profile(["TERM": "xterm"])
    let longest = String(repeating: "x", count: TerminalLimits.clipboardBytes)
    #expect(Clipboard.sequences(for: longest, profile: profile) != nil)
    #expect(Clipboard.sequences(for: longest + "x", profile: profile) == nil)
    #expect(Clipboard.sequences(for: "", profile: profile) == "\u{1B}]52;c;\u{7}")
  }
}

@Suite struct ASCIIGlyphsTests {
  @Test("lines and symbols have an ASCII form, letters have none")
  func drawings() {
    #expect(
      "╭─│▸●…".unicodeScalars.compactMap(ASCIIGlyphs.drawing) == ["+", "-", "|", ">", "*", "~"])
    #expect(ASCIIGlyphs.drawing("ä") == nil)
    #expect(ASCIIGlyphs.any("ä") == "?")
    #expect(ASCIIGlyphs.any("a") == "a")
  }
}
