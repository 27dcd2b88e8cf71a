import InstaQL
import Testing
import Triples

@Suite("Computed values")
struct ExpressionTests {
  private static let schema = Schema([
    .of("items", "id"), .of("items", "name", .string), .of("items", "n", .number),
    .of("items", "m", .number), .of("items", "due", .date), .of("items", "meta"),
    .link("items", "box", "boxes", "items"),
    .of("boxes", "id"), .of("boxes", "label", .string),
  ])

  /// Three items in one box, the last one almost empty; and a box without items.
  private static func store() -> TripleStore {
    var world = NaiveWorld()
    world.attributes = schema.attributes
    func id(_ number: UInt64) -> String { EntityID(high: 9, low: number).text }
    func set(_ number: UInt64, _ namespace: String, _ values: [String: Value]) {
      for (label, value) in values.sorted(by: { $0.key < $1.key }) {
        guard let attribute = schema.attribute(namespace, label) else { continue }
        world.insert(id(number), attribute.id, value, Int64(number))
      }
    }
    let meta: Value = ["size": 3, "tags": ["new", "red"], "a": ["b": nil]]
    set(
      1, "items",
      [
        "id": .text(id(1)), "name": "Émile", "n": 7, "m": 2, "due": "2025-03-31", "meta": meta,
        "box": .text(id(8)),
      ])
    set(
      2, "items",
      [
        "id": .text(id(2)), "name": " two ", "n": -6, "m": 3, "due": "1969-12-31T23:00:00Z",
        "meta": ["size": "big"], "box": .text(id(8)),
      ])
    set(3, "items", ["id": .text(id(3)), "m": 0, "box": .text(id(8))])
    set(8, "boxes", ["id": .text(id(8)), "label": "full"])
    set(9, "boxes", ["id": .text(id(9)), "label": "empty"])
    return world.store()
  }

  private func column(_ expression: String, of namespace: String = "items") throws -> [Value] {
    let text = "\(namespace) distinct fields id, \(expression) as x"
    let document = try QueryDocument(text: text, schema: Self.schema)
    let answer = try QueryEngine.answer(document.plans[0], in: Self.store())
    return answer.table?["x"] ?? []
  }

  static let values: [(String, [Value])] = [
    ("n + m", [9, -3, nil]), ("n - m * 2", [3, -12, nil]), ("(n - m) * 2", [10, -18, nil]),
    ("n / m", [3.5, -2, nil]), ("n % m", [1, 0, nil]), ("m / m", [1, 1, nil]),
    ("-n", [-7, 6, nil]), ("n -1", [6, -7, nil]),
    ("9223372036854775807 + n", [0x1p63, 9_223_372_036_854_775_801, nil]),
    ("lower(name)", ["émile", " two ", nil]), ("upper(name)", ["ÉMILE", " TWO ", nil]),
    ("trim(name)", ["Émile", "two", nil]), ("length(name)", [5, 5, nil]),
    ("length(meta.tags)", [2, nil, nil]), ("concat(n, \"-\", m)", ["7-2", "-6-3", "-0"]),
    ("round(n / m)", [4, -2, nil]), ("round(n * 10, -1)", [70, -60, nil]),
    ("year(coalesce(due, 2024-06-30))", [2025, 1969, 2024]),
    ("year(\"2024-06-30\") - year(due)", [-1, 55, nil]),
    ("floor(n / 2)", [3, -3, nil]), ("ceil(n / 2)", [4, -3, nil]), ("abs(n)", [7, 6, nil]),
    ("year(due)", [2025, 1969, nil]), ("month(due)", [3, 12, nil]), ("day(due)", [31, 31, nil]),
    ("weekday(due)", [1, 3, nil]), ("coalesce(n, m, 5)", [7, -6, 0]),
    ("coalesce(name, \"?\")", ["Émile", " two ", "?"]),
    ("meta.size", [3, "big", nil]), ("meta.tags[0]", ["new", nil, nil]),
    ("meta.tags[-1]", ["red", nil, nil]), ("meta.tags[2]", [nil, nil, nil]),
    ("meta.a.b", [nil, nil, nil]), ("meta.size + 1", [4, nil, nil]),
    ("box.label", ["full", "full", "full"]),
  ]

  @Test("have the documented value", arguments: values)
  func value(_ expression: String, _ expected: [Value]) throws {
    #expect(try column(expression) == expected)
  }

  static let aggregates: [(String, [Value])] = [
    ("count(items)", [3, 0]), ("items.count", [3, 0]), ("count(items.n)", [2, 0]),
    ("sum(items.n)", [1, 0]), ("avg(items.m)", [.double(5.0 / 3), nil]),
    ("max(items.n) * 2", [14, nil]),
    ("min(items.due)", ["1969-12-31T23:00:00Z", nil]), ("count(distinct items.m)", [3, 0]),
    ("median(items.m)", [2, nil]),
  ]

  @Test("aggregate linked entities", arguments: aggregates)
  func aggregate(_ expression: String, _ expected: [Value]) throws {
    #expect(try column(expression, of: "boxes") == expected)
  }

