import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

/// What reaches the server: values are bound, rows are limited, and names are names.
@Suite("Statements sent to PostgreSQL", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresStatementTests {
  private static let needle = "needle4711"

  @Test("statements contain no values, and each has a row limit")
  func log() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE teams (id int PRIMARY KEY, name text);
      CREATE TABLE people (id int PRIMARY KEY, name text, age int, at date, code uuid,
        team_id int REFERENCES teams);
      INSERT INTO teams VALUES (1, 'a');
      INSERT INTO people SELECT g, 'p' || g, g, DATE '2025-01-01' + g, NULL, 1
        FROM generate_series(1, 300) g;
      """)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    for text in [
      "people filter name = \"\(Self.needle)\"", "people filter name != \"\(Self.needle)\"",
      "people filter name > \"\(Self.needle)\" order name desc",
      "people filter name like \"%\(Self.needle)%\"",
      "people filter name ilike \"%\(Self.needle)é\"",
      "people filter name in (\"\(Self.needle)\", \"x\")", "people filter age > 47114711 limit 7",
      "people filter team.name = \"\(Self.needle)\" with team",
      "teams with people { filter name != \"\(Self.needle)\" limit 3 }",
      "people filter name = \"\(Self.needle)\" count",
      "people order age desc, name offset 20 limit 5",
      "people filter id = \"00000000-0000-4000-8000-000000004711\"",
    ] {
      _ = try await store.get(QueryDocument(text: text))
    }
    let condition = ConditionNode.compare("name", .notEqual, .text(Self.needle))
    for function in Aggregation.Function.allCases {
      for groups in [[], ["team.name"]] as [[AttributePath]] {
        _ = try await store.get(
          QueryDocument(
            QueryPlan(
              "people", condition: condition, groups: groups,
              aggregates: [Aggregation(function, "age")])))
      }
    }
    let plan = QueryPlan("people", condition: condition, order: [OrderKey("name")])
    let view = AnswerView(window: .init(skipped: 100, count: 20))
    let snapshots = store.watch(QueryDocument(plan), showing: view).awaited("a counted page")
    for try await snapshot in snapshots {
      if snapshot.served?.found[plan.text]?.total != nil { break }
    }
    let schema = try await store.get(SchemaQuery()).store.schema
    let age = try #require(schema.attribute("people", "age"))
    _ = try await store.get(
      ValueCountsQuery(
        plan: plan, attribute: age, along: schema.attribute("people", "at")))
    _ = try await store.get(FindRowQuery(plan: plan, matching: condition, after: 3, step: 1))
    _ = try await store.get(AllObjectsQuery())
    _ = try await store.wholeStore(bytes: .counted)

    let statements = try database.statements()
    #expect(statements.count > 50)
    for statement in statements where !Self.isOfSession(statement) {
      #expect(!statement.contains("4711"), "\(statement)")
      #expect(statement.contains("LIMIT"), "\(statement)")
    }
    #expect(try database.log().contains { $0.contains(Self.needle) }, "Values are logged apart.")
  }

  private static let appQuestions = [
    "tasks filter title = \"\(needle)\"", "tasks filter title like \"%\(needle)%\" limit 5",
    "tasks filter title ilike \"%\(needle)%\"", "tasks filter hours > 47114711 limit 7",
    "tasks filter hours in (47114711, 2) order hours desc limit 7",
    "tasks filter mixed in (\"\(needle)\", 1)", "tasks filter code = \"\(needle)\"",
    "tasks filter due > \"4711-01-10\" order due limit 3",
    "tasks filter owner.name = \"\(needle)\" with owner { filter name != \"\(needle)\" limit 3 }",
    "people with owned { filter note != \"\(needle)\" order hours limit 3 with watchers }",
    "tasks filter title != \"\(needle)\" order hours, note limit 20 offset 30",
    "tasks filter title = \"\(needle)\" count", "tasks group by done aggregate count, sum hours",
    "tasks filter id = \"00000000-0000-4000-8100-000000004711\"",
  ]

  @Test(
    "statements for an Instant app, loaded or large, contain no values, and each has a row limit",
    arguments: [1_000_000, 0])
  func appLog(maxLoadedTriples: Int) async throws {
    let isLarge = maxLoadedTriples == 0
    let database = try PostgresServer.running().database(
      InstantDatabase.tables + InstantDatabase.tasks(90)
        + (isLarge ? InstantDatabase.moreTasks(50_000) : "") + InstantDatabase.indexes)
    let first = try database.statements().count
    let store = try await PostgresStore.openAny(
      PostgresParameters(database.address() + "#tasks"), maxLoadedTriples: maxLoadedTriples)
    for text in Self.appQuestions { _ = try await store.get(QueryDocument(text: text)) }
    let condition = ConditionNode.compare("note", .notEqual, .text(Self.needle))
    let plan = QueryPlan("tasks", condition: condition, order: [OrderKey("hours")])
    let view = AnswerView(window: .init(skipped: 100, count: 20))
    let snapshots = store.watch(QueryDocument(plan), showing: view).awaited("a counted page")
    for try await snapshot in snapshots {
      if snapshot.served.map({ $0.found[plan.text]?.total != nil }) ?? true { break }
    }
    let schema = try await store.get(SchemaQuery()).store.schema
    if isLarge {
      let hours = try #require(schema.attribute("tasks", "hours"))
      _ = try await store.get(ValueCountsQuery(plan: plan, attribute: hours, along: nil))
      _ = try await store.get(FindRowQuery(plan: plan, matching: condition, after: 3, step: 1))
    }
    _ = try await store.get(AllObjectsQuery())
    _ = try await store.wholeStore(bytes: .counted)

    let statements = try database.statements().dropFirst(first)
    #expect(statements.count > (isLarge ? 30 : 5))
    for statement in statements
    where !Self.isOfSession(statement) || statement.hasPrefix("DECLARE") {
      #expect(!statement.contains("4711"), "\(statement)")
      #expect(statement.contains("LIMIT"), "\(statement)")
    }
    // A loaded app is queried in memory.
    #expect(try database.log().contains { $0.contains(Self.needle) } == isLarge)
    try await waitUntil("no transaction is open") {
      try database.run(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
          + "AND state LIKE 'idle in transaction%'") == "0"
    }
  }

  /// What sets the session, goes through all rows some at a time, or is only planned.
  private static func isOfSession(_ statement: String) -> Bool {
    [
      "SET ", "BEGIN ", "COMMIT", "ROLLBACK", "CLOSE ALL", "DECLARE sonde_rows ", "FETCH FORWARD ",
      "CREATE ", "INSERT ", "EXPLAIN (FORMAT JSON) ",
    ]
    .contains { statement.hasPrefix($0) }
  }

  private static let hostileNames = [
    #"a"; DROP TABLE victim; --"#, "b'; DROP TABLE victim; --", "$1", "%s%n", "select",
    #"back\slash"#,
    "new\nline", "tab\tbed", "🦊 é", "/* open", "a\"\"b", " ",
  ]

  private func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  @Test("hostile names of tables and columns are names in every clause", arguments: hostileNames)
  func names(_ name: String) async throws {
    let table = quoted(name)
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE victim (id int PRIMARY KEY); INSERT INTO victim VALUES (1);
      CREATE TABLE \(table) (\(quoted(name + "key")) text PRIMARY KEY, \(table) text, "n" int,
        \(quoted(name + "up")) text REFERENCES \(table));
      INSERT INTO \(table) VALUES ('a', 'x', 1, NULL), ('b', 'y', 2, 'a');
      """)
    let parameters = PostgresParameters(database.address())
    let store = try await PostgresStore.open(parameters)
    let schema = try await store.get(SchemaQuery()).store.schema
    let namespace = try #require(schema.namespaces.first { $0 != "victim" })
    let field = AttributePath([name])
    let link = name + "up"
    let plans = [
      QueryPlan(
        namespace, condition: .compare(field, .equal, "y"), order: [OrderKey(field, .descending)]
      ).with(link),
      QueryPlan(
        namespace, condition: .compare(AttributePath([link, name]), .equal, "x"),
        order: [OrderKey(AttributePath([link, name]))]),
      QueryPlan(namespace, condition: .compare(field, .ilike, "Y")),
    ]
    for plan in plans {
      let found = try await store.get(QueryDocument(plan)).served?.found[plan.text]
      #expect(found?.rows.count == 1, "\(plan.text)")
    }
    let groups = QueryPlan(
      namespace, groups: [field], aggregates: [Aggregation(.sum, "n"), Aggregation(.max, field)])
    let table2 = try await store.get(QueryDocument(groups)).served?.found[groups.text]?.table
    #expect(table2?.rows.count == 2)
    let tallied = try #require(schema.attribute(namespace, name))
    _ = try await store.get(
      ValueCountsQuery(plan: QueryPlan(namespace), attribute: tallied, along: nil))
    _ = try await store.wholeStore(bytes: .counted)
    let sql = try await PostgresTriggers.installation(in: parameters, on: [])
    try await PostgresTriggers.run(sql, in: parameters)
    #expect(try database.run("SELECT count(*) FROM victim") == "1")
  }

  @Test("hostile values, patterns, pages and ids are values")
  func values() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE victim (id int PRIMARY KEY, word text, n int, at timestamptz, flag bool, code uuid,
        mood text, doc jsonb);
      INSERT INTO victim VALUES (1, 'x');
      """)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    let hostile = [
      "'; DROP TABLE victim; --", "\"; DROP TABLE victim; --", "$1", "x' OR '1'='1", #"\"#, #"\\'"#,
      "é.*[(", "É{1,99999}", "(?i)É", "***=É", "%_\\%É", "\u{10FFFF}\u{E000}", "'{\"a\":1}'", "{}",
      "{\"",
    ]
    for text in hostile {
      for label in ["word", "n", "at", "flag", "code", "doc", "id"] {
        for comparison in Comparison.allCases {
          let plan = QueryPlan(
            "victim", condition: .compare(AttributePath(label), comparison, .text(text)),
            order: [OrderKey("word")])
          // What is no question is refused; whatever is asked is not part of a statement.
          _ = try? await store.get(QueryDocument(plan))
        }
        _ = try? await store.get(
          QueryDocument(QueryPlan("victim", condition: .isIn(AttributePath(label), [.text(text)]))))
      }
      _ = try? await store.get(
        QueryDocument(QueryPlan("victim", condition: .idStartsWith([], text))))
      _ = try? await store.get(
        QueryDocument(QueryPlan(text, order: [OrderKey(AttributePath([text]))])))
    }
    for page in [Page(limit: .max), Page(limit: 0), Page(limit: -1), Page(limit: 1, offset: .max)] {
      _ = try? await store.get(QueryDocument(QueryPlan("victim", page: page)))
    }
    #expect(try database.run("SELECT count(*) FROM victim") == "1")
    let errors = try database.log().filter { $0.contains("ERROR:") }
    // A value of ours never makes the server stumble over a statement.
    #expect(errors.isEmpty, "\(errors.prefix(5))")
  }
}
