import ConformanceSupport
import InstaQL
import Testing
import Triples

struct ExplanationTests {
  private static let store = BoatsFixture.store

  @Test("an explanation contains access paths, estimates and results")
  func lines() throws {
    let plan = try QueryPlan("boats").filter(.compare("crew.name", .equal, "Ida"))
      .filter(.compare("length", .greater, 5)).with("crew")
    let explanation = try QueryEngine.explain(plan, in: Self.store)
    let text = explanation.lines.joined(separator: "\n")
    #expect(text.contains("crew → name = \"Ida\""))
    #expect(text.contains("semi-join along boat, backwards") && text.contains("scan"))
    #expect(text.contains("estimated "))
    #expect(text.contains("with crew"))
    let count = "\(explanation.rows) of \(explanation.total) matching row"
    #expect(explanation.lines.last?.hasPrefix(count) == true)
    #expect(explanation.total == (try QueryEngine.answer(plan, in: Self.store).total))
  }

  @Test("an explanation contains only the beginning of a long value of a statement")
  func longValue() throws {
    var served = ServedAnswer()
    served.statements = [
      .init(
        text: "SELECT 1", values: [7, .text(String(repeating: "k", count: 300))], rows: 1,
        time: .milliseconds(1), plan: [])
    ]
    let explanation = try QueryEngine.explain(
      QueryPlan("boats"), in: StoreSnapshot(Self.store, served: served))
    let beginning = "\"" + String(repeating: "k", count: 199)
    #expect(explanation.lines.contains("  with 1 = 7, 2 = \(beginning)… (302 characters)"))
    #expect(explanation.json.contains(String(repeating: "k", count: 300)))
  }

