import TerminalUI
import Testing

@Suite struct ThemeTests {
  @Test("a theme styles roles with palette names, colors and attributes")
  func reading() throws {
    let theme = try Theme(
      toml: """
        name = "midnight"
        appearance = "light"
        [palette]
        sky = "#7dcfff"
        [roles]
        text = "default"
        title = { fg = "sky", bold = true, underline = true }
        selection = { bg = "bright-blue", reverse = false }
        dim = "#888"
        """, file: "midnight.toml")
    let sky = Color.rgb(red: 0x7D, green: 0xCF, blue: 0xFF)
    #expect(theme.name == "midnight")
    #expect(theme.appearance == .light)
    #expect(theme.style(.text).foreground == .standard)
    #expect(theme.style(.title) == Style(foreground: sky, attributes: [.bold, .underline]))
    #expect(theme.style(.selection).background == .ansi(12))
    #expect(theme.style(.dim).foreground == .rgb(red: 0x88, green: 0x88, blue: 0x88))
  }

  @Test("a role without a style looks like its fallback")
  func fallbacks() throws {
    let theme = try Theme(toml: "[roles]\ntitle = \"red\"", file: "t")
    #expect(theme.style(.borderFocused).foreground == .ansi(1))
    #expect(theme.style(.dialogTitle).foreground == .ansi(1))
    #expect(theme.style(.number) == Style())
  }

  @Test("ink gives the text color, ground the background, and a highlight may override both")
  func paints() throws {
    let theme = try Theme(
      toml: """
        [roles]
        number = { fg = "cyan", bold = true }
        status-bar = { fg = "white", bg = "black", underline = true }
        selection = { bg = "blue", italic = true }
        cursor-cell = { fg = "white", bg = "red" }
        changed = { fg = "yellow", bg = "black" }
        """, file: "t")
    #expect(
      theme[Paint(.number)]
        == Style(foreground: .ansi(6), background: .standard, attributes: .bold))
    #expect(
      theme[Paint(.number, on: .selection)]
        == Style(foreground: .ansi(6), background: .ansi(4), attributes: [.bold, .italic]))
    #expect(theme[Paint(.number, on: .cursorCell)].foreground == .ansi(7))
    #expect(
      theme[Paint(.number, on: .statusBar)]
        == Style(foreground: .ansi(6), background: .ansi(0), attributes: .bold))
    #expect(theme[Paint(.changed)].background == .ansi(0))
  }

  @Test(
    "an error has a file, a line and advice",
    arguments: [
      (
        "name = \"a\"\n[roles]\n\ntitel = \"red\"",
        "t.toml, line 4: unknown role 'titel'. Did you mean 'title'?"
      ),
      (
        "[roles]\ntitle = { fgg = \"red\" }",
        "t.toml, line 2: unknown property 'fgg'. Did you mean 'fg'?"
      ),
      (
        "[palette]\nsky = \"#12\"",
        "t.toml, line 2: '#12' is not a color. Use #rrggbb, a name defined in [palette], a color name such as bright-blue, or default."
      ),
      (
        "[palette]\nsky = \"#123456\"\n[roles]\ntitle = \"sku\"",
        "t.toml, line 4: 'sku' is not a color. Did you mean 'sky'?"
      ),
      (
        "[roles]\ntitle = 7",
        "t.toml, line 2: 'title' must be a color or a TOML table such as { fg = \"#rrggbb\" }."
      ),
      (
        "[roles]\n[roles.title]\nbold = \"yes\"",
        "t.toml, line 2: 'title.bold' must be true or false."
      ),
      (
        "appearance = \"dim\"",
        "t.toml, line 1: 'appearance' must be 'dark' or 'light', not 'dim'."
      ),
      ("nam = \"x\"", "t.toml, line 1: unknown key 'nam'. Did you mean 'name'?"),
      (
        "\n[roles]\nqqqqqqqqq = \"red\"",
        "t.toml, line 3: unknown role 'qqqqqqqqq'. 'sonde themes --roles' lists all roles."
      ),
    ])
  func faults(toml: String, message: String) {
    let error = #expect(throws: ThemeError.self) { try Theme(toml: toml, file: "t.toml") }
    #expect(error?.message == message)
  }

  private static let files = [
    "base": """
    name = "base"
    appearance = "light"
    [palette]
    sky = "blue"
    sea = "cyan"
    [roles]
    title = { fg = "sky", bold = true }
    link = "sea"
    number = "sky"
    """,
    "middle": "inherits = \"base\"\n[palette]\nsky = \"green\"\n[roles]\nlink = \"red\"",
    "broken": "[roles]\n\ntitel = \"red\"",
    "round": "inherits = \"about\"", "about": "\ninherits = \"round\"",
  ]

  private static func theme(_ toml: String) throws(ThemeError) -> Theme {
    try Theme(toml: toml, file: "mine.toml") { name, others in
      guard let toml = files[name], !others.contains(name + ".toml") else { return nil }
      return Theme.File(path: name + ".toml", toml: toml)
    }
  }

  @Test("an inheriting theme contains only differences, also in its palette")
  func inheriting() throws {
    let theme = try Self.theme(
      "name = \"mine\"\ninherits = \"middle\"\n[roles]\nnumber = { fg = \"sea\" }")
    #expect(theme.name == "mine")
    #expect(theme.appearance == .light)
    #expect(theme.style(.title) == Style(foreground: .ansi(2), attributes: .bold))
    #expect(theme.style(.link).foreground == .ansi(1))
    #expect(theme.style(.number).foreground == .ansi(6))
  }

  @Test(
    "an error of an inherited theme is reported in its file",
    arguments: [
      (
        "inherits = \"bse\"",
        "mine.toml, line 1: cannot inherit from 'bse': no other theme has that name. 'sonde themes' lists all themes."
      ),
      (
        "inherits = \"broken\"",
        "broken.toml, line 3: unknown role 'titel'. Did you mean 'title'?"
      ),
      (
        "inherits = \"round\"",
        "about.toml, line 2: cannot inherit from 'round': no other theme has that name. 'sonde themes' lists all themes."
      ),
      ("name = \"m\"\ninherits = 3", "mine.toml, line 2: 'inherits' must be a string in quotes."),
    ])
  func inheritedFaults(toml: String, message: String) {
    let error = #expect(throws: ThemeError.self) { try Self.theme(toml) }
    #expect(error?.message == message)
  }

  @Test("invalid TOML is an error with its line")
  func syntax() {
    let error = #expect(throws: ThemeError.self) {
      try Theme(toml: "name = \"a\"\n[roles\n", file: "t.toml")
    }
    #expect(error?.line == 2)
  }

  @Test("every role has a unique name that parses as that role")
  func roleNames() {
    for role in Role.allCases { #expect(Role(named: role.name) == role) }
    #expect(Role.borderFocused.name == "border-focused")
    #expect(Set(Role.allCases.map(\.name)).count == Role.allCases.count)
  }
}
