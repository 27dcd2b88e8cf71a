import Explorer
import InstaQL
import TerminalUI
import Testing

@Suite("Sentences name the bound keys")
struct KeyNamesTests {
  /// Commands that sentences name, each on a key that no sentence could mean otherwise.
  private static let changes: [Command: [Key]] = {
    let commands: [Command] = [
      .undo, .pause, .interrupt, .cancel, .undoTransaction, .open, .limit, .filterText, .form,
      .expand, .saveQuery, .columns, .orderText, .filterByCell, .mouse, .nextPane, .queryText,
      .help, .back, .savedQueries, .add, .paneResults, .hold, .mark, .relations, .spelling, .order,
      .edit, .moveColumnLeft, .moveColumnRight, .wider, .narrower, .freezeColumn, .copy, .explain,
      .facets,
      .changes, .quit, .delete, .find, .findNext, .up, .down, .left, .right, .newTab, .closeTab,
      .nextTab, .export, .hideColumn, .redo, .forward, .subscriptions, .diagram, .palette,
    ]
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    return Dictionary(uniqueKeysWithValues: zip(commands, letters.map { [Key.alt($0)] }))
  }()

  private static let keymap = Keymap.standard.changed(changes)

  /// A key of the standard table before a word that says what it does.
  private static var inVain: Regex<Substring> {
    /(?:^|[ :,.(│])(?:[b-zB-Z?>\[]|[Ee]nter|[Ee]scape|[Tt]ab|[Ss]pace|ctrl-[a-z]) (?:and \S+ |or \S+ )?(?:takes|shows|keeps|leads|goes|types|edits|brings|begins|opens|closes|leaves|gives|makes|saves|asks|sends|drops|finds|then|follows|filters|orders|comes|chooses|spells|links|nests|hides|moves?|sizes?|another|writes|replaces|does|narrows|again|adds|turns?|copies|quits|undoes|enters)\b/
  }

  private static func press(_ commands: [Command], _ screen: inout Screen) throws {
    for command in commands {
      let key = try #require(Self.keymap.keys(for: command, in: .results).first)
      screen.handle(.terminal(.key(key)))
    }
  }

  @Test("in the help of every pane, and in the pane", arguments: PaneTraits.allCases)
  func help(focus: PaneTraits) throws {
    var screen = try Screen(
      columns: 120, rows: 60, query: QueryPlan("plants"), keymap: Self.keymap)
    let way = focus.way.split(separator: " ").compactMap { Key(named: String($0)) }
    try Self.press(way.compactMap { Keymap.standard.command(for: $0, in: .results) }, &screen)
    // The reference of the language names the standard keys.
    if focus != .language {
      #expect(screen.text.matches(of: Self.inVain).map(\.output) == [], "\(screen.text)")
    }
    try Self.press([.help], &screen)
    #expect(screen.text.matches(of: Self.inVain).map(\.output) == [], "\(screen.text)")
  }

  @Test(
    "in notices about keys without effect",
    arguments: [
      [.back], [.forward], [.undoTransaction], [.lastColumn, .order], [.lastColumn, .facets],
      [.fold], [.pause], [.hold], [.nextTab], [.closeTab], [.paneResults, .paneResults],
      [.hideColumn], [.delete], [.export, .open], [.copy], [.changes, .form], [.form, .expand],
      [.paneNamespaces, .edit], [.hold, .hold], [.newTab],
      [.paneEntity, .help], [.splitLeft], [.nextPane, .paneQuery, .delete], [.add],
      [.changes, .copy], [.subscriptions, .subscriptions], [.facets, .facets],
    ] as [[Command]])
  func sentences(commands: [Command]) throws {
    for query in ["plants", "plants filter height > 999999", "plants group bed", "plants count"] {
      var screen = try Screen(
        columns: 120, rows: 30, query: try QueryDocument(text: query).plans[0],
        keymap: Self.keymap)
      try Self.press(commands, &screen)
      #expect(screen.text.matches(of: Self.inVain).map(\.output) == [], "\(query)\n\(screen.text)")
      screen.press("f9")
      #expect(screen.text.matches(of: Self.inVain).map(\.output) == [], "\(query)\n\(screen.text)")
    }
  }

  @Test("unbound commands are named as in the palette")
  func unbound() throws {
    var screen = try Screen(
      query: QueryPlan("plants"), keymap: Keymap.standard.changed([.form: [], .undo: []]))
    screen.press("F")
    screen.type("height > 999999")
    screen.press("enter")
    #expect(screen.text.contains("No rows match.  : undo"))
    #expect(!screen.text.contains("\u{F0000}"))
  }

  @Test("special characters in saved names cause no trouble")
  func data() throws {
    for name in ["\u{F0000}undo\u{F0001}", "\u{F0000}", "\u{F0001}\u{F0000}x"] {
      var screen = try Screen(
        columns: 110, query: QueryPlan("plants"),
        store: try Garden.store(plants: #"[{"key": "k", "name": "\#(name)", "height": 1}]"#))
      screen.press("d d")
      #expect(screen.row(23).contains("U undo"))
    }
  }
}