  static let counts: [(String, Int)] = [
    ("items filter n / m > 3", 1), ("items filter n / m != 3.5", 2),
    ("items filter n / m is null", 1), ("items filter not n / m > 3", 2),
    ("items filter n > m * 2", 1), ("items filter (n + 1) * 2 = 16 and (m = 2 or m = 3)", 1),
    ("items filter meta.size = 3", 1), ("items filter meta.size is null", 1),
    ("items filter meta.size > \"1\"", 1), ("items filter meta.size < \"9\"", 0),
    ("items filter meta.tags[0] like \"n%\"", 1), ("items filter meta.size in (3, \"big\")", 2),
    ("boxes filter items.meta.size = 3", 1), ("boxes filter any items (n * m > 10)", 1),
    ("boxes filter sum(items.n) > 0", 1), ("boxes filter count(items) / 2 > 1", 1),
    ("boxes filter max(items.n) is null", 1), ("items filter lower(name) matches \"^é\"", 1),
    ("items filter coalesce(due, 2024-06-30) = 2025-03-31T00:00:00Z", 1),
    ("items filter coalesce(due, 2024-06-30) < 2024-07-01", 2),
    ("items filter name matches \"(?i)TWO\"", 1), ("items filter name not matches \"two\"", 2),
    ("boxes filter items.name matches \"^\\s\"", 1), ("items filter year(due) = 2025", 1),
  ]

  @Test("filter", arguments: counts)
  func filter(_ text: String, _ expected: Int) throws {
    let document = try QueryDocument(text: text + " count", schema: Self.schema)
    #expect(try QueryEngine.answer(document.plans[0], in: Self.store()).count == expected)
  }

  @Test("order and group, by expression and by name")
  func orderAndGroup() throws {
    func names(_ text: String) throws -> [Value?] {
      let document = try QueryDocument(text: text, schema: Self.schema)
      let answer = try QueryEngine.answer(document.plans[0], in: Self.store())
      return answer.rows.map { answer.value($0, "name") }
    }
    #expect(try names("items order n * -1") == [nil, "Émile", " two "])
    #expect(
      try names("items order ratio desc fields name, n / m as ratio") == ["Émile", " two ", nil])
    let grouped = try QueryDocument(
      text: "items group year(due) as y aggregate sum(n * 2) as s having s > 0 order y",
      schema: Self.schema)
    let answer = try QueryEngine.answer(grouped.plans[0], in: Self.store())
    #expect(answer.table?.columns == ["y", "s"])
    #expect(answer.table?.rows == [[2025, 14]])
    let members = try #require(answer.members(ofRow: 0))
    #expect(try QueryEngine.answer(members, in: Self.store()).total == 1)
  }

  @Test("stand in JSON and in tables, in the order of the fields")
  func output() throws {
    let text = "items filter n = 7 fields n * 2 as double, name"
    let document = try QueryDocument(text: text, schema: Self.schema)
    let json = try QueryEngine.json(document, in: Self.store())
    #expect(json.contains("\"double\":14"))
    let answers = [try QueryEngine.answer(document.plans[0], in: Self.store())]
    let csv = String(
      decoding: try ResultFormat.csv.bytes(of: answers, options: .standard), as: UTF8.self)
    #expect(csv.hasPrefix("double,name"))
    #expect(csv.contains("14,Émile"))
  }

  static let refusals: [(String, String)] = [
    ("items filter name + 1 > 2", "'name' contains strings."),
    ("items fields lower(n)", "'n' contains numbers."),
    ("items fields lowr(name)", "Did you mean 'lower'?"),
    ("boxes fields items.n + 1", "'items' is a link to many entities"),
    ("items fields n * 2 as name", "'name' is already a field"),
    ("items fields n * 2 as x, m as x", "'x' is already a column"),
    ("items fields n * 2 as x filter x > 3", "Write its expression: n * 2."),
    ("items group year(due) as y filter m = 1 or y = 2", "Write its expression: year(due)."),
    ("items fields nn / m", "Did you mean 'n'?"),
    ("items filter sum(n) > 3", "aggregate sum(n)"),
    ("items filter name matches \"a(\"", "this group has no closing parenthesis"),
    ("items order ratio", ""),
  ]

  @Test("errors say what to write instead", arguments: refusals)
  func refusal(_ text: String, _ hint: String) {
    #expect {
      try QueryDocument(text: text, schema: Self.schema)
    } throws: { error in
      guard let error = error as? QueryError else { return false }
      return error.position != nil && (hint.isEmpty || error.hint?.contains(hint) == true)
    }
  }

  @Test("a long expression is rejected, not computed")
  func long() {
    let text = "items filter n" + String(repeating: " + n", count: 20_000) + " > 1"
    #expect(throws: QueryError.self) { try QueryDocument(text: text, schema: Self.schema) }
    let nested =
      "items filter " + String(repeating: "(", count: 9_000) + "n"
      + String(repeating: ")", count: 9_000) + " > 1"
    #expect(throws: QueryError.self) { try QueryDocument(text: nested, schema: Self.schema) }
  }

  @Test("a server of Instant is not asked for them")
  func wire() throws {
    for text in [
      "items filter n / m > 3", "items filter meta.size = 3", "items order n * 2",
      "items fields n * 2", "items filter name matches \"a\"",
    ] {
      let plan = try QueryDocument(text: text, schema: Self.schema).plans[0]
      #expect(throws: QueryError.self) { try plan.instaQL() }
      #expect(try plan.question(in: Self.schema).instaQL() == QueryPlan("items").instaQL())
    }
  }
}
