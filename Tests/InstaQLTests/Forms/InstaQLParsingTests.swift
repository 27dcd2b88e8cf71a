import InstaQL
import Testing
import Triples

@Suite("Parsing InstaQL strictly or like its client")
struct InstaQLParsingTests {
  static let refused: [(String, String)] = [
    (#"[]"#, ""),
    (#"{"n": 5}"#, "n"),
    (#"{"n": {"l": null}}"#, "n.l"),
    (#"{"n": {"$": {"limt": 1}}}"#, "n.$.limt"),
    (#"{"n": {"$": {"limit": 0}}}"#, "n.$.limit"),
    (#"{"n": {"$": {"limit": "3"}}}"#, "n.$.limit"),
    (#"{"n": {"$": {"offset": -1}}}"#, "n.$.offset"),
    (#"{"n": {"$": {"limit": 1, "first": 1}}}"#, "n.$.first"),
    (#"{"n": {"l": {"$": {"offset": 1}}}}"#, "n.l.$.offset"),
    (#"{"n": {"$": {"order": {"a": "up"}}}}"#, "n.$.order.a"),
    (#"{"n": {"$": {"order": {"a": "asc", "b": "asc"}}}}"#, "n.$.order"),
    (#"{"n": {"$": {"order": {"a.b": "asc"}}}}"#, "n.$.order"),
    (#"{"n": {"$": {"fields": "a"}}}"#, "n.$.fields"),
    (#"{"n": {"$": {"aggregate": "sum"}}}"#, "n.$.aggregate"),
    (#"{"n": {"$": {"after": [1]}}}"#, "n.$.after"),
    (#"{"n": {"$": {"where": "x"}}}"#, "n.$.where"),
    (#"{"n": {"$": {"where": {"a": null}}}}"#, "n.$.where.a"),
    (#"{"n": {"$": {"where": {"a": [1]}}}}"#, "n.$.where.a"),
    (#"{"n": {"$": {"where": {"a": {}}}}}"#, "n.$.where.a"),
    (#"{"n": {"$": {"where": {"a": {"$gt": 1, "$lt": 5}}}}}"#, "n.$.where.a"),
    (#"{"n": {"$": {"where": {"a": {"$near": 1}}}}}"#, "n.$.where.a.$near"),
    (#"{"n": {"$": {"where": {"a": {"$gt": null}}}}}"#, "n.$.where.a.$gt"),
    (#"{"n": {"$": {"where": {"a": {"$in": 5}}}}}"#, "n.$.where.a.$in"),
    (#"{"n": {"$": {"where": {"a": {"$like": 5}}}}}"#, "n.$.where.a.$like"),
    (#"{"n": {"$": {"where": {"a": {"$isNull": 1}}}}}"#, "n.$.where.a.$isNull"),
    (#"{"n": {"$": {"where": {"or": [{"a": 1}, {"a": null}]}}}}"#, "n.$.where.or[1].a"),
  ]

  @Test("ignored parts are rejected with their path", arguments: refused)
  func strict(_ json: String, _ path: String) throws {
    let error = try #require(throws: QueryError.self) { try QueryDocument(json: json) }
    guard case .invalid(let found, _) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(found == path)
  }

  @Test("duplicate keys, integers beyond 64 bits and invalid JSON are rejected with their position")
  func brokenJSON() throws {
    for json in [#"{"n": {}, "n": {}}"#, #"{"n": {"$": {"limit": 9223372036854775808}}}"#, "{"] {
      let error = try #require(throws: QueryError.self) { try QueryDocument(json: json) }
      #expect(error.position?.line == 1)
    }
  }

  static let conditions: [(String, ConditionNode)] = [
    (#"{"a": {"in": [1]}}"#, .isIn("a", [1])),
    (#"{"a": {"$not": 1}}"#, .compare("a", .notEqual, 1)),
    (#"{"b": 1, "a": 2}"#, .together([.compare("a", .equal, 2), .compare("b", .equal, 1)])),
    (#"{"or": {"a": 1}}"#, .compare("or", .equal, ["a": 1])),
    (#"{"or": 5}"#, .compare("or", .equal, 5)),
    (#"{"a": {"$gte": 1, "$lt": 5}}"#, .compare("a", .greaterOrEqual, 1)),
    (#"{"a": {"$lt": 5, "$gt": 1}}"#, .compare("a", .greater, 1)),
    (#"{"a": {"$like": "x", "$in": [1]}}"#, .isIn("a", [1])),
    (#"{"a": {"$ne": 5, "$not": 1}}"#, .compare("a", .notEqual, 5)),
    (#"{"a": {"$not": 5, "$gt": 0}}"#, .any([.isNull("a", true), .compare("a", .greater, 0)])),
    (#"{"a": {"$not": 5, "$isNull": true}}"#, .isNull("a", true)),
    (#"{"a": {"$isNull": false, "$gt": 5}}"#, .isNull("a", false)),
    (#"{"a": {"$gt": 5, "$near": 1}}"#, .compare("a", .greater, 5)),
    (#"{"a": {"$near": 1}}"#, .compare("a", .equal, ["$near": 1])),
    (#"{"a": {}}"#, .compare("a", .equal, [:])),
    (#"{"a": null}"#, .compare("a", .equal, nil)),
    (#"{"a": [1]}"#, .compare("a", .equal, [1])),
    (#"{"a": {"$gt": null}}"#, .compare("a", .greater, nil)),
    (#"{"$entityIdStartsWith": "a", "b": 1}"#, .compare("b", .equal, 1)),
    (#""x""#, .any([])),
    ("{}", .together([])),
  ]

  @Test("with reference rules a where object has the client's meaning", arguments: conditions)
  func reference(_ json: String, _ condition: ConditionNode) throws {
    let query = #"{"n": {"$": {"where": \#(json)}}}"#
    let document = try QueryDocument(json: query, reading: .reference)
    #expect(document.plans.first?.condition == condition)
  }

  static let options: [(String, QueryPlan)] = [
    (#"{"limit": 0, "first": 2}"#, QueryPlan("n").page(first: 2)),
    (#"{"first": 2, "last": 5}"#, QueryPlan("n").page(first: 2)),
    (#"{"limit": null, "offset": 0}"#, QueryPlan("n")),
    (#"{"limit": -1}"#, QueryPlan("n").limit(-1)),
    (#"{"order": {}}"#, QueryPlan("n")),
    (#"{"order": {"a": "up", "b": "asc"}}"#, QueryPlan("n").order("a", .descending)),
    (#"{"fields": "name"}"#, QueryPlan("n")),
    (#"{"where": null}"#, QueryPlan("n")),
  ]

  @Test("with reference rules invalid options are ignored", arguments: options)
  func referenceOptions(_ json: String, _ plan: QueryPlan) throws {
    let document = try QueryDocument(json: #"{"n": {"$": \#(json)}}"#, reading: .reference)
    #expect(document == QueryDocument(plan))
  }

  @Test("documents round-trip, except for old names and sorted keys")
  func canonical() throws {
    let json = #"{"b":{"l":{"$":{"limit":1}},"$":{"where":{"x":{"$not":1},"a":{"in":[]}}}},"a":{}}"#
    let canonical =
      #"{"a":{},"b":{"$":{"where":{"a":{"$in":[]},"x":{"$ne":1}}},"l":{"$":{"limit":1}}}}"#
    let document = try QueryDocument(json: json)
    #expect(document.canonicalJSON == canonical)
    #expect(try document.wireJSON() == canonical)
    #expect(try QueryDocument(json: canonical) == document)
  }
}
