import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("Results stay visible")
struct VisibleResultsTests {
  private static func things(
    _ rows: [String], columns: Int = 80, lines: Int = 24, plan: QueryPlan = QueryPlan("things")
  ) throws -> Screen {
    let text = "[" + rows.joined(separator: ",") + "]"
    return try Screen(
      columns: columns, rows: lines, query: plan,
      store: try Dataset.load([(name: "things.json", bytes: Array(text.utf8))]))
  }

  @Test("a new query closes panes that cover its answer", arguments: ["5", "D", "x", "C"])
  func uncovered(pane: String) throws {
    var screen = try Screen(columns: 80, query: QueryPlan("plants"))
    screen.press("4 \(pane) F")
    screen.type("name = \"Iris\"")
    screen.press("enter")
    #expect(screen.text.contains("─ [4] Results ─"), "\(screen.text)")
    #expect(screen.text.contains("Iris   "))
  }

  @Test("panes next to the results stay open")
  func beside() throws {
    var screen = try Screen(columns: 160, rows: 30, query: QueryPlan("plants"))
    screen.press("4 5 F")
    screen.type("name = \"Fig\"")
    screen.press("enter")
    #expect(screen.text.contains("[5] Fig"), "\(screen.text)")
  }

  @Test("relations can be edited one after the other")
  func relations() throws {
    var screen = try Screen(columns: 80, query: QueryPlan("plants"))
    screen.press("4 w space F")
    screen.type("area > 1")
    screen.press("enter")
    #expect(screen.text.contains("Relations of plants"), "\(screen.text)")
  }

  @Test("the column of an included relation is selected and visible")
  func nested() throws {
    var screen = try Screen(columns: 80, query: QueryPlan("plants"))
    screen.press("4 w space enter")
    #expect(screen.line(with: "South wall →") != nil, "\(screen.text)")
    screen.press(">")
    #expect(screen.text.contains("╰ bed 1"), "\(screen.text)")
  }

