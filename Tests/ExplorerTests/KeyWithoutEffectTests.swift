import Explorer
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Testing
import Triples

/// No key is pressed in vain without a word: what changes nothing that can be seen says why.
@Suite("A key that does nothing here")
struct KeyWithoutEffectTests {
  /// The state of the store behind the pane.
  enum Backdrop: CaseIterable {
    case store, readOnly, elsewhere, empty, waiting, failed
  }

  private static let keys: [Key] = {
    var seen: Set<Key> = []
    let others = ["r", "I", "'", "f5", "ctrl-x", "insert", "delete", "alt-x"].compactMap {
      Key(named: $0)
    }
    return (Keymap.standard.rows.flatMap(\.keys) + others).filter { seen.insert($0).inserted }
  }()

  @Test(
    "shows the reason in the status line", arguments: PaneTraits.allCases, Backdrop.allCases
  )
  func silent(focus: PaneTraits, beneath: Backdrop) throws {
    var prepared = try Self.screen(over: beneath)
    prepared.press(focus == .schema ? "1" : "2")
    prepared.press(focus.way)
    // Some stores have no such pane: the reason was shown in the results.
    guard focus == .help || prepared.hears(focus.title) else {
      #expect(beneath != .store, "\(focus) was not tried:\n\(prepared.text)")
      return
    }
    let vain = Self.vainKeys(in: prepared, focus)
    #expect(vain.isEmpty, "\(vain)\n\(prepared.text)")
  }

  @Test(
    "says why on a small screen and on a large one, too", arguments: PaneTraits.allCases,
    [Size(columns: 40, rows: 10), Size(columns: 120, rows: 40)])
  func silent(focus: PaneTraits, size: Size) throws {
    var prepared = try Self.screen(over: .store, size: size)
    prepared.press(focus == .schema ? "1" : "2")
    prepared.press(focus.way)
    let vain = Self.vainKeys(in: prepared, focus)
    #expect(vain.isEmpty, "\(vain)\n\(prepared.text)")
  }

  /// The keys without a visible change and without an effect.
  private static func vainKeys(in prepared: Screen, _ focus: PaneTraits? = nil) -> [String] {
    let before = prepared.workspace.view()
    return keys.filter { !isQuiet($0, in: focus) }.filter { key in
      var screen = prepared
      screen.handle(.terminal(.key(key)))
      let hasEffect = screen.effects.dropFirst(prepared.effects.count).contains {
        prepared.isSlow || !isSeen($0)
      }
      let isAsked = screen.requests.dropFirst(prepared.requests.count).contains {
        prepared.isSlow || !isAnswered($0.request)
      }
      return !hasEffect && !isAsked && screen.workspace.view() == before
    }.map(\.name)
  }

  /// Whether a key may do nothing without a word: at the end of a list or a line, and where there is
  /// nothing to close. The number of the pane that has the focus changes nothing either.
  private static func isQuiet(_ key: Key, in focus: PaneTraits?) -> Bool {
    let edits = [
      "left", "right", "ctrl-left", "ctrl-right", "home", "end", "backspace", "delete", "ctrl-a",
      "ctrl-d", "ctrl-e", "ctrl-h",
      "ctrl-k", "ctrl-u", "ctrl-w",
    ]
    guard let focus, let command = Keymap.standard.command(for: key, in: focus) else {
      return edits.contains(key.name)
    }
    if command == focus.number { return true }
    let moves: [Command] = [
      .up, .down, .left, .right, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last,
      .firstColumn, .lastColumn, .cancel,
    ]
    return moves.contains(command) && !focus.ignores(command) || edits.contains(key.name)
  }

  /// Whether all that comes of it is what the screen shows then.
  private static func isSeen(_ effect: Effect) -> Bool {
    switch effect {
    case .listWatched(isOn: true), .save(.columns): true
    default: false
    }
  }

  private static func isAnswered(_ request: Request) -> Bool {
    switch request {
    case .edit, .export, .runCommand, .paths: false
    case .columns, .savedQueries, .explain, .prepare, .countValues, .complete, .compare,
      .emptyReason, .locate, .search, .entityID, .themes, .countRows, .knownStores, .findStore,
      .freePath:
      true
    }
  }

  @Test(
    "says so while something is typed, too",
    arguments: ["F", "F 'hei'", "Q", "O", "L", "b", "/", "/ 'ri'", "4 e", "4 w space F"])
  func typing(way: String) throws {
    var prepared = try Screen(columns: 90, rows: 24, query: QueryPlan("plants").order("name"))
    try prepared.play(way)
    let vain = Self.vainKeys(in: prepared)
    #expect(vain.isEmpty, "\(vain)\n\(prepared.text)")
  }

