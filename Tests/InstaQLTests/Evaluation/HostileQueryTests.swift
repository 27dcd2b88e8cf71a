import InstaQL
import Testing
import Triples

/// Excessive queries end quickly with an answer or a clear error, and never crash.
@Suite("Excessive queries", .timeLimit(.minutes(10)))
struct HostileQueryTests {
  /// Entities in a ring, each linked to the next two, with a text and a number.
  private static func ring(_ count: Int) -> TripleStore {
    var world = NaiveWorld()
    world.attributes = [
      Attribute(id: AttributeID("id"), namespace: "nodes", label: "id", constraints: .unique),
      Attribute(id: AttributeID("n"), namespace: "nodes", label: "n").with {
        $0.checkedType = .number
      },
      Attribute(id: AttributeID("t"), namespace: "nodes", label: "t").with {
        $0.checkedType = .string
      },
      Attribute(id: AttributeID("any"), namespace: "nodes", label: "any"),
      Attribute(
        id: AttributeID("next"), namespace: "nodes", label: "next",
        reverse: Attribute.Name(namespace: "nodes", label: "previous"), valueType: .ref,
        cardinality: .many),
    ]
    func name(_ place: Int) -> String { EntityID(high: 7, low: UInt64(place % count)).text }
    for place in 0..<count {
      let time = Int64(place)
      world.insert(name(place), AttributeID("id"), .text(name(place)), time)
      world.insert(name(place), AttributeID("n"), .integer(Int64(place)), time)
      world.insert(
        name(place), AttributeID("t"), .text(String(repeating: "ab", count: 50)), time)
      world.insert(
        name(place), AttributeID("any"), place % 2 == 0 ? .integer(1) : .text("one"), time)
      for step in 1...2 {
        world.insert(name(place), AttributeID("next"), .text(name(place + step)), time)
      }
    }
    return world.store()
  }

