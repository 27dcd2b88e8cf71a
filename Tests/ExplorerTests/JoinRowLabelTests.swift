import Explorer
import InstaQL
import Testing
import Triples

/// Join rows have no name; their labels are the rows that they join.
@Suite("Labels of joining rows")
struct JoinRowLabelTests {
  private static func screen(_ namespace: String) throws -> Screen {
    let schema = #"""
      {"entities": {
        "orders": {"key": "key", "attrs": {
          "key": {"valueType": "number", "config": {"unique": true, "indexed": true}}}},
        "products": {"key": "key", "attrs": {
          "key": {"valueType": "string", "config": {"unique": true, "indexed": true}},
          "name": {"valueType": "string", "config": {"unique": false, "indexed": true}}}},
        "readings": {"attrs": {
          "heat": {"valueType": "number", "config": {"unique": false, "indexed": true}},
          "wind": {"valueType": "number", "config": {"unique": false, "indexed": true}}}},
        "lines": {"attrs": {
          "count": {"valueType": "number", "config": {"unique": false, "indexed": true}}}}},
       "links": {
        "lineOrder": {"forward": {"on": "lines", "label": "order", "has": "one"},
                      "reverse": {"on": "orders", "label": "lines", "has": "many"}},
        "lineProduct": {"forward": {"on": "lines", "label": "product", "has": "one"},
                        "reverse": {"on": "products", "label": "lines", "has": "many"}}}}
      """#
    let store = try Dataset.load([
      (name: "schema.json", bytes: Array(schema.utf8)),
      (name: "orders.json", bytes: Array(#"[{"key": 7}, {"key": 8}]"#.utf8)),
      (name: "products.json", bytes: Array(#"[{"key": "p", "name": "Pen"}]"#.utf8)),
      (name: "readings.json", bytes: Array(#"[{"heat": 21.5, "wind": 3}]"#.utf8)),
      (
        name: "lines.json",
        bytes: Array(
          #"""
          [{"count": 2, "order": 7, "product": "p"}, {"count": 5, "order": 8}]
          """#.utf8)
      ),
    ])
    return try Screen(columns: 130, rows: 26, query: QueryPlan(namespace), store: store)
  }

  @Test("links to them and their titles name what they join")
  func names() throws {
    var screen = try Self.screen("products")
    #expect(try #require(screen.line(with: "│ Pen")).contains("⇉ 1: key 7 · Pen"))
    screen = try Self.screen("lines")
    screen.press("4 enter")
    #expect(screen.text.contains("[5] key 7 · Pen"))
  }

  @Test("a row that joins one entity adds a value, one that joins none adds two")
  func values() throws {
    #expect(try Self.screen("orders").text.contains("⇉ 1: key 8 · count 5"))
    var screen = try Self.screen("readings")
    screen.press("4 enter")
    #expect(screen.text.contains("[5] heat 21.5 · wind 3"))
  }

  @Test("a broken link keeps the label of its deleted target")
  func deleted() throws {
    var screen = try Self.screen("lines")
    let pen = try #require(screen.store.rows(of: "products").handles.first)
    try screen.transact([.deleteEntity(.id(screen.store.id(of: pen)), namespace: "products")])
    screen.press("C")
    let line = try #require(screen.line(with: "× "))
    #expect(line.contains("Pen") && !line.contains(screen.store.id(of: pen).text), "\(line)")
  }
}
