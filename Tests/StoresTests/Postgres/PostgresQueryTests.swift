import DataSources
import DataSourcesTesting
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

/// Queries that PostgreSQL answers, beside the same from the same rows in memory.
@Suite(
  "Queries on PostgreSQL",
  .withPostgres, .timeLimit(.minutes(5)))
struct PostgresQueryTests {
  private static let tables = """
    CREATE TABLE teams (id int PRIMARY KEY, name text, founded date);
    CREATE TABLE people (id int PRIMARY KEY, name text, age int, weight float8, pay numeric,
      active bool NOT NULL, born timestamptz, team_id int REFERENCES teams, extra jsonb,
      code uuid, boss_id int REFERENCES people);
    CREATE TABLE skills (id int PRIMARY KEY, word text NOT NULL);
    CREATE TABLE people_skills (person int REFERENCES people, skill int REFERENCES skills,
      PRIMARY KEY (person, skill));
    INSERT INTO teams SELECT g, CASE WHEN g % 4 = 0 THEN NULL ELSE 'Team ' || chr(64 + g) END,
      DATE '2020-01-01' + g FROM generate_series(1, 12) g;
    INSERT INTO people SELECT g, (ARRAY['Ann', 'ann', 'Äpfel', 'Émile', 'bo', 'Straße', '', '50%_\\'])
        [g % 8 + 1], CASE WHEN g % 7 = 0 THEN NULL ELSE g % 60 END,
      CASE WHEN g % 11 = 0 THEN NULL ELSE (g % 40) / 4.0 END, (g * 37 % 1000) / 8.0, g % 3 = 0,
      CASE WHEN g % 9 = 0 THEN NULL ELSE timestamptz '2000-01-01 00:00+00' + g * interval '7 hours' END,
      CASE WHEN g % 5 = 0 THEN NULL ELSE g % 12 + 1 END, jsonb_build_object('n', g % 3),
      ('00000000-0000-4000-8000-' || lpad(g::text, 12, '0'))::uuid,
      CASE WHEN g > 20 THEN g / 10 END
      FROM generate_series(1, 300) g;
    INSERT INTO skills SELECT g, 'skill ' || g FROM generate_series(1, 20) g;
    INSERT INTO people_skills SELECT p, s FROM generate_series(1, 300) p, generate_series(1, 20) s
      WHERE (p + s) % 13 = 0;
    """

  static let questions = [
    "people", "people filter age = 30", "people filter age != 30", "people filter age < 1.5",
    "people filter age >= 58.5", "people filter age = 1.5", "people filter weight > 5",
    "people filter weight = 2.25", "people filter pay <= 12.5", "people filter pay = 4.625",
    "people filter active = true", "people filter active != true", "people filter name = \"ann\"",
    "people filter name like \"%n%\"", "people filter name ilike \"a%\"",
    "people filter name like \"50\\%%\"", "people filter name in (\"bo\", \"\", \"nobody\")",
    "people filter age is null", "people filter not age is null", "people filter name > \"a\"",
    "people filter born > \"2000-02-01T00:00:00Z\"",
    "people filter born = \"2000-01-02T04:00:00Z\"",
    "people filter code = \"00000000-0000-4000-8000-000000000007\"", "people filter code = \"no\"",
    "people filter team.name = \"Team B\"", "people filter team.name != \"Team B\"",
    "people filter team.name is null", "people filter not (team.name = \"Team B\")",
    "people filter skills.word = \"skill 3\" and age > 10",
    "people filter any skills (word = \"skill 3\")", "people filter no skills (word = \"skill 3\")",
    "people filter every skills (word like \"%1%\")", "teams filter people.boss.name = \"Ann\"",
    "people filter age = 1 or (age = 2 and active = true)", "people filter age > field(weight)",
    "people filter age in (1, 2, 3, 100)", "people filter name = 7", "people filter age = \"x\"",
    "people order age limit 20", "people order age desc limit 20", "people order name, age desc",
    "people order age desc offset 260", "people order weight, pay desc limit 30 offset 25",
    "people order team.name, id desc limit 40", "people order born desc limit 10",
    "people order active desc, age limit 10", "people order code limit 3",
    "people order id desc limit 3",
    "teams order name with people { filter age > 20 order age desc limit 3 }",
    "teams with people { limit 2 } order id", "people order id limit 5 with skills, team, boss",
    "teams order id with people { filter team.name = \"Team B\" order name limit 2 with skills }",
    "people count", "people filter age > 20 count",
  ]