  @Test(
    "conditions nested ten thousand deep are rejected in any form",
    arguments: ["all", "any", "not", "together", "some"])
  func deepConditions(kind: String) {
    var node = ConditionNode.compare("n", .equal, 1)
    for _ in 0..<10_000 {
      node =
        switch kind {
        case "all": .all([node, .compare("n", .less, 3)])
        case "any": .any([node, .isNull("n", true)])
        case "not": .not(node)
        case "together": .together([node, .isNull("n", false)])
        default: .quantified(.some, "next", node)
        }
    }
    #expect(throws: FormulaBuilderLimit.error) {
      try QueryEngine.answer(QueryPlan("nodes", condition: node), in: Self.ring(3))
    }
  }

  @Test("a path of a thousand links is rejected")
  func longPath() {
    let path = AttributePath(Array(repeating: "next", count: 1000) + ["n"])
    #expect(throws: QueryError.self) {
      try QueryEngine.answer(
        QueryPlan("nodes", condition: .compare(path, .equal, 1)), in: Self.ring(3))
    }
  }

  @Test("a list of a million values costs about as much as reading it")
  func longList() throws {
    let store = Self.ring(3000)
    var values = (0..<500_000).map { Value.integer(Int64($0) * 2) }
    values += (0..<500_000).map { Value.text("text \($0)") }
    values.append("one")
    for (label, wanted) in [("n", 1500), ("t", 0), ("any", 1500)] {
      let plan = QueryPlan("nodes", condition: .isIn(AttributePath(label), values))
      let total = try QueryEngine.answer(plan, in: store).total
      #expect(total == wanted, "\(label)")
    }
  }

  @Test("an or of a hundred thousand equalities reads the column once")
  func longOr() throws {
    let store = Self.ring(3000)
    let parts = (0..<100_000).map { ConditionNode.compare("n", .equal, .integer(Int64($0) * 3)) }
    let plan = QueryPlan("nodes", condition: .any(parts))
    let total = try QueryEngine.answer(plan, in: store).total
    #expect(total == 1000)
  }

  @Test("a cyclic relation two hundred levels deep is answered if it is narrow")
  func deepRelation() throws {
    let store = Self.ring(50)
    var plan = QueryPlan("next").fields([])
    plan.page.limit = 1
    for _ in 0..<200 { plan = QueryPlan("next").fields([]).limit(1).with("next") { _ in plan } }
    let top = QueryPlan("nodes").fields([]).limit(3).with("next") { _ in plan }
    let json = try QueryEngine.json(QueryDocument(top), in: store)
    #expect(json.split(separator: "{").count > 600)
    var answer = try QueryEngine.answer(top, in: store)
    for _ in 0..<200 { answer = try answer.related("next", of: try #require(answer.rows.first)) }
    #expect(answer.rows.count == 1)
  }

  @Test("an answer that would grow without bounds is stopped at the limit")
  func endlessAnswer() throws {
    let store = Self.ring(50)
    var plan = QueryPlan("next")
    for _ in 0..<200 { plan = QueryPlan("next").with("next") { _ in plan } }
    let document = QueryDocument(QueryPlan("nodes").with("next") { _ in plan })
    #expect(throws: QueryError.self) {
      try QueryEngine.json(document, in: store, options: QueryOptions(maxBytes: 1 << 20))
    }
  }

  @Test("relations nested a thousand deep are rejected")
  func bottomlessRelation() {
    var plan = QueryPlan("next")
    for _ in 0..<1000 { plan = QueryPlan("next").with("next") { _ in plan } }
    #expect(throws: QueryError.self) {
      try QueryEngine.answer(QueryPlan("nodes").with("next") { _ in plan }, in: Self.ring(3))
    }
  }

  @Test(
    "patterns designed for backtracking are matched quickly",
    arguments: [
      String(repeating: "%", count: 10_000) + "c", String(repeating: "%a", count: 3000) + "c",
      String(repeating: "%_", count: 101), String(repeating: "_%a_%", count: 40) + "c",
      String(repeating: "%b%a", count: 40) + "%c", String(repeating: "\\", count: 10_001),
    ])
  func patterns(pattern: String) throws {
    let store = Self.ring(500)
    for comparison in [Comparison.like, .ilike] {
      let plan = QueryPlan("nodes", condition: .compare("t", comparison, .text(pattern)))
      let total = try QueryEngine.answer(plan, in: store).total
      #expect(total == 0)
    }
  }

  @Test("joint paths with too many combinations end with an answer or an error")
  func meetingPaths() throws {
    let store = Self.ring(200)
    var parts: [ConditionNode] = []
    for depth in 1...12 {
      let forward = Array(repeating: "next", count: depth)
      let other = ["previous"] + Array(repeating: "next", count: depth - 1)
      parts.append(.compare(AttributePath(forward + ["n"]), .greaterOrEqual, 0))
      parts.append(.compare(AttributePath(other + ["n"]), .greaterOrEqual, 0))
    }
    do {
      _ = try QueryEngine.answer(QueryPlan("nodes", condition: .sharing(parts)), in: store)
    } catch {
      #expect(error.message.contains("too many combinations"))
    }
  }

  @Test("the largest page numbers are supported")
  func largePages() throws {
    let store = Self.ring(10)
    let whole = QueryPlan("nodes").limit(.max).offset(3)
    #expect(try QueryEngine.answer(whole, in: store).rows.count == 7)
    #expect(try QueryEngine.answer(whole.offset(.max), in: store).rows.isEmpty)
    #expect(try QueryEngine.answer(QueryPlan("nodes").page(last: .max), in: store).rows.count == 10)
    #expect(throws: QueryError.self) { try QueryEngine.answer(whole.limit(0), in: store) }
    #expect(throws: QueryError.self) { try QueryEngine.answer(whole.offset(-1), in: store) }
  }
}

private enum FormulaBuilderLimit {
  static let error = QueryError.invalid(
    path: "", reason: "The conditions are nested more than 400 levels deep. Simplify the query.")
}
