/// What terminals send for keys that are no letters.
enum Keys {
  static let (up, down, right, left) = ("\u{1B}OA", "\u{1B}OB", "\u{1B}OC", "\u{1B}OD")
  static let (pageUp, pageDown) = ("\u{1B}[5~", "\u{1B}[6~")
  static let (enter, deleteLine, erase) = ("\r", "\u{15}", "\u{7F}")
}

/// One thing to look at in the explorer, how one gets there, and the keys that are pressed there.
struct ExplorerPane {
  let name: String
  var query = "rows"
  var keys: [String] = []
  var cursor = [Keys.down, Keys.up]
  var page = [Keys.pageDown, Keys.pageUp]
  /// Whether many entities are changed before it is looked at.
  var isChanged = false

  private static let backwards = (
    cursor: [Keys.up, Keys.down], page: [Keys.pageUp, Keys.pageDown]
  )

  private func atEnd(_ name: String) -> ExplorerPane {
    var pane = self
    (pane.cursor, pane.page) = Self.backwards
    return ExplorerPane(
      name: name, query: query, keys: keys + ["G"], cursor: pane.cursor, page: pane.page)
  }

  private static let table = ExplorerPane(name: "results")
  private static let tree = ExplorerPane(name: "tree", keys: ["v"])
  private static let json = ExplorerPane(name: "JSON", keys: ["v", "v"])

  static let all: [ExplorerPane] = [
    ExplorerPane(name: "namespaces", keys: ["1"], page: []),
    ExplorerPane(name: "schema", keys: ["2"], page: []),
    ExplorerPane(name: "query, typing", keys: ["Q"], cursor: [" ", Keys.erase], page: []),
    ExplorerPane(
      name: "filter, typing", keys: ["F", "s", "c"], cursor: ["o", Keys.erase], page: []),
    table,
    ExplorerPane(name: "results, in the middle", keys: Array(repeating: Keys.pageDown, count: 30)),
    table.atEnd("results, at the end"),
    ExplorerPane(name: "results, columns", cursor: [Keys.right, Keys.left], page: []),
    tree, tree.atEnd("tree, at the end"), json, json.atEnd("JSON, at the end"),
    ExplorerPane(name: "nested, opened", query: "users", keys: [Keys.right, Keys.right, ">"]),
    ExplorerPane(name: "ordered by a number", query: "rows order score"),
    ExplorerPane(name: "ordered by a text", query: "rows order title"),
    ExplorerPane(name: "filtered", query: #"rows filter status = "open""#),
    ExplorerPane(name: "entity", keys: [Keys.enter], page: []),
    ExplorerPane(name: "entity with many links", query: "users", keys: [Keys.enter]),
    ExplorerPane(
      name: "facets", keys: [Keys.right, Keys.right, Keys.right, "z"], page: []),
    ExplorerPane(name: "changes", keys: ["C"], isChanged: true),
    ExplorerPane(
      name: "subscriptions", keys: ["t", "1", Keys.down, Keys.enter, "W"], page: []),
    ExplorerPane(name: "relations", query: "users", keys: ["w", ">"], page: []),
    ExplorerPane(name: "columns", keys: ["c"], page: []),
    ExplorerPane(name: "diagram", keys: ["D"], page: []),
    ExplorerPane(name: "palette", keys: [":"]),
    ExplorerPane(name: "help", keys: ["?"]),
  ]
}