  /// The same rows in memory.
  private func both() async throws -> (PostgresStore, TripleStore) {
    let database = try PostgresServer.running().database(Self.tables)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    return (store, try await store.wholeStore(bytes: .counted).store)
  }

  @Test("every operator, path, order, page and relation gives the answer of the engine")
  func answers() async throws {
    let (store, memory) = try await both()
    for text in Self.questions {
      let document = try QueryDocument(text: text)
      let plan = document.plans[0]
      let snapshot = try await store.get(document)
      #expect(snapshot.served?.found[plan.text] != nil, "SQL has no words for: \(text)")
      let found = try QueryEngine.answer(
        plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
      let wanted = try QueryEngine.answer(plan, in: memory)
      #expect(found.total == wanted.total, "\(text)")
      #expect(Self.json(found) == Self.json(wanted), "\(text)")
    }
  }

  private static func json(_ answer: Answer) -> String {
    String(
      decoding: (try? ResultFormat.json.bytes(of: [answer], options: QueryOptions())) ?? [],
      as: UTF8.self)
  }

  /// The answer as JSON. Only the query's own rows in it are read.
  private func found(_ document: QueryDocument, in store: PostgresStore) async throws -> String {
    for try await snapshot in store.watch(document, showing: AnswerView()).awaited("an answer") {
      var output = JSONOutput(capacity: 1 << 12)
      try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
      return output.text
    }
    return ""
  }

  @Test("a row that a query reaches twice has the fields of both places")
  func reachedTwice() async throws {
    let (store, memory) = try await both()
    for text in [
      "people fields name with people { filter age > 20 count } limit 50",
      "people fields name with people { filter active order weight desc limit 4 } order id",
      "people fields name with boss { fields age, name with people { fields pay } } order id",
      "teams fields name with people { fields name with team { fields founded } } order id",
      "skills fields word with people { fields name with skills } order id",
      "people fields name limit 3; teams fields name with people { fields age }",
    ] {
      let document = try QueryDocument(text: text)
      let answer = try await found(document, in: store)
      #expect(answer == (try QueryEngine.json(document, in: memory)), "\(text)")
    }
  }

  @Test("a limit of linked rows applies after a filter or order that SQL cannot express")
  func limitAfterCalculation() async throws {
    let (store, memory) = try await both()
    for clauses in [
      "order length(name) desc, id limit 2", "order count(skills) desc, id limit 3",
      "order sum(people.age), id limit 1", "filter age * 2 > 60 order id limit 2",
      "filter lower(name) = \"ann\" order id limit 1",
    ] {
      let text = "teams fields name with people { fields name \(clauses) } order id"
      let document = try QueryDocument(text: text)
      let answer = try await found(document, in: store)
      #expect(answer == (try QueryEngine.json(document, in: memory)), "\(text)")
    }
  }

  @Test("paths into JSON have the engine's answer")
  func documents() async throws {
    let (store, memory) = try await both()
    for text in [
      "people filter extra.n > 1 order id limit 9", "people filter extra.n = 1 and age > 10 count",
      "people filter extra.n != 1 order id desc limit 9", "people filter extra.m is null count",
      "people filter boss.extra.n = 2 order id", "people order extra.n desc, id limit 9",
      "people fields name, extra.n limit 3", "people group extra.n aggregate count(), sum(extra.n)",
      "teams filter any people (extra.n = 2 and age < 10) order id",
    ] {
      let document = try QueryDocument(text: text, schema: memory.schema)
      let answer = try await found(document, in: store)
      #expect(answer == (try QueryEngine.json(document, in: memory)), "\(text)")
    }
  }

  @Test("random queries along links and back have the engine's answer", arguments: [1, 2])
  func random(_ seed: UInt64) async throws {
    let (store, memory) = try await both()
    var queries = RandomDatabaseQueries(
      random: SeededGenerator(seed: seed), roots: ["people", "people", "teams", "skills"],
      links: [
        "people": ["boss", "people", "team", "skills"], "teams": ["people"], "skills": ["people"],
      ],
      targets: ["boss": "people", "people": "people", "team": "teams", "skills": "skills"],
      fields: [
        "people": ["name", "age", "weight", "pay", "active", "born", "id"],
        "teams": ["name", "founded", "id"], "skills": ["word", "id"],
      ],
      values: [1, 2, 30, 4.5, true, false, "Ann", "Team B", "2000-01-20", "skill 3", ""])
    for _ in 0..<60 {
      let document = QueryDocument([queries.plan(depth: 0)])
      let answer = try await found(document, in: store)
      #expect(
        answer == (try QueryEngine.json(document, in: memory)), "seed \(seed): \(document.text)")
    }
  }

