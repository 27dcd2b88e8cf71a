import InstaQL
import Testing
import Triples

@Suite("The InstaQL form of plans")
struct WireTests {
  static let said: [(ConditionNode, String)] = [
    (.compare("a.b", .equal, "x"), #"{"a.b":"x"}"#),
    (.compare("a", .notEqual, 1), #"{"a":{"$ne":1}}"#),
    (.isIn("a", [1, nil]), #"{"a":{"$in":[1,null]}}"#),
    (.isNull("a", false), #"{"a":{"$isNull":false}}"#),
    (.all([.compare("a", .equal, 1)]), #"{"and":[{"a":1}]}"#),
    (.any([]), #"{"or":[]}"#),
    (.together([]), "{}"),
    (.sharing([.compare("t.b", .equal, 1), .compare("t.a", .equal, 2)]), #"{"t.a":2,"t.b":1}"#),
    (.not(.compare("a", .equal, 1)), #"{"a":{"$ne":1}}"#),
    (.not(.compare("a", .notEqual, 1)), #"{"a":1}"#),
    (.not(.isNull("a", true)), #"{"a":{"$isNull":false}}"#),
    (.not(.compare("a", .greater, 1)), #"{"or":[{"a":{"$lte":1}},{"a":{"$isNull":true}}]}"#),
    (.not(.compare("a", .lessOrEqual, 1)), #"{"or":[{"a":{"$gt":1}},{"a":{"$isNull":true}}]}"#),
    (.not(.isIn("a", [1, 2])), #"{"and":[{"a":{"$ne":1}},{"a":{"$ne":2}}]}"#),
    (
      .not(.all([.compare("a", .equal, 1), .not(.compare("b", .equal, 2))])),
      #"{"or":[{"a":{"$ne":1}},{"b":2}]}"#
    ),
    (
      .not(.sharing([.compare("a", .equal, 1), .isNull("b", true)])),
      #"{"or":[{"a":{"$ne":1}},{"b":{"$isNull":false}}]}"#
    ),
    (.not(.not(.compare("a.b", .like, "x"))), #"{"a.b":{"$like":"x"}}"#),
    (.quantified(.some, "todos", .compare("done", .equal, true)), #"{"todos.done":true}"#),
    (.quantified(.some, "todos", .all([])), #"{"todos":{"$isNull":false}}"#),
    (
      .quantified(.some, "todos", .all([.compare("done", .equal, true), .compare("n", .less, 2)])),
      #"{"todos.done":true,"todos.n":{"$lt":2}}"#
    ),
    (
      .all([
        .compare("a", .equal, 1),
        .quantified(.some, "t", .all([.compare("x", .equal, 1), .compare("y", .equal, 2)])),
        .not(.compare("b", .equal, 2)),
      ]), #"{"and":[{"a":1},{"b":{"$ne":2}}],"t.x":1,"t.y":2}"#
    ),
    (.idStartsWith([], "0a"), #"{"$entityIdStartsWith":"0a"}"#),
  ]

  @Test("a plan has the expected form", arguments: said)
  func says(_ condition: ConditionNode, _ json: String) throws {
    #expect(try QueryPlan("n").filter(condition).wire == #"{"n":{"$":{"where":\#(json)}}}"#)
  }

  static let localOnly: [ConditionNode] = [
    .not(.compare("a", .like, "x")),
    .not(.compare("a.b", .equal, 1)),
    .not(.isNull("a.b", true)),
    .not(.isIn("a", [nil])),
    .not(.sharing([.compare("t.a", .equal, 1), .compare("t.b", .equal, 1)])),
    .not(.idStartsWith([], "0")),
    .compareFields("a", .equal, "b"),
    .compare("a", .equal, nil), .compare("a", .equal, [1]), .compare("a", .like, 5),
    .isIn("a", [[1]]),
    .together([.compare("a", .less, 5), .compare("a", .greater, 1)]),
    .quantified(.none, "t", .compare("a", .equal, 1)),
    .quantified(.every, "t", .compare("a", .equal, 1)),
    .quantified(.some, "t", .compare("a", .notEqual, 1)),
    .quantified(.some, "t", .any([.compare("a", .equal, 1), .compare("b", .equal, 1)])),
    .quantified(.some, "t", .all([.compare("a", .less, 5), .compare("a", .greater, 1)])),
    .any([.quantified(.some, "t", .all([.compare("a", .less, 5), .compare("b", .greater, 1)]))]),
  ]

  @Test("a plan without InstaQL form is rejected, but has a local form", arguments: localOnly)
  func refuses(_ condition: ConditionNode) throws {
    let document = QueryDocument(QueryPlan("n").filter(condition))
    let error = try #require(throws: QueryError.self) { try document.instaQL() }
    guard case .notExpressible(let path, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(path.hasPrefix("n.$.where"))
    #expect(!reason.isEmpty)
    #expect(try QueryDocument(json: document.canonicalJSON) == document)
  }

  @Test("options that a server does not accept are rejected")
  func refusesOptions() throws {
    let plans = [
      QueryPlan("n").order("a").order("b"), QueryPlan("n").order("a.b"),
      QueryPlan("n").with("l") { $0.offset(1) }, QueryPlan("n").with("l") { $0.page(first: 1) },
      QueryPlan("n").with("l") { $0.count() }, QueryPlan("n").with("l").count(),
    ]
    for plan in plans {
      #expect(throws: QueryError.self) { try plan.instaQL() }
      #expect(try QueryPlan(instaQL: QueryDocument(plan).localForm) == plan)
    }
  }

  @Test("conditions of two filters are never merged into one object")
  func neverMerges() throws {
    let plan = QueryPlan("n").filter(.compare("t.a", .equal, 1)).filter(.compare("t.b", .equal, 2))
    #expect(try plan.wire == #"{"n":{"$":{"where":{"and":[{"t.a":1},{"t.b":2}]}}}}"#)
  }

  @Test("every option has its key, all keys sorted")
  func options() throws {
    let cursor = Cursor(
      entity: EntityID("x"), attribute: AttributeID("a"), value: nil, createdAt: 3)
    var plan = QueryPlan("n").order("age", .descending).fields(["b", "a"])
    plan.page = Page(offset: 2, last: 4, after: cursor, before: cursor)
    (plan.page.afterInclusive, plan.page.beforeInclusive) = (true, true)
    let json =
      #"{"n":{"$":{"after":["x","a",null,3],"afterInclusive":true,"before":["x","a",null,3],"#
      + #""beforeInclusive":true,"fields":["b","a"],"last":4,"offset":2,"order":{"age":"desc"}}}}"#
    #expect(try plan.wire == json)
    #expect(try QueryPlan("n").count().wire == #"{"n":{"$":{"aggregate":"count"}}}"#)
  }
}

extension QueryPlan {
  fileprivate var wire: String {
    get throws(QueryError) { try QueryDocument(self).wireJSON() }
  }
}