  @Test("the estimate for a single-valued link depends on the numbers of entities")
  func guesses() throws {
    let crews = (0..<40).map { #"{"key": "\#($0)", "boat": "\#($0 % 4)"}"# }
    let boats = (0..<4).map { #"{"key": "\#($0)"}"# }
    let schema = #"""
      {"entities": {"boats": {"key": "key", "attrs": {"key": {"valueType": "string"}}},
                    "crew": {"key": "key", "attrs": {"key": {"valueType": "string"}}}},
       "links": {"a": {"forward": {"on": "crew", "label": "boat", "has": "one"},
                       "reverse": {"on": "boats", "label": "crew", "has": "many"}}}}
      """#
    let store = try Dataset.load([
      (name: "schema.json", bytes: Array(schema.utf8)),
      (name: "boats.json", bytes: Array("[\(boats.joined(separator: ","))]".utf8)),
      (name: "crew.json", bytes: Array("[\(crews.joined(separator: ","))]".utf8)),
    ])
    func guess(_ namespace: String, _ path: String) throws -> Int? {
      let plan = QueryPlan(namespace).filter(.compare(AttributePath(path), .equal, "3"))
      return try QueryEngine.explain(plan, in: store).steps.first?.estimate
    }
    #expect(try guess("crew", "boat.key") == 10)
    // Each crew member belongs to one boat.
    #expect(try guess("boats", "crew.key") == guess("crew", "key"))
  }

  @Test("an explanation is a JSON object with the same numbers")
  func json() throws {
    let plan = QueryPlan("boats", condition: .compare("length", .greater, 5))
    let explanation = try QueryEngine.explain(plan, in: Self.store)
    let json = try #require(try JSONReader.value(of: explanation.json).object)
    #expect(json["namespace"] == "boats")
    #expect(json["total"] == .integer(Int64(explanation.total)))
    #expect(json["steps"]?.list?.count == explanation.steps.count)
    #expect(json["steps"]?.list?.first?.object?["found"] == .integer(Int64(explanation.total)))
  }

  @Test("the JSON form keeps its words when those for people change")
  func jsonWords() throws {
    let plan = try QueryPlan("boats").filter(.compare("crew.name", .equal, "Ida"))
      .filter(.not(.compare("length", .greater, 5)))
    let explanation = try QueryEngine.explain(plan, in: Self.store)
    let json = try #require(try JSONReader.value(of: explanation.json).object)
    let steps = try #require(json["steps"]?.list)
    func texts(_ key: String) -> [String] { steps.compactMap { $0.object?[key]?.textValue } }
    #expect(texts("how").first == "combined")
    #expect(texts("how").contains { $0.hasPrefix("all others among ") && !$0.hasSuffix("rows") })
    #expect(texts("what").last == "order and page" && texts("how").last == "sort")
    #expect(explanation.steps.last?.what == "default order")
    #expect(explanation.steps.last?.how == "by creation time")
    let all = try QueryEngine.explain(QueryPlan("boats"), in: Self.store)
    #expect(all.steps.first?.what == "boats: all rows" && all.steps.first?.how == "full scan")
    #expect(all.json.contains(#""what":"boats: everything","how":"all""#))
    let doubled = try QueryDocument(text: "boats filter length * 2 > 5").plans[0]
    let computed = try QueryEngine.explain(doubled, in: Self.store)
    #expect(computed.steps.first?.what == "boats: comparison of length * 2 with a value")
    #expect(computed.json.contains(#""what":"boats: length * 2 passes the test""#))
  }

  @Test(
    "the last step says how the rows are ordered, or that they are not",
    arguments: [
      ("boats", "default order", "by creation time"),
      ("boats limit 2", "default order and limit", "by creation time"),
      ("boats order length", "sort", "in memory"),
      ("boats order length limit 2", "sort and limit", "in memory"),
      ("boats count", "count", "without reading rows"),
      ("boats aggregate max(length)", "summarize", "in memory"),
    ])
  func lastStep(text: String, what: String, how: String) throws {
    let plan = try QueryDocument(text: text).plans[0]
    let step = try QueryEngine.explain(plan, in: Self.store).steps.last
    #expect(step?.what == what && step?.how == how)
  }

  @Test("the query for a server contains the links that are tested locally")
  func asked() throws {
    let plan = try QueryDocument(text: "people filter mate is null or age * 2 > 5").plans[0]
    let snapshot = StoreSnapshot(Self.store, served: ServedAnswer())
    let explanation = try QueryEngine.explain(plan, in: snapshot)
    #expect(explanation.asked?.text == "people with mate { fields () }")
  }

  @Test("an explanation for a database names no server and counts groups")
  func groupsOfDatabase() throws {
    let plan = try QueryDocument(text: "boats group title").plans[0]
    var found = ServedAnswer.Found(rows: [])
    found.table = .init(columns: ["title", "count"], rows: [["A", 2], ["B", 1]], total: 2)
    let served = ServedAnswer(found: [plan.text: found], canGiveAll: true)
    let explanation = try QueryEngine.explain(plan, in: StoreSnapshot(Self.store, served: served))
    #expect(explanation.asked == nil && explanation.rows == 2)
    #expect(explanation.lines.count == 1)
    #expect(explanation.lines.last?.hasPrefix("2 groups in ") == true)
  }

  @Test("an explanation says if more rows may match than are counted")
  func uncounted() throws {
    let plan = QueryPlan("boats")
    let rows = try QueryEngine.answer(plan, in: Self.store).rows
    let found = ServedAnswer.Found(rows: Array(rows.prefix(2)), hasNext: true)
    let served = ServedAnswer(found: [plan.text: found], canGiveAll: true)
    let explanation = try QueryEngine.explain(plan, in: StoreSnapshot(Self.store, served: served))
    let beginning = "2 of at least 3 matching rows in "
    #expect(explanation.lines.last?.hasPrefix(beginning) == true)
  }

  @Test("steps of a plan without results still contain the conditions")
  func nothing() throws {
    let plan = QueryPlan("nobody", condition: .compare("a", .equal, 1))
    #expect(try QueryEngine.explain(plan, in: Self.store).lines.first?.contains("nothing") == true)
  }
}