  @Test("rows without a key have links in both directions, in SQL and in memory")
  func linksWithoutKeys() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE users (id int PRIMARY KEY, name text, boss int REFERENCES users);
      CREATE TABLE places (code int UNIQUE, name text);
      CREATE TABLE visits
        (n int, page text, who int REFERENCES users, place int REFERENCES places (code));
      INSERT INTO users VALUES (1, 'Ann', NULL), (2, 'Bo', 1);
      INSERT INTO places VALUES (NULL, 'Sea'), (7, 'Rome'), (8, 'Bern');
      INSERT INTO visits VALUES
        (1, 'a', 1, 7), (2, 'a', 1, 8), (3, 'b', 2, 7), (4, 'c', NULL, NULL);
      """)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    let memory = try await store.wholeStore(bytes: .counted).store
    let two = "\"visits\":[{\"page\":\"a\"},{\"page\":\"a\"}]"
    for (text, part) in [
      ("users fields name with visits { fields page } order id", two),
      ("users fields name with visits { count } order id", "\"visits\":2"),
      ("users fields name with boss { fields name with visits { fields page } } order id", two),
      (
        "users fields name with visits { fields page }, boss { with visits { fields page } }",
        two
      ),
      ("visits fields page with who { fields name } order n", "\"name\":\"Bo\""),
      ("visits filter length(who.name) = 3 fields page order n", "\"page\":\"a\""),
      ("visits fields page with place { fields name } order n", "\"name\":\"Bern\""),
      ("places fields name with visits { count } order name", "\"visits\":2"),
    ] {
      let document = try QueryDocument(text: text)
      let ids = /,"id":"[^"]*"/
      let answer = try await found(document, in: store).replacing(ids, with: "")
      #expect(answer.contains(part), "\(text): \(answer)")
      let wanted = try QueryEngine.json(document, in: memory).replacing(ids, with: "")
      #expect(answer == wanted, "\(text)")
    }
  }

  @Test("SQL reads the links of many rows without a key")
  func manyRowsWithoutKeys() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE users (id int PRIMARY KEY, name text);
      CREATE TABLE visits (page text, who int REFERENCES users);
      INSERT INTO users SELECT g, 'u' || g FROM generate_series(1, 10) AS g;
      INSERT INTO visits SELECT 'p' || g, g % 10 + 1 FROM generate_series(1, 60) AS g;
      """)
    var limits = ReadingLimits()
    limits.rowsInMemory = 0
    let store = try await PostgresStore.open(
      PostgresParameters(database.address()), limits: limits)
    for text in [
      "visits filter page = \"p7\" fields page with who { fields name with visits { count } }",
      "users filter name = \"u8\" with visits { fields page with who { fields name } }",
    ] {
      let answer = try await found(try QueryDocument(text: text), in: store)
      #expect(answer.contains("\"name\":\"u8\""), "\(answer)")
      #expect(answer.contains("\"page\":\"p7\""), "\(answer)")
    }
  }

  @Test("a table can be read whole if its key is read in another form, too")
  func wholeTablesByKey() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE airports (code char(4) PRIMARY KEY, name text);
      CREATE TABLE airlines (code varchar(4) PRIMARY KEY, name text);
      CREATE TABLE prices (amount numeric PRIMARY KEY, day date);
      CREATE TABLE hosts (address inet PRIMARY KEY, name text);
      INSERT INTO airports VALUES ('TXL', 'Tegel'), ('EDDB', 'Berlin');
      INSERT INTO airlines VALUES ('LH', 'Lufthansa'), ('AF', 'Air France');
      INSERT INTO prices VALUES (10, '2025-01-10'), (9.5, '2025-01-09');
      INSERT INTO hosts VALUES ('10.0.0.2', 'b'), ('10.0.0.1', 'a');
      """)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    let memory = try await store.wholeStore(bytes: .counted).store
    for text in [
      "airports order code", "airlines order code", "prices order amount", "hosts order address",
    ] {
      let document = try QueryDocument(text: text)
      #expect(try QueryEngine.answer(document.plans[0], in: memory).rows.count == 2)
      #expect(
        try await found(document, in: store) == (try QueryEngine.json(document, in: memory)))
    }
  }

  @Test("calculations and aggregates include numbers of any size")
  func largeNumbers() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE big (id int PRIMARY KEY, n numeric);
      INSERT INTO big VALUES (1, 1), (2, 1e21), (3, 123456789012345678901234.5), (4, 0.0000001),
        (5, NULL);
      """)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    for text in ["big filter n > 1e20", "big filter n * 2 > 1e20", "big filter abs(n) > 1e20"] {
      let plan = try QueryDocument(text: text).plans[0]
      let snapshot = try await store.get(QueryDocument(plan))
      let options = QueryOptions().answering(plan, in: snapshot)
      #expect(
        try QueryEngine.answer(plan, in: snapshot.store, options: options).total == 2, "\(text)")
    }
    let plan = QueryPlan("big", groups: [], aggregates: [Aggregation(.sum, "n")])
    let memory = try await store.wholeStore(bytes: .counted).store
    let snapshot = try await store.get(QueryDocument(plan))
    #expect(snapshot.served?.found[plan.text]?.table != nil)
    for (store, options) in [
      (memory, QueryOptions()), (snapshot.store, QueryOptions().answering(plan, in: snapshot)),
    ] {
      let table = try QueryEngine.answer(plan, in: store, options: options).table
      guard case .double(let sum)? = table?.rows.first?.first else {
        Issue.record("\(String(describing: table?.rows))")
        continue
      }
      #expect(abs(sum / 1.24456789012345678901235e23 - 1) < 1e-12)
    }
  }

  @Test("conditions ignore the padding of CHAR(n)")
  func padding() async throws {
    let database = try PostgresServer.running().database(
      "CREATE TABLE t (id int PRIMARY KEY, c char(5)); INSERT INTO t VALUES (1, 'ab');")
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    for (condition, count) in [
      ("= \"ab\"", 1), ("like \"a_\"", 1), ("like \"ab\"", 1), ("ilike \"A_\"", 1),
      ("begins \"ab\"", 1), ("begins \"ab \"", 0), ("ends \"b\"", 1), ("contains \"b \"", 0),
      (">= \"ab\"", 1), ("> \"ab\"", 0),
    ] {
      let plan = try QueryDocument(text: "t filter c \(condition)").plans[0]
      let snapshot = try await store.get(QueryDocument(plan))
      let options = QueryOptions().answering(plan, in: snapshot)
      let found = try QueryEngine.answer(plan, in: snapshot.store, options: options).total
      #expect(found == count, "\(condition)")
    }
  }

  @Test("the server computes groups and aggregates")
  func summaries() async throws {
    let (store, memory) = try await both()
    let paths: [AttributePath?] = [nil, "age", "weight", "pay", "team.name", "skills"]
    var plans: [QueryPlan] = []
    for groups in [[], ["active"], ["team.name"], ["name", "active"], ["born"]] as [[AttributePath]]
    {
      for path in paths {
        for function in Aggregation.Function.allCases {
          if path == nil, function != .count { continue }
          if path == "skills", function != .count { continue }
          plans.append(
            QueryPlan("people", groups: groups, aggregates: [Aggregation(function, path)]))
        }
      }
    }
    plans.append(QueryPlan("people", fields: ["active", "age"]).distinct())
    plans.append(
      QueryPlan(
        "teams", order: [OrderKey("sum_people_age", .descending)], page: Page(limit: 3),
        groups: ["name"], aggregates: [Aggregation(.sum, "people.age")]))
    for plan in plans {
      let snapshot = try await store.get(QueryDocument(plan))
      #expect(snapshot.served?.found[plan.text]?.table != nil, "not in SQL: \(plan.text)")
      let found = try QueryEngine.answer(
        plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
      let wanted = try QueryEngine.answer(plan, in: memory)
      #expect(found.total == wanted.total, "\(plan.text)")
      #expect(found.table?.columns == wanted.table?.columns)
      for (a, b) in zip(found.table?.rows ?? [], wanted.table?.rows ?? []) {
        for (x, y) in zip(a, b) {
          if case .double(let x) = x, case .double(let y) = y {
            #expect(abs(x - y) <= 1e-9 * max(abs(x), abs(y)), "\(plan.text)")
          } else {
            #expect(x.isSameJSON(as: y), "\(plan.text): \(a) and \(b)")
          }
        }
      }
    }
  }

  @Test("pages of a large table follow one another, with NULLs where they belong")
  func pages() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE m (id int PRIMARY KEY, v int, w int);
      INSERT INTO m SELECT g, CASE WHEN g % 10 < 2 THEN NULL ELSE g % 97 END,
        CASE WHEN g % 3 = 0 THEN NULL ELSE g % 5 END FROM generate_series(1, 60000) g;
      CREATE INDEX ON m (v); ANALYZE m;
      """)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    let memory = try await store.wholeStore(bytes: .counted).store
    for order in ["v", "v desc", "v, w desc", "v desc, w", "id desc"] {
      let plan = try QueryDocument(text: "m order \(order)").plans[0]
      let wanted = try QueryEngine.answer(plan, in: memory).rows.map { memory.id(of: $0) }
      for skipped in [0, 100, 200, 11_950, 12_000, 12_050, 30_000, 30_100, 47_950, 48_050, 59_950] {
        let view = AnswerView(window: .init(skipped: skipped, count: 100))
        var last: StoreSnapshot?
        let snapshots = store.watch(QueryDocument(plan), showing: view).awaited("a counted page")
        for try await snapshot in snapshots {
          last = snapshot
          if snapshot.served?.found[plan.text]?.total != nil { break }
        }
        let snapshot = try #require(last)
        let found = try #require(snapshot.served?.found[plan.text])
        let ids = found.rows.map { snapshot.store.id(of: $0) }
        #expect(
          ids == Array(wanted[skipped..<min(60_000, skipped + 100)]), "\(order) at \(skipped)")
        #expect(found.isEstimate || found.total == 60_000)
      }
    }
    let log = try database.log().filter { $0.contains("SELECT") && $0.contains("\"m\"") }
    #expect(log.contains { $0.contains("sonde_half") })
  }

  /// Orders of a large table, and the index that gives each.
  private static let indexedOrders = [
    ("value", "measurement_value"), ("value desc", "measurement_value"),
    ("value desc, at", "measurement_value"), ("at", "measurement_at"),
    ("at desc", "measurement_at"), ("word", "measurement_word"), ("id desc", "measurement_pkey"),
  ]

  @Test("the first page of a large table is read with the order's index and a limit")
  func firstPage() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE SCHEMA shop;
      CREATE TABLE shop.measurement (id bigint PRIMARY KEY, at timestamptz NOT NULL, value float8,
        word text NOT NULL);
      INSERT INTO shop.measurement SELECT g, timestamptz '2025-01-01 00:00+00' + g * interval '1 h',
        CASE WHEN g % 50 > 0 THEN g * 37 % 1000 / 8.0 END, 'word ' || g % 1000
        FROM generate_series(1, 60000) g;
      CREATE INDEX measurement_value ON shop.measurement (value);
      CREATE INDEX measurement_at ON shop.measurement (at);
      CREATE INDEX measurement_word ON shop.measurement (word COLLATE "und-x-icu");
      ANALYZE shop.measurement;
      """)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    for (order, index) in Self.indexedOrders {
      let document = try QueryDocument(text: "`shop.measurement` order \(order)")
      var view = AnswerView(window: .init(skipped: 0, count: 50))
      for try await _ in store.watch(document, showing: view).awaited("an answer") { break }
      view.explains = true
      for try await snapshot in store.watch(document, showing: view).awaited("a plan") {
        let statement = try #require(snapshot.served?.statements.first)
        #expect(try database.statements().contains(statement.text), "A screen reads otherwise.")
        #expect(statement.text.contains("LIMIT") && statement.values.contains(51), "\(order)")
        #expect(statement.rows == 51, "\(order)")
        let plan = statement.plan.joined(separator: "\n")
        #expect(plan.contains("using \(index) on measurement"), "\(order): \(plan)")
        #expect(!plan.contains("Seq Scan"), "\(order): \(plan)")
        break
      }
    }
  }

  @Test("an explanation has the statement with its values, the server's plan and the time")
  func explaining() async throws {
    let (store, _) = try await both()
    let document = try QueryDocument(text: "people filter name = \"ann\" with team")
    var view = AnswerView()
    view.explains = true
    for try await snapshot in store.watch(document, showing: view).awaited("plans") {
      let statements = try #require(snapshot.served?.statements)
      #expect(statements.count >= 2)
      #expect(statements[0].text.contains("\"name\" = $1"))
      #expect(statements[0].values.first == "ann")
      #expect(statements[0].plan.contains { $0.contains("people") })
      break
    }
  }

  @Test("hostile values and names are escaped")
  func injection() async throws {
    let database = try PostgresServer.running().database(
      "CREATE TABLE t (id int PRIMARY KEY, \"a'b\" text); INSERT INTO t VALUES (1, 'x');")
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    for hostile in [
      "'; DROP TABLE t; --", "\"; DROP TABLE t; --", "$1", "x' OR '1'='1", "\\", "\0",
    ] {
      for condition in [
        ConditionNode.compare("a'b", .equal, .text(hostile)),
        .compare("a'b", .like, .text(hostile)), .compare("a'b", .ilike, .text(hostile)),
        .isIn("a'b", [.text(hostile)]), .compare("id", .equal, .text(hostile)),
        .idStartsWith([], hostile), .compare("a'b", .notEqual, .text(hostile)),
      ] {
        let plan = QueryPlan("t", condition: condition)
        let snapshot = try await store.get(QueryDocument(plan))
        let count = snapshot.served?.found[plan.text]?.rows.count
        if case .compare(_, .notEqual, _) = condition {
          #expect(count == 1, "\(hostile)")
        } else {
          #expect(count == 0, "\(hostile) \(condition)")
        }
      }
      let strange = QueryPlan(hostile, order: [OrderKey(AttributePath(hostile))])
      _ = try? await store.get(QueryDocument(strange))
    }
    #expect(try database.run("SELECT count(*) FROM t") == "1")
  }
}