  @Test("a match in the cut part of a cell is shown")
  func hit() throws {
    let long = String(repeating: "word ", count: 20) + "needle and more"
    var screen = try Self.things([#"{"name": "a", "text": "\#(long)"}"#])
    screen.press("4 /")
    screen.type("needle")
    screen.press("enter")
    #expect(screen.line(with: "needle and")?.contains("…") == true, "\(screen.text)")
  }

  private static let numbers =
    #"{"name": "a", "#
    + (1...9).map { #""n\#($0)": \#($0)"# }.joined(separator: ", ") + "}"

  @Test("conditions are shown completely, or the number of lines is")
  func conditions() throws {
    let conditions = (1...9).map { "n\($0) > \($0)23000" }.joined(separator: " and ")
    let plan = try QueryDocument(text: "things filter \(conditions) order name").plans[0]
    let screen = try Self.things([Self.numbers], plan: plan)
    let lines = screen.text.split(separator: "\n")
    let shown = lines.dropFirst().prefix { !$0.contains("Results") }.joined()
    #expect(shown.contains("n1 > 123_000"), "\(screen.text)")
    #expect(shown.contains(" lines ") || shown.contains("order name"), "\(screen.text)")
    #expect(!shown.contains("…"), "\(screen.text)")
  }

  @Test("a long query gets more lines on a high screen")
  func lines() throws {
    let conditions = (1...6).map { "n\($0) > \($0)23000" }.joined(separator: " and ")
    let plan = try QueryDocument(text: "things filter \(conditions) order name").plans[0]
    let screen = try Self.things([Self.numbers], lines: 40, plan: plan)
    #expect((1...6).allSatisfy { screen.text.contains("n\($0) > \($0)23_000") }, "\(screen.text)")
    let short = try Self.things([#"{"name": "a"}"#], lines: 40)
    #expect(short.row(4).contains("[4] Results"), "\(short.text)")
  }

  @Test("the footer of a loading store shows how to cancel")
  func opening() {
    var workspace = Workspace(StoreListing(typed: "big"), size: Size(columns: 80, rows: 24))
    _ = workspace.update(.loading(LoadingProgress(done: 13_757_993, of: 62_461_133, .bytes)))
    #expect(workspace.view().text(row: 23).contains("ctrl-c cancel"), "\(workspace.view().text)")
    #expect(workspace.view().text.contains("13.7 MB of 62.4 MB"))
  }
}

@Suite("Labels of entities without a name")
struct KeyLabelTests {
  private static func schema(_ namespace: String, _ attributes: [(String, CheckedType)]) -> Schema {
    var schema = Schema()
    for (label, type) in attributes {
      schema.set(
        Attribute(id: AttributeID("\(namespace).\(label)"), namespace: namespace, label: label).with
        {
          $0.isUnique = label == "key" || label == "id"
          $0.checkedType = label == "id" ? nil : type
        })
    }
    return schema
  }

  @Test(
    "a value shared by many rows is not used as a label if there is a key",
    arguments: [
      (["id", "status", "key"], nil), (["id", "status", "note"], "status"),
      (["id", "status", "product_name", "key"], "product_name"),
      (["id", "status", "city", "key"], "city"), (["id", "status", "title", "key"], "title"),
    ] as [([String], String?)])
  func label(labels: [String], expected: String?) throws {
    var store = TripleStore()
    let schema = Self.schema("orders", labels.map { ($0, $0 == "key" ? .number : .string) })
    for attribute in schema.attributes { store.addAttribute(attribute) }
    let row = EntityID("b0000000-0000-4000-8000-000000000001")
    var steps: [TransactionStep] = [
      .addTriple(.id(row), AttributeID("orders.id"), .text(row.text))
    ]
    for label in labels.dropFirst() {
      let value: Value = label == "key" ? 7 : .text("a \(label)")
      steps.append(.addTriple(.id(row), AttributeID("orders.\(label)"), value))
    }
    try store.transact(Transaction(steps), rules: .optimistic)
    var screen = try Screen(columns: 120, query: QueryPlan("orders"), store: store)
    screen.press("4 5")
    let name = expected.map { "a \($0)" } ?? "key 7"
    #expect(screen.text.contains("[5] \(name) ─"), "\(screen.text)")
  }
}

@Suite("Calendar ranges")
struct CalendarRangesTests {
  private static func values(_ dates: [String], columns: Int = 120) throws -> Screen {
    let rows = dates.enumerated().map { #"{"key": "k\#($0)", "on": "\#($1)"}"# }
    let schema = #"""
      {"entities": {"days": {"key": "key", "attrs": {
        "key": {"valueType": "string", "config": {"unique": true, "indexed": true}},
        "on": {"valueType": "date", "config": {"unique": false, "indexed": true}}}}}}
      """#
    return try Screen(
      columns: columns, rows: 40, query: QueryPlan("days"),
      store: try Dataset.load([
        (name: "schema.json", bytes: Array(schema.utf8)),
        (name: "days.json", bytes: Array("[\(rows.joined(separator: ","))]".utf8)),
      ]))
  }

  @Test(
    "years, quarters, months and days have short names",
    arguments: [
      ((0..<30).map { "\(2000 + $0 % 14)-0\(1 + $0 % 9)-1\($0 % 10)" }, "2004 "),
      ((0..<30).map { "20\(20 + $0 % 3)-0\(1 + $0 % 9)-1\($0 % 10)" }, "2021 Q2 "),
      ((0..<30).map { "2024-0\(1 + $0 % 9)-\(10 + $0 % 20)" }, "2024-05 "),
      ((0..<30).map { "2024-05-\(10 + $0 % 14)" }, "2024-05-12 "),
    ])
  func names(dates: [String], bar: String) throws {
    var screen = try Self.values(dates)
    screen.press("4 right z")
    #expect(screen.text.contains(" \(bar)"), "\(screen.text)")
    #expect(screen.text.contains("distinct · 30 rows"), "\(screen.text)")
  }

  @Test("equally frequent values are sorted like rows")
  func collated() throws {
    let rows = ["Brasil", "Bénin", "Bosna"].map { #"{"key": "\#($0)", "name": "\#($0)"}"# }
    var screen = try Screen(
      columns: 120, rows: 24, query: QueryPlan("things").order("name"),
      store: try Dataset.load([
        (name: "things.json", bytes: Array("[\(rows.joined(separator: ","))]".utf8))
      ]))
    screen.press("4 z")
    let bars = screen.text.split(separator: "\n").compactMap { line -> String? in
      let bar = line.split(separator: "│").last.map(String.init) ?? ""
      return ["Bénin", "Bosna", "Brasil"].first { bar.contains("▆") && bar.contains($0) }
    }
    #expect(bars == ["Bénin", "Bosna", "Brasil"], "\(screen.text)")
  }
}
