import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

@Suite("Views of databases", .timeLimit(.minutes(5)))
struct DatabaseViewTests {
  private static let tables = """
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
    INSERT INTO people VALUES (1, 'Ann', 30), (2, 'Bob', 20), (3, 'Cy', 40), (4, 'Di', 20);
    CREATE VIEW adults AS SELECT id, name, age FROM people WHERE age >= 30 ORDER BY id;
    CREATE VIEW "a ""view""; --" AS SELECT name AS "the name" FROM people ORDER BY name;
    CREATE VIEW ages AS SELECT age, count(*) AS many FROM people GROUP BY age;
    """

  /// The values of a field in the rows of an answer.
  private func values(
    _ text: String, _ label: String, _ store: any StoreDataSource
  ) async throws -> [Value?] {
    let schema = try await store.get(SchemaQuery()).store.schema
    let document = try QueryDocument(text: text, schema: schema)
    let snapshot = try await store.get(document)
    let plan = document.plans[0]
    let answer = try QueryEngine.answer(plan, in: snapshot)
    return answer.rows.map { answer.value($0, label) }
  }

  private func check(_ store: any StoreDataSource) async throws {
    #expect(try await values("adults", "name", store) == ["Ann", "Cy"])
    #expect(try await values("adults filter id = 3", "name", store) == ["Cy"])
    #expect(try await values("adults order age desc", "name", store) == ["Cy", "Ann"])
    #expect(try await values("adults last 1", "name", store) == ["Cy"])
    #expect(try await values("adults offset 1", "name", store) == ["Cy"])
    #expect(try await values("ages order many desc limit 1", "age", store) == [20])
    #expect(try await values("ages filter many > 1", "age", store) == [20])
    let hostile = "`a \"view\"; --`"
    #expect(
      try await values("\(hostile) filter `the name` like \"%i\"", "the name", store) == ["Di"])
    let whole = try await store.wholeStore(bytes: .spelled)
    #expect(whole.store.schema.namespaces == ["people"])
    #expect(
      whole.remarks == [
        "Not exported: the views a \"view\"; --, adults, ages, because their rows come from tables."
      ])
    // A condition that SQL cannot express is evaluated here.
    #expect(try await values(#"adults filter name matches "^C""#, "name", store) == ["Cy"])
  }

  @Test("rows of SQLite's views are queried and left out of exports", arguments: [0, Int.max])
  func sqlite(_ maxBytesInMemory: Int) async throws {
    try await OtherDatabase.with(Self.tables, maxBytesInMemory: maxBytesInMemory) { file in
      try await check(file.store)
      #expect(
        file.store.remark
          == "Sonde cannot change these, because each is a view: a \"view\"; --, adults, ages")
    }
  }

  @Test("the remark about a single view is a sentence about it")
  func single() async throws {
    let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE VIEW v AS SELECT id FROM t;"
    try await OtherDatabase.with(sql) { file in
      #expect(file.store.remark == "v is a view, so Sonde cannot change its rows")
    }
  }

  @Test("rows of PostgreSQL's views are queried and left out of exports", .withPostgres)
  func postgres() async throws {
    let database = try PostgresServer.running().database(Self.tables)
    try await check(PostgresStore.open(PostgresParameters(database.address())))
  }

  @Test("a small database is read into memory unless a view fails or does not end")
  func memory() async throws {
    let endless = """
      CREATE VIEW endless AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
      """
    let failing = "CREATE VIEW failing AS SELECT json(name) AS parsed FROM people;"
    for (more, isInMemory) in [("", true), (endless, false), (failing, false)] {
      try await OtherDatabase.with(Self.tables + more) { file async throws in
        #expect(file.store.holdsEverything == isInMemory)
        #expect(try await values("ages order many", "many", file.store) == [1, 1, 2])
        #expect(try await values("people limit 1", "name", file.store) == ["Ann"])
      }
    }
  }

  @Test("a small database whose views have many rows together is not read into memory")
  func manyRows() async throws {
    let sql = (1...5).reduce(Self.tables) { sql, number in
      sql + """
        CREATE VIEW pairs\(number) AS
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50000)
          SELECT i FROM n;
        """
    }
    try await OtherDatabase.with(sql) { file async throws in
      #expect(!file.store.holdsEverything)
      #expect(try await values("people limit 1", "name", file.store) == ["Ann"])
    }
  }

  @Test("an id that is no UUID is rejected, in memory or not", arguments: [0, Int.max])
  func noUUID(_ maxBytesInMemory: Int) async throws {
    let (tables, limit) = (Self.tables, maxBytesInMemory)
    try await OtherDatabase.with(tables, maxBytesInMemory: limit) { file async throws in
      let name = file.attribute("people", "name")
      let number = EntityReference.id(EntityID("1"))
      for steps: [TransactionStep] in [
        [.addTriple(number, file.identity("people"), "1"), .addTriple(number, name, "Eve")],
        [.deleteEntity(number, namespace: "people")],
      ] {
        let error = await #expect(throws: DataSourceError.self) {
          try await file.store.transact(Transaction(steps))
        }
        #expect(error?.message.hasPrefix("Invalid entity ID '1'.") == true)
        #expect(error?.hint?.contains(#"[\"id\", 1]"#) == true)
      }
      #expect(try file.value("SELECT group_concat(name) FROM people") == "Ann,Bob,Cy,Di")
    }
  }

  @Test("a change of a view is rejected with the reason")
  func readOnly() async throws {
    try await OtherDatabase.with(Self.tables) { file in
      let identity = try #require(file.schema.identity(of: "adults"))
      #expect(identity.readOnlyReason == "is a view")
      #expect(file.schema.portable(identity).readOnlyReason == nil)
      #expect(file.schema.identity(of: "people")?.readOnlyReason == nil)
      let name = try #require(file.schema.attribute("adults", "name"))
      let row = EntityID.random()
      for steps: [TransactionStep] in [
        [.addTriple(.id(row), identity.id, .text(row.text)), .addTriple(.id(row), name.id, "x")],
        [.addTriple(.id(row), name.id, "x", .update)],
        [.deleteEntity(.id(row), namespace: "adults")],
      ] {
        await #expect {
          try await file.store.transact(Transaction(steps))
        } throws: {
          "\($0)".contains("adults is a view")
        }
      }
    }
  }

  @Test("a view that reads a missing table is named, and others are shown")
  func broken() async throws {
    let sql =
      Self.tables + """
        CREATE TABLE gone (x); CREATE VIEW lost AS SELECT x FROM gone; DROP TABLE gone;
        CREATE VIEW wrong AS SELECT nowhere(name) FROM people;
        """
    try await OtherDatabase.with(sql) { file in
      let remark = try #require(file.store.remark)
      #expect(remark.contains("the view lost (no such table: main.gone)"))
      #expect(remark.contains("the view wrong (no such function: nowhere)"))
      #expect(file.schema.namespaces.contains("adults"))
      #expect(!file.schema.namespaces.contains("lost"))
    }
  }

  @Test("a view without an end delays neither opening nor other queries")
  func slow() async throws {
    let sql =
      Self.tables + """
        CREATE VIEW endless AS
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
        CREATE VIEW grouped AS SELECT i % 7 AS kind, count(*) AS many FROM endless GROUP BY 1;
        """
    try await OtherDatabase.with(sql) { file in
      #expect(try await values("endless limit 3", "i", file.store) == [1, 2, 3])
      let counts = try #require(try await file.store.get(AllObjectsQuery()).served?.counts)
      #expect(counts["people"] == 4)
      #expect(counts["adults"] == 2)
      #expect(counts["endless"] == nil)
      #expect(counts["grouped"] == nil)
      let error = await #expect(throws: DataSourceError.self) {
        try await values("endless filter i * 2 = 14", "i", file.store)
      }
      #expect(error?.message.contains("the view endless has more than 200000 rows") == true)
      let asking = Task { try await values("grouped", "many", file.store) }
      asking.cancel()
      await #expect(throws: (any Error).self) { try await asking.value }
      #expect(try await values("adults", "name", file.store) == ["Ann", "Cy"])
    }
  }

  @Test(
    "a view that another program adds is shown", arguments: [0, SQLiteStore.maxBytesInMemory])
  func added(_ maxBytesInMemory: Int) async throws {
    try await OtherDatabase.with(
      "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Ann');",
      maxBytesInMemory: maxBytesInMemory
    ) { file in
      let isInMemory = maxBytesInMemory > 0
      #expect(file.store.holdsEverything == isInMemory)
      var isAdded = false
      for try await snapshot in file.store.watch(AllObjectsQuery()).awaited("the new views") {
        if !isAdded {
          isAdded = true
          try TestDatabase.execute(
            """
            BEGIN;
            CREATE VIEW names AS SELECT name FROM people;
            CREATE VIEW endless AS
              WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
            COMMIT;
            """, in: file.path)
        }
        let shown = Set(snapshot.store.schema.namespaces)
        if shown.contains("names") {
          #expect(shown.contains("endless") == !isInMemory)
          break
        }
      }
      #expect(try await values("names", "name", file.store) == ["Ann"])
      try TestDatabase.execute("INSERT INTO people VALUES (2, 'Bo')", in: file.path)
      let snapshots = try file.store.watch(QueryDocument(text: "names")).awaited("two names")
      for try await snapshot in snapshots {
        let count =
          isInMemory
          ? snapshot.store.count(of: "names")
          : snapshot.served?.found["names"]?.rows.count
        if count == 2 { break }
      }
    }
  }

  @Test("windows of a long view continue in its own order")
  func windows() async throws {
    let sql = """
      CREATE TABLE numbers (n INTEGER PRIMARY KEY, word TEXT);
      WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 500)
      INSERT INTO numbers SELECT n, 'word ' || n FROM i;
      CREATE VIEW backwards AS SELECT n, word FROM numbers ORDER BY n DESC;
      """
    try await OtherDatabase.with(sql, maxBytesInMemory: 0) { file in
      let document = try QueryDocument(text: "backwards")
      let view = AnswerView(window: .init(skipped: 450, count: 10, of: 500))
      let snapshots = file.store.watch(document, showing: view).awaited("a counted page")
      for try await snapshot in snapshots {
        let found = try #require(snapshot.served?.found[document.plans[0].text])
        let n = try #require(file.schema.attribute("backwards", "n")?.id)
        #expect(
          found.rows.map { snapshot.store.value($0, n) }
            == (41...50).reversed().map { .integer($0) })
        #expect(found.skipped == 450)
        if found.total != nil { break }
      }
      let found = try await file.store.get(
        FindRowQuery(
          plan: document.plans[0], matching: .compare("word", .equal, "word 100"), after: 0, step: 1
        ))
      #expect(found.served?.found[document.plans[0].text]?.skipped == 400)
    }
  }
}