  @Test(
    "is not in the help where it types a letter",
    arguments: [PaneTraits.chooser, .palette, .newEntity, .themes, .stores, .aggregates])
  func typedKeys(focus: PaneTraits) throws {
    var screen = try Self.screen(over: .store)
    screen.press(focus.way)
    screen.press("f1")
    #expect(screen.text.contains("Keys in"), "\(screen.text)")
    screen.press("o")
    guard case .page(let text)? = screen.effects.last else {
      Issue.record("Nothing went to the pager")
      return
    }
    // Above them it says what the pane is for.
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.isEmpty }
    let keys = rows.compactMap { line in
      line.split(separator: " ").first.flatMap { Key(named: String($0)) }
    }
    #expect(!keys.isEmpty)
    #expect(keys.filter { $0.typed != nil }.isEmpty, "\(text)")
    for name in ["ctrl-u", "ctrl-d", "ctrl-w", "home", "right"] {
      #expect(!keys.contains { $0.name == name }, "\(name)\n\(text)")
    }
    #expect(keys.contains(.enter) && keys.contains(.function(1)))
  }

  @Test(
    "is not in the help",
    arguments: Set(PaneTraits.allCases).subtracting([
      .help, .menu, .chooser, .palette, .stores, .export, .aggregates,
    ]))
  func untold(focus: PaneTraits) throws {
    var prepared = try Self.screen(over: .store)
    prepared.press(focus.way)
    let rows = Keymap.standard.rows(in: focus).filter { row in
      var screen = prepared
      for key in row.keys.prefix(1) { screen.handle(.terminal(.key(key))) }
      return screen.row(23).contains("does nothing in")
    }
    let dead = Set(rows.map(\.command))
    let untold = Set(Command.allCases.filter { focus.ignores($0) })
    #expect(
      dead == untold,
      "\(focus) told: \(dead.subtracting(untold)), untold: \(untold.subtracting(dead))")
  }

  /// There a letter may be that of an entry, or begin a name.
  @Test(
    "is not in the help of a dialog",
    arguments: [.menu, PaneTraits.chooser, .palette, .export, .aggregates])
  func untoldInDialogs(focus: PaneTraits) throws {
    var prepared = try Self.screen(over: .store)
    prepared.press(focus.way)
    for row in Keymap.standard.rows(in: focus) where !focus.ignores(row.command) {
      var screen = prepared
      for key in row.keys.prefix(1) { screen.handle(.terminal(.key(key))) }
      #expect(!screen.row(23).contains("does nothing in"), "\(row.command) \(screen.row(23))")
    }
    #expect(![.up, .down, .open, .cancel, .help].contains { focus.ignores($0) })
    #expect(focus.ignores(.redo) && focus.ignores(.filterText))
  }

  @Test(
    "a key that changes data does nothing to the row that an open pane covers",
    arguments: ["C", "z", "c", "w", "x", "W", "B", "D"], ["e", "a", "d"])
  func covered(pane: String, key: String) throws {
    var screen = try Screen(columns: 90, rows: 24, query: QueryPlan("plants").order("name"))
    screen.saved = []
    screen.press("4 \(pane)")
    let before = screen.text
    screen.press(key)
    let isSaid =
      screen.row(23).contains("\(key) does nothing in")
      || pane == "B" && key == "d" && screen.notice == .historyNotDeletable
    #expect(isSaid, "\(screen.text)")
    #expect(
      screen.text.split(separator: "\n").dropLast() == before.split(separator: "\n").dropLast())
  }

  @Test("an open pane moves to the top instead of opening twice")
  func pile() throws {
    var screen = try Screen(columns: 90, rows: 24, query: QueryPlan("plants"))
    for _ in 0..<20 { screen.press("C W D") }
    for title in ["Diagram", "Live queries", "Changes", "Results"] {
      #expect(screen.hears(title), "\(screen.text)")
      screen.press("escape")
    }
  }

  @Test("an open list of saved queries moves to the top")
  func savedBeneath() throws {
    var screen = try Self.screen(over: .store)
    screen.press("B W B")
    #expect(screen.hears("Saved queries"), "\(screen.text)")
    screen.press("B")
    #expect(screen.notice == .savedQueriesReloaded, "\(screen.text)")
    screen.press("escape escape")
    #expect(screen.hears("Results"), "\(screen.text)")
  }

  @Test("repeating a search reports when there is no other match")
  func nowhereElse() throws {
    var screen = try Screen(columns: 90, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press("/ i r i s enter n")
    #expect(screen.notice == .noOtherMatch("iris"), "\(screen.text)")
  }

  @Test("after a failed query, no answer is promised")
  func failed() throws {
    var screen = try Self.screen(over: .failed)
    screen.press("4 down")
    #expect(
      screen.notice == .noResults.hinting(.key(.queryText, "edit the query")), "\(screen.text)")
  }

  private static func screen(
    over beneath: Backdrop, size: Size = Size(columns: 90, rows: 24)
  ) throws -> Screen {
    var screen = try Screen(
      columns: size.columns, rows: size.rows, query: QueryPlan("plants").order("name"),
      store: Garden.store(plants: beneath == .empty ? "[]" : Garden.plants),
      readOnlyReason: beneath == .readOnly ? "It is open read-only" : nil,
      isPartial: beneath == .elsewhere)
    screen.saved = [SavedQuery(name: "Tall", store: "garden", text: "plants filter height > 100")]
    switch beneath {
    case .store, .readOnly, .elsewhere, .empty: break
    case .waiting:
      screen.isSlow = true
      screen.press("1 up 4")
    case .failed:
      if let token = screen.watched.last?.token {
        screen.handle(.live(token, .failed(LiveFailure(message: "Refused", hint: "Its rules"))))
      }
    }
    return screen
  }
}

extension PaneTraits {
  /// The command that focuses this main pane; nil for others.
  fileprivate var number: Command? {
    switch self {
    case .namespaces: .paneNamespaces
    case .schema: .paneSchema
    case .query: .paneQuery
    case .results: .paneResults
    default: nil
    }
  }
}
