import Explorer
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Triples

/// A part of the program that has the focus: a pane, a view of the results, or a typed line.
enum Scene: String, CaseIterable, Sendable {
  case namespaces, schema, query, queryAsText, results, tree, json
  case help, entity, copyMenu, filterMenu, deletion, relations, columns, changes
  case thenAndNow, chooser, palette, saved, explain, facets, export, subscriptions, diagram
  case newEntity, themes
  case typingFilter, typingOrder, typingLimit, typingQuery, typingFind, typingValue, typingName

  /// The keys that open the scene.
  var keys: String {
    switch self {
    case .namespaces: "4 1"
    case .schema: "2"
    case .query: "3"
    case .queryAsText: "i 3"
    case .results: "1 4"
    case .tree: "4 v"
    case .json: "4 v v"
    case .help: "4 f1"
    case .entity: "4 0 enter"
    case .copyMenu: "4 y"
    case .filterMenu: "4 0 f"
    case .deletion: "4 0 d"
    case .relations: "4 w"
    case .columns: "4 c"
    case .changes: "C"
    case .thenAndNow: "C v"
    case .chooser: "4 $ e"
    case .palette: ":"
    case .saved: "B"
    case .explain: "4 x"
    case .facets: "4 0 l z"
    case .export: "4 E"
    case .subscriptions: "W"
    case .diagram: "D"
    case .newEntity: "4 0 a"
    case .themes: "4 A"
    case .typingFilter: "4 F"
    case .typingOrder: "4 O"
    case .typingLimit: "4 L"
    case .typingQuery: "4 Q"
    case .typingFind: "4 /"
    case .typingValue: "4 0 l e"
    case .typingName: "4 b"
    }
  }

  /// The keys to press in the open scene, so that it shows its contents. Text in quotes is typed.
  private var keysInside: String {
    switch self {
    case .tree: "down"
    case .relations: "space down"
    case .columns: "down space"
    case .chooser: "'o'"
    case .palette: "'co'"
    case .newEntity: "'Quince'"
    case .themes: "up up"
    case .typingFilter: "'height > 30 and na'"
    case .typingOrder: "ctrl-u 'height desc, '"
    case .typingLimit: "'x'"
    case .typingQuery: "'limit 2 wi'"
    case .typingFind: "'r'"
    case .typingValue: "'m'"
    case .typingName: "'Tall'"
    case .namespaces, .schema, .query, .queryAsText, .results, .json, .help, .entity,
      .copyMenu, .filterMenu, .deletion, .changes, .thenAndNow, .saved, .explain, .facets, .export,
      .subscriptions, .diagram:
      ""
    }
  }

  /// The pane that has the focus; nil for a typed line.
  var focus: PaneTraits? {
    switch self {
    case .namespaces: .namespaces
    case .schema: .schema
    case .query, .queryAsText: .query
    case .results, .tree, .json: .results
    case .help: .help
    case .entity: .entity
    case .copyMenu, .filterMenu, .deletion: .menu
    case .relations: .relations
    case .columns: .columns
    case .changes, .thenAndNow: .changes
    case .chooser: .chooser
    case .palette: .palette
    case .saved: .saved
    case .explain: .text
    case .facets: .facets
    case .export: .export
    case .subscriptions: .subscriptions
    case .diagram: .diagram
    case .newEntity: .newEntity
    case .themes: .themes
    case .typingFilter, .typingOrder, .typingLimit, .typingQuery, .typingFind, .typingValue,
      .typingName:
      nil
    }
  }

  /// The title of a typed line; empty for any other scene.
  var lineTitle: String {
    switch self {
    case .typingFilter: "Filter"
    case .typingOrder: "Sort"
    case .typingLimit: "Limit"
    case .typingQuery: "Query"
    case .typingFind: "Find"
    case .typingValue: "Edit height"
    case .typingName: "Save the query as"
    default: ""
    }
  }

  /// Whether the scene is a typed line.
  var isTyped: Bool { focus == nil }

