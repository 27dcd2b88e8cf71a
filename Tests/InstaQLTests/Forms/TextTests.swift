import InstaQL
import Testing
import Triples

@Suite("Queries as text")
struct TextTests {
  @Test("the query of the first page")
  func example() throws {
    let typed = try QueryDocument(
      text: #"cities filter country.name = "France" order population desc limit 3"#)
    let plan = QueryPlan("cities").filter(.compare("country.name", .equal, "France"))
      .order("population", .descending).limit(3)
    #expect(typed == QueryDocument(plan))
    #expect(typed.text == #"cities filter country.name = "France" order population desc limit 3"#)
  }

  @Test("clauses, nested queries and several keys")
  func largeExample() throws {
    let text = """
      cities filter population > 1_000_000 and country.name = "France"
             order population desc, name limit 20
             with country { fields name, capital }, twins { filter population > 100000 limit 3 }
      """
    let plan = QueryPlan("cities")
      .filter(
        .all([
          .compare("population", .greater, 1_000_000), .compare("country.name", .equal, "France"),
        ])
      )
      .order("population", .descending).order("name").limit(20)
      .with("country") { $0.fields(["name", "capital"]) }
      .with("twins") { $0.filter(.compare("population", .greater, 100_000)).limit(3) }
    #expect(try QueryDocument(text: text) == QueryDocument(plan))
    let oneLine =
      #"cities filter population > 1M and country.name = "France" "#
      + "order population desc, name limit 20 with country { fields name, capital }, "
      + "twins { filter population > 100_000 limit 3 }"
    #expect(plan.text == oneLine)
  }

  static let conditions: [(String, ConditionNode, String?)] = [
    (
      "a = 1 and b = 2 or c = 3",
      .any([.all([.compare("a", .equal, 1), .compare("b", .equal, 2)]), .compare("c", .equal, 3)]),
      nil
    ),
    (
      "a = 1 and (b = 2 or c = 3)",
      .all([.compare("a", .equal, 1), .any([.compare("b", .equal, 2), .compare("c", .equal, 3)])]),
      nil
    ),
    (
      "(a = 1 and b = 2) and c = 3",
      .all([.all([.compare("a", .equal, 1), .compare("b", .equal, 2)]), .compare("c", .equal, 3)]),
      nil
    ),
    (
      "not a = 1 and b = 2",
      .all([.not(.compare("a", .equal, 1)), .compare("b", .equal, 2)]), nil
    ),
    (
      "owner.team.name: blue and n:3 or done: true",
      .any([
        .all([.compare("owner.team.name", .equal, "blue"), .compare("n", .equal, 3)]),
        .compare("done", .equal, true),
      ]), #"owner.team.name = "blue" and n = 3 or done = true"#
    ),
    (
      "a: 'New York' and b: null and c: field(d)",
      .all([
        .compare("a", .equal, "New York"), .isNull("b", true), .compareFields("c", .equal, "d"),
      ]), #"a = "New York" and b is null and c = field(d)"#
    ),
    ("((a = 1))", .compare("a", .equal, 1), "a = 1"),
    ("done", .compare("done", .equal, true), "done = true"),
    (
      "!done && x || y",
      .any([
        .all([.not(.compare("done", .equal, true)), .compare("x", .equal, true)]),
        .compare("y", .equal, true),
      ]), "not done = true and x = true or y = true"
    ),
    (
      "A = NULL OR b != null", .any([.isNull("A", true), .isNull("b", false)]),
      "A is null or b is not null"
    ),
    (
      "a == 1 and b <> 2", .all([.compare("a", .equal, 1), .compare("b", .notEqual, 2)]),
      "a = 1 and b != 2"
    ),
    ("a in ()", .isIn("a", []), nil),
    ("a not in (1, null, 'x')", .not(.isIn("a", [1, nil, "x"])), "a not in (1, null, \"x\")"),
    (
      "a between 1 and 5 and b = 2",
      .all([
        .all([.compare("a", .greaterOrEqual, 1), .compare("a", .lessOrEqual, 5)]),
        .compare("b", .equal, 2),
      ]), "(a >= 1 and a <= 5) and b = 2"
    ),
    ("a not like 'x\\%'", .not(.compare("a", .like, "x\\%")), "a not like \"x\\%\""),
    ("a contains '50%'", .compare("a", .like, "%50\\%%"), "a like \"%50\\%%\""),
    ("a > field(b.c)", .compareFields("a", .greater, "b.c"), nil),
    ("due > date '2025-01-10'", .compare("due", .greater, "2025-01-10"), "due > \"2025-01-10\""),
    (
      "date = 1 and field = 2 and json = 3",
      .all([.compare("date", .equal, 1), .compare("field", .equal, 2), .compare("json", .equal, 3)]
      ),
      nil
    ),
    ("`order` desc = 1", .any([]), nil),
    (
      "`order` = 1 and `a.b` = 2",
      .all([.compare("order", .equal, 1), .compare("a.b", .equal, 2)]), "`order` = 1 and a.b = 2"
    ),
    ("order = 1", .compare("order", .equal, 1), "`order` = 1"),
    ("`a``b` = 'it''s'", .any([]), nil),
    ("`a``b` = \"it's\"", .compare("a`b", .equal, "it's"), nil),
    ("a = -0.5e-3", .compare("a", .equal, -0.0005), "a = -0.0005"),
    ("a = 1.0", .compare("a", .equal, .double(1)), nil),
    ("a = '\\u{1F600}\\n\\t\\\\'", .compare("a", .equal, "😀\n\t\\"), "a = \"😀\\n\\t\\\\\""),
    (
      "any todos (done and title = 'x')",
      .quantified(
        .some, "todos", .all([.compare("done", .equal, true), .compare("title", .equal, "x")])),
      "any todos (done = true and title = \"x\")"
    ),
    (
      "no a.b (x = 1) and every c (x = 1)",
      .all([
        .quantified(.none, "a.b", .compare("x", .equal, 1)),
        .quantified(.every, "c", .compare("x", .equal, 1)),
      ]), nil
    ),
    (
      "together(b.y = 1, b.x = 2)",
      .together([.compare("b.x", .equal, 2), .compare("b.y", .equal, 1)]),
      "together(b.x = 2, b.y = 1)"
    ),
    ("all() or any(a = 1)", .any([.all([]), .any([.compare("a", .equal, 1)])]), nil),
    ("a = json '[1,null]'", .compare("a", .equal, [1, nil]), "a = json \"[1,null]\""),
    ("$entityIdStartsWith = '0a'", .idStartsWith([], "0a"), "$entityIdStartsWith = \"0a\""),
    ("a.$entityIdStartsWith = '0a'", .idStartsWith(["a"], "0a"), "a.$entityIdStartsWith = \"0a\""),
  ]

  @Test("a text is parsed as the expected tree", arguments: conditions)
  func readsCondition(_ typed: String, _ tree: ConditionNode, _ printed: String?) throws {
    guard tree != .any([]) else {
      #expect(throws: QueryError.self) { try ConditionNode(parsing: typed) }
      return
    }
    #expect(try ConditionNode(parsing: typed) == tree)
    #expect(tree.text == printed ?? typed)
  }

  static let queries: [(String, QueryPlan)] = [
    (
      "a where b = 1 filter c = 2 order x order y desc",
      QueryPlan("a").filter(.all([.compare("b", .equal, 1), .compare("c", .equal, 2)])).order("x")
        .order("y", .descending)
    ),
    ("a order by b asc, c.d descending", QueryPlan("a").order("b").order("c.d", .descending)),
    ("a order by", QueryPlan("a").order("by")),
    ("a limit 3 offset 0", QueryPlan("a").limit(3).offset(0)),
    ("a count", QueryPlan("a").count()),
    ("a fields ()", QueryPlan("a").fields([])),
    ("a order serverCreatedAt desc", QueryPlan("a").order(OrderKey.creation, .descending)),
    (
      "`my table` with b, c { with d { count } }",
      QueryPlan("my table").with("b").with("c") { $0.with("d") { $0.count() } }
    ),
    ("order order order desc limit 1", QueryPlan("order").order("order", .descending).limit(1)),
  ]

  @Test("clauses are equivalent to the calls of the same names", arguments: queries)
  func readsQuery(_ typed: String, _ plan: QueryPlan) throws {
    #expect(try QueryDocument(text: typed) == QueryDocument(plan))
    #expect(try QueryDocument(text: plan.text) == QueryDocument(plan))
  }

  @Test("a cursor is JSON in quotes")
  func cursors() throws {
    let cursor = Cursor(
      entity: EntityID("01020304-0506-4708-890a-0b0c0d0e0f10"), attribute: AttributeID("age"),
      value: 4, createdAt: 17)
    var plan = QueryPlan("a").page(first: 5, after: cursor)
    plan.page.afterInclusive = true
    let text =
      #"a first 5 after '["01020304-0506-4708-890a-0b0c0d0e0f10","age",4,17]' inclusive"#
    #expect(plan.text == text)
    #expect(try QueryDocument(text: text) == QueryDocument(plan))
  }

  @Test("queries are separated by semicolons")
  func several() throws {
    let typed = try QueryDocument(text: "b limit 1; a; $$ruleParams json '{\"k\":1}';")
    #expect(typed.plans == [QueryPlan("a"), QueryPlan("b").limit(1)])
    #expect(typed.ruleParams?["k"] == 1)
    #expect(typed.text == "a; b limit 1; $$ruleParams json '{\"k\":1}'")
  }

  @Test("text that begins with a brace is InstaQL")
  func json() throws {
    let typed = try QueryDocument(text: "\n {\"a\": {\"$\": {\"limit\": 1}}}")
    #expect(typed == QueryDocument(QueryPlan("a").limit(1)))
  }

  @Test("interpolated values stay values whatever they hold")
  func interpolation() throws {
    let hostile = "x\" or 1 = 1 or `a` = '"
    let list: [Value] = [1, "b"]
    let bound = try ConditionNode(
      "name = \(hostile) and n >= \(5) and r < \(0.5) and done = \(true) and k in \(list: list)")
    #expect(
      bound
        == .all([
          .compare("name", .equal, .text(hostile)), .compare("n", .greaterOrEqual, 5),
          .compare("r", .less, 0.5), .compare("done", .equal, true), .isIn("k", list),
        ]))
    let path: AttributePath = "first name.order"
    let named = try ConditionNode("\(field: path) like \("S%") and a contains \("50%")")
    #expect(
      named == .all([.compare(path, .like, "S%"), .compare("a", .like, "%50\\%%")]))
    #expect(throws: QueryError.self) { try ConditionNode("name = '\(hostile)'") }
  }
}
