import InstaQL
import Notebooks
import TerminalUI

/// An entry of the command palette: a command, or something to open or select.
enum PaletteEntry: Sendable, Equatable {
  case command(Command)
  /// A custom command from the settings.
  case custom(CommandOffer)
  case namespace(String)
  case column(String)
  case savedQuery(SavedQuery)
  case theme(String)
  case setting(ScreenSetting)

  /// The text that is shown and searched.
  var text: String {
    switch self {
    case .command(let command): command.help
    case .custom(let offer): offer.command.name
    case .namespace(let name), .column(let name), .theme(let name): name
    case .savedQuery(let query): query.name
    case .setting(let setting): setting.label
    }
  }

  /// Other names by which a search finds the entry, each with a penalty that lowers its rank.
  fileprivate var otherNames: [(text: String, penalty: Int)] {
    switch self {
    case .command(let command): [(command.label, 0), (command.name, 40)]
    case .setting(let setting): setting.synonyms.map { ($0, 0) }
    case .custom, .namespace, .column, .savedQuery, .theme: []
    }
  }

  /// The kind of the entry, shown where commands show their keys.
  var kind: String {
    switch self {
    case .command: ""
    case .custom(let offer): offer.reason ?? offer.command.key?.name ?? "command"
    case .namespace: "namespace"
    case .column: "column"
    case .savedQuery: "saved query"
    case .theme: "theme"
    case .setting: "setting"
    }
  }

  /// Whether the entry is a custom command that cannot run now.
  var isDisabled: Bool { if case .custom(let offer) = self { offer.reason != nil } else { false } }

  /// Whether the entry runs a command or changes a setting, instead of showing something.
  fileprivate var hasEffect: Bool {
    switch self {
    case .command, .custom, .setting: true
    case .namespace, .column, .savedQuery, .theme: false
    }
  }

  /// The penalty that ranks entries of this kind below commands. The names of the user's own data
  /// precede commands that match equally well, and custom commands even those with a synonym.
  fileprivate var penalty: Int {
    switch self {
    case .namespace, .column: -1
    case .custom: -3
    case .command: 0
    case .savedQuery: 2
    case .theme, .setting: 3
    }
  }
}

typealias PaletteMatch = TypedMatch<PaletteEntry>

extension TypedMatch<PaletteEntry> {
  /// Returns the entries that contain the letters of `text` in order, best match first. If any
  /// entry contains the typed words without a gap, entries with gaps between the letters are
  /// omitted.
  ///
  /// - Parameters:
  ///   - offers: The custom commands, which are listed before all other entries.
  ///   - commands: The commands that work in the pane below the palette.
  static func all(
    for text: String, offering offers: [CommandOffer] = [],
    commands: [Command] = Command.grouped,
    among others: [PaletteEntry]
  ) -> [PaletteMatch] {
    let typed = TypedLetters(text)
    let commands =
      offers.map(PaletteEntry.custom)
      + commands.filter { $0 != .palette }.map(PaletteEntry.command)
    return TypedLetters.ranked(
      typed.letters.isEmpty ? commands : commands + others, below: TypedLetters.scattered
    ) { rated($0, by: typed) }
  }

  /// The minimum number of typed letters for a match with the beginning of a synonym, since fewer
  /// match too many words.
  private static var minSynonymLetters: Int { 3 }

  private static func rated(
    _ entry: PaletteEntry, by typed: TypedLetters
  ) -> (match: PaletteMatch, score: Int)? {
    let isCommand = if case .command = entry { true } else { false }
    let shown = typed.match(entry.text)
    var scores = shown.map { [$0.score + (isCommand ? 20 : 0)] } ?? []
    var isNear = !entry.hasEffect || shown.map { TypedLetters.isNear($0.score) } == true
    for (name, penalty) in entry.otherNames {
      guard let found = typed.match(name) else { continue }
      scores.append(found.score + penalty)
      if TypedLetters.isNear(found.score) { isNear = true }
    }
    if case .command(let command) = entry {
      for word in command.synonyms.map({ TypedLetters($0).letters })
      where word.starts(with: typed.letters) {
        if word.count == typed.letters.count {
          // A complete synonym ranks just below the command's own name.
          scores.append(3)
        } else if typed.letters.count >= minSynonymLetters {
          scores.append(30)
        } else {
          continue
        }
        isNear = true
      }
    }
    guard let best = scores.min() else { return nil }
    let match = PaletteMatch(
      entry: entry, letters: shown?.positions ?? [], isFar: !isNear)
    return (match, best + entry.penalty)
  }
}

extension Command {
  /// Words by which users of other programs may search for the command, such as `remove` for
  /// `delete`.
  var synonyms: [String] {
    switch self {
    case .order: ["sort", "order", "reverse"]
    case .filterText: ["where", "condition", "search"]
    case .filterByCell: ["where", "equals"]
    case .clearFilters:
      ["reset filters", "remove filters", "remove all filters", "no filters", "show all"]
    case .queryText: ["sql", "edit query"]
    case .group: ["pivot", "frequency", "histogram", "count"]
    case .aggregate: ["sum", "total", "average", "mean", "median", "minimum", "maximum"]
    case .facets:
      ["frequency", "histogram", "distribution", "statistics", "count", "distinct", "unique"]
    case .relations: ["join", "include", "nest", "related"]
    case .limit: ["top", "first"]
    case .add: ["insert", "new", "create"]
    case .edit: ["update", "change", "set", "modify", "rename"]
    case .delete: ["remove", "drop", "unlink"]
    case .hold: ["stage", "transaction", "commit"]
    case .undo, .undoTransaction: ["revert", "undo"]
    case .copy: ["yank", "clipboard"]
    case .export: ["download", "csv", "write", "dump"]
    case .pipe: ["shell", "command", "run"]
    case .outside: ["pager", "less", "editor", "vim"]
    case .find: ["search", "grep"]
    case .first: ["jump", "beginning"]
    case .last: ["jump", "bottom"]
    case .paneEntity: ["details"]
    case .allColumns: ["fields", "schema", "attributes", "describe"]
    case .columns: ["fields", "hide", "show"]
    case .redraw: ["refresh", "reload", "repaint"]
    case .callServer: ["refresh", "reload", "connect"]
    case .pause: ["freeze", "stop", "live"]
    case .changes: ["log", "diff", "history"]
    case .subscriptions: ["watch", "queries"]
    case .explain: ["why", "analyze"]
    case .diagram: ["erd", "graph"]
    case .themes, .nextTheme: ["colors", "dark", "light", "appearance"]
    case .savedQueries: ["bookmarks", "history", "recent", "favorites"]
    case .saveQuery: ["bookmark", "favorite"]
    case .zoom: ["maximize", "fullscreen"]
    case .stores:
      ["database", "connect", "recent", "file", "open file", "switch", "connection"]
    case .expandAll: ["unfold", "fold", "collapse all"]
    case .form: ["json", "tree"]
    case .spelling: ["instaql", "swift"]
    // The short ones are commands of vi.
    case .quit: ["exit", "leave", "close", "q", "q!", "qa", "wq"]
    case .help: ["keys", "shortcuts", "manual"]
    case .back: ["previous", "return"]
    case .open: ["follow", "enter"]
    default: []
    }
  }
}