  /// The last character that `open` types into a typed line; nil for any other scene.
  var lastTyped: Character? {
    isTyped ? keysInside.split(separator: "'").last?.last : nil
  }

  /// Whether the scene is a pane above the main panes.
  var isOverlay: Bool {
    switch self {
    case .namespaces, .schema, .query, .queryAsText, .results, .tree, .json: false
    default: !isTyped
    }
  }

  /// Whether the pane changes the results while it is open, which stay changed when it is closed.
  var changesPanesBelow: Bool { self == .columns || self == .relations }

  /// Whether the scene has a selected row or cell. The other scenes have only the terminal's
  /// cursor, no cursor at all, or a box with double lines.
  var hasSelectedRow: Bool {
    switch self {
    case .query, .queryAsText, .help, .diagram: false
    default: !isTyped
    }
  }

  /// Whether the scene shows the height of the fig, highlighted after it changed.
  var showsHighlights: Bool { [.results, .tree, .json, .entity].contains(self) }

  /// Whether the scene has the focus on a screen.
  func isFocused(on screen: Screen) -> Bool {
    if let focus {
      return screen.hears(focus.title) || focus == .help && screen.text.contains("Keys in")
    }
    return screen.workspace.view().cursor != nil
      && (screen.text.contains("─ \(lineTitle) ─") || screen.row(1).hasPrefix(lineTitle))
  }

  private static func watched() throws -> [WatchedLine] {
    [
      WatchedLine(
        WatchedQuery(
          document: try QueryDocument(text: "plants order name"), state: .loaded, subscribers: 1,
          freshness: .live, rows: 5,
          work: .init(evaluations: 1, updates: 12, elapsed: .microseconds(420)),
          deliveredTransaction: 13), answeredAt: "12:04:31"),
      WatchedLine(
        WatchedQuery(
          document: try QueryDocument(text: "beds filter area > 10 order name desc limit 3"),
          state: .loading, subscribers: 2)),
    ]
  }

  /// Opens the scene on a screen.
  func open(on screen: inout Screen) throws {
    switch self {
    case .changes: try screen.changeThreeTimes()
    case .saved:
      screen.saved = [
        SavedQuery(name: "Tall", store: "garden", text: "plants filter height > 100"),
        SavedQuery(
          name: "By the water", store: "garden",
          text: "plants filter bed.name = \"By the pond\""),
      ]
    default: break
    }
    try screen.play(keys)
    // If the pane cannot be opened, its notice stays visible.
    if !keysInside.isEmpty, isFocused(on: screen) { try screen.play(keysInside) }
    switch self {
    case .thenAndNow:
      screen.press("space")
      try screen.changeThreeTimes()
    case .subscriptions: screen.handle(.watched(try Self.watched()))
    default: break
    }
  }
}

extension Screen {
  /// Changes the height of the fig, adds a plant, and deletes the iris, as another client.
  ///
  /// Changes of plants that the store does not have are skipped.
  mutating func changeThreeTimes() throws {
    guard let name = store.schema.attribute("plants", "name"),
      let height = store.schema.attribute("plants", "height"),
      let identity = store.schema.attribute("plants", "id")
    else { return }
    if let fig = plant(named: "Fig") {
      try transact([.addTriple(.id(fig), height.id, .integer(251))])
    }
    let fresh = EntityID("00000000-0000-4000-8000-0000000000aa")
    try transact([
      .addTriple(.id(fresh), identity.id, .text(fresh.text)),
      .addTriple(.id(fresh), name.id, "Aloe"),
    ])
    if let iris = plant(named: "Iris") {
      try transact([.deleteEntity(.id(iris), namespace: "plants")])
    }
  }

  private func plant(named name: String) -> EntityID? {
    guard let attribute = store.schema.attribute("plants", "name") else { return nil }
    return store.rows(of: "plants").handles.first { store.value($0, attribute.id) == .text(name) }
      .map { store.id(of: $0) }
  }
}
