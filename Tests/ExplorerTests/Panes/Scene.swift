import Explorer
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Triples

/// A place on the screen: a pane, a form of the results, or a line being typed.
enum Scene: String, CaseIterable, Sendable {
  case namespaces, schema, query, queryAsText, results, tree, json
  case help, entity, copyMenu, filterMenu, deletion, relations, columns, changes
  case thenAndNow, chooser, palette, saved, explain, facets, export, subscriptions, diagram
  case newEntity, themes
  case typingFilter, typingOrder, typingLimit, typingQuery, typingFind, typingValue, typingName

  /// Keys that lead there.
  var way: String {
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

  /// What is pressed there, so that there is something to see; what stands in quotes is typed.
  private var deed: String {
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

  /// The pane that hears the keys there; nil for a line that is being typed.
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

  /// What is written over a line that is being typed.
  private var lineTitle: String {
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

  /// Whether it shows a duration.
  var isTimed: Bool { self == .explain }

  /// Whether the screen shows it.
  func holds(_ screen: Screen) -> Bool {
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

  /// Goes there.
  func enter(_ screen: inout Screen) throws {
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
    try screen.play(way)
    // If the pane cannot be opened, its notice stays visible.
    if !deed.isEmpty, holds(screen) { try screen.play(deed) }
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
  /// Another client changes the height of the fig, adds a plant, and deletes the iris.
  ///
  /// What a store has none of is left out.
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
