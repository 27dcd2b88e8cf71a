/// The byte sequences of special keys.
enum Keys {
  static let (up, down, right, left) = ("\u{1B}OA", "\u{1B}OB", "\u{1B}OC", "\u{1B}OD")
  static let (pageUp, pageDown) = ("\u{1B}[5~", "\u{1B}[6~")
  static let (enter, deleteLine, erase) = ("\r", "\u{15}", "\u{7F}")
}

/// A pane to measure: the keys that open it, and the keys to press in it.
struct ExplorerPane {
  let name: String
  var query = "rows"
  var keys: [String] = []
  var cursor = [Keys.down, Keys.up]
  var page = [Keys.pageDown, Keys.pageUp]
  /// Whether many entities are changed before the keys are pressed.
  var isChanged = false

  /// The names of namespaces and attributes in the measured store.
  struct Data {
    /// The namespaces to measure: one with many rows, and one that links to it or from it.
    var rows = "rows"
    var linked = "users"
    /// The labels of two attributes of the rows: one with numbers, one with texts.
    var number = "score"
    var text = "title"
    var filter = #"status = "open""#
  }

  private static let backwards = (
    cursor: [Keys.up, Keys.down], page: [Keys.pageUp, Keys.pageDown]
  )

  private func atEnd(_ name: String) -> ExplorerPane {
    ExplorerPane(
      name: name, query: query, keys: keys + ["G"], cursor: Self.backwards.cursor,
      page: Self.backwards.page)
  }

  static func all(of data: Data) -> [ExplorerPane] {
    standing(data) + answers(data) + above(data)
  }

  private static func standing(_ data: Data) -> [ExplorerPane] {
    let rows = data.rows
    return [
      ExplorerPane(name: "namespaces", query: rows, keys: ["1"], page: []),
      ExplorerPane(name: "schema", query: rows, keys: ["2"], page: []),
      // Keys that edit a query alternate with keys that undo the edit.
      ExplorerPane(name: "query, its spelling", query: rows, keys: ["3"], cursor: ["i"], page: []),
      ExplorerPane(
        name: "query, typing", query: rows, keys: ["Q"], cursor: [" ", Keys.erase], page: []),
      ExplorerPane(
        name: "query, typing a word", query: rows, keys: ["Q", "f"], cursor: ["i", Keys.erase],
        page: []),
      ExplorerPane(
        name: "filter, typing", query: rows, keys: ["F", String(data.number.prefix(2))],
        cursor: ["o", Keys.erase], page: []),
      ExplorerPane(
        name: "filter, typing a value", query: rows, keys: ["F", data.text + " = \"a"],
        cursor: ["l", Keys.erase], page: []),
      ExplorerPane(
        name: "find, typing", query: rows, keys: ["/", "a"], cursor: ["l", Keys.erase], page: []),
    ]
  }

  private static func answers(_ data: Data) -> [ExplorerPane] {
    let rows = data.rows
    let table = ExplorerPane(name: "results", query: rows)
    let tree = ExplorerPane(name: "tree", query: rows, keys: ["v"])
    let json = ExplorerPane(name: "JSON", query: rows, keys: ["v", "v"])
    return [
      table,
      ExplorerPane(name: "results without the record", query: rows, keys: ["K"]),
      ExplorerPane(
        name: "results, in the middle", query: rows,
        keys: Array(repeating: Keys.pageDown, count: 30)),
      table.atEnd("results, at the end"),
      ExplorerPane(
        name: "results, columns", query: rows, cursor: [Keys.right, Keys.left], page: []),
      tree, tree.atEnd("tree, at the end"), json, json.atEnd("JSON, at the end"),
      ExplorerPane(
        name: "nested, opened", query: data.linked, keys: [Keys.right, Keys.right, ">"]),
      ExplorerPane(name: "ordered by a number", query: "\(rows) order \(data.number)"),
      ExplorerPane(name: "ordered by a text", query: "\(rows) order \(data.text)"),
      ExplorerPane(name: "filtered", query: "\(rows) filter \(data.filter)"),
    ]
  }

  private static func above(_ data: Data) -> [ExplorerPane] {
    let rows = data.rows
    return [
      ExplorerPane(name: "entity", query: rows, keys: [Keys.enter], page: []),
      ExplorerPane(name: "entity with many links", query: data.linked, keys: [Keys.enter]),
      ExplorerPane(
        name: "facets", query: rows, keys: [Keys.right, Keys.right, Keys.right, "z"], page: []),
      ExplorerPane(name: "changes", query: rows, keys: ["C"], isChanged: true),
      ExplorerPane(
        name: "subscriptions", query: rows, keys: ["t", "1", Keys.down, Keys.enter, "W"], page: []),
      ExplorerPane(name: "relations", query: data.linked, keys: ["w", ">"], page: []),
      ExplorerPane(name: "columns", query: rows, keys: ["c"], page: []),
      ExplorerPane(
        name: "diagram", query: rows, keys: ["D"], cursor: [Keys.right, Keys.left], page: []),
      ExplorerPane(name: "palette", query: rows, keys: [":"]),
      ExplorerPane(name: "help", query: rows, keys: ["?"]),
    ]
  }
}
