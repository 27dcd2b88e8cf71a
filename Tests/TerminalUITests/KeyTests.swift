import TerminalUI
import Testing

@Suite struct KeyTests {
  static let named: [(name: String, key: Key)] = [
    ("g", .character("g")), ("G", .character("G")), ("/", .character("/")), ("-", .character("-")),
    ("space", .character(" ")), ("ctrl-d", .control("d")), ("ctrl--", .control("-")),
    ("ctrl-space", .control(" ")), ("alt-x", .alt("x")), ("enter", .enter), ("tab", .tab),
    ("shift-tab", .backTab), ("escape", .escape), ("page-up", .pageUp), ("F1", .function(1)),
    ("F12", .function(12)), ("ctrl-alt-shift-left", Key(.left, [.control, .alt, .shift])),
    ("f", .character("f")), ("s", .character("s")), ("^", .character("^")), ("漢", .character("漢")),
  ]

  @Test("a key has a name, which parses as that key", arguments: named)
  func names(row: (name: String, key: Key)) {
    #expect(Key(named: row.name) == row.key)
    #expect(row.key.name == row.name)
  }

  @Test(
    "other common spellings are accepted, too",
    arguments: [
      ("C-d", Key.control("d")), ("^D", .control("d")), ("Ctrl-D", .control("d")),
      ("M-x", .alt("x")), ("S-Tab", .backTab), ("backtab", .backTab), ("Esc", .escape),
      ("PgDn", .pageDown), ("return", .enter), ("f1", .function(1)), ("Delete", .delete),
    ])
  func spellings(name: String, key: Key) {
    #expect(Key(named: name) == key)
  }

  @Test("invalid key names are rejected", arguments: ["", "ctrl-", "foo", "F0", "F99", "ctrl-foo"])
  func unknown(name: String) {
    #expect(Key(named: name) == nil)
  }

  @Test("only keys without a command modifier type text")
  func typed() {
    #expect(Key.character("ä").typed == "ä")
    #expect(Key.control("a").typed == nil)
    #expect(Key.enter.typed == nil)
  }
}
