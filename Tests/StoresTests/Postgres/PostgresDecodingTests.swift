import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

/// How a store follows a PostgreSQL database by logical decoding.
@Suite("A PostgreSQL database that is decoded", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresDecodingTests {
  private static let tables = """
    CREATE TABLE t (id int PRIMARY KEY, word text); INSERT INTO t VALUES (1, 'a');
    CREATE TABLE u (id int PRIMARY KEY, t_id int REFERENCES t); INSERT INTO u VALUES (1, 1);
    CREATE TABLE alone (id int PRIMARY KEY); INSERT INTO alone VALUES (1);
    CREATE TABLE p (id int PRIMARY KEY) PARTITION BY RANGE (id);
    CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (1000);
    CREATE TABLE "Odd. ""Name"", x: INSERT:" (id int PRIMARY KEY);
    CREATE UNLOGGED TABLE light (id int PRIMARY KEY);
    CREATE VIEW words AS SELECT word FROM t;
    """

  /// A server without long transactions of other tests, for whose end a new slot waits.
  private static let server = Result { try PostgresServer.another() }

  private func makeDatabase(_ more: String = "") throws -> TestPostgres {
    try Self.server.get().database(Self.tables + more)
  }

  private func parameters(
    _ database: TestPostgres, user: String = "sonde", _ mode: PostgresLiveMode = .decoding()
  ) -> PostgresParameters {
    var parameters = PostgresParameters(database.address(user: user))
    parameters.liveMode = mode
    return parameters
  }

  /// Waits until the database has no slot, without blocking a thread that a store needs to close.
  private func waitForEndOfSlots(_ database: TestPostgres) async throws {
    try await waitUntil("the database has no slot") {
      try database.run(
        "SELECT count(*) FROM pg_replication_slots WHERE database = current_database()") == "0"
    }
  }

  private func slots(_ database: TestPostgres) throws -> String {
    try database.run(
      "SELECT count(*) FROM pg_replication_slots WHERE temporary AND database = current_database()")
  }

  /// Watches the rows of a namespace, and changes them through another session.
  private func expect(
    _ count: Int, in namespace: String, after sql: String, _ database: TestPostgres,
    _ store: PostgresStore
  ) async throws {
    let plan = QueryPlan(namespace)
    var isWritten = false
    for try await snapshot in store.watch(QueryDocument(plan)).awaited("the changed rows") {
      if !isWritten {
        isWritten = true
        try database.run(sql)
      }
      if snapshot.served?.found[plan.text]?.rows.count == count { return }
    }
    Issue.record("\(namespace) ended")
  }

  @Test("commits of others are shown, and the slot ends with the store")
  func changes() async throws {
    let database = try makeDatabase()
    do {
      let store = try await PostgresStore.open(parameters(database))
      #expect(await store.changeDetection == "decoding every second")
      #expect(store.remark?.contains("decoded") != true)
      #expect(try slots(database) == "1")
      try await expect(2, in: "t", after: "INSERT INTO t VALUES (2, 'b')", database, store)
      try await expect(3, in: "words", after: "INSERT INTO t VALUES (3, 'c')", database, store)
      try await expect(1, in: "p", after: "INSERT INTO p1 VALUES (7)", database, store)
      try await expect(0, in: "p", after: "TRUNCATE p1, alone", database, store)
      let name = try #require(
        try await store.get(SchemaQuery()).store.schema.namespaces.first { $0.contains("Odd") })
      try await expect(
        1, in: name, after: "INSERT INTO \"Odd. \"\"Name\"\", x: INSERT:\" VALUES (1)", database,
        store)
      // A write to an unlogged table is not in the write-ahead log.
      try await expect(1, in: "light", after: "INSERT INTO light VALUES (1)", database, store)
    }
    try await waitForEndOfSlots(database)
  }

  @Test("only queries of changed tables are asked again")
  func concerned() async throws {
    // Unlogged tables are polled, which asks all queries again.
    let database = try makeDatabase("DROP TABLE light;")
    let store = try await PostgresStore.open(parameters(database))
    func reads(_ table: String) throws -> Int {
      try database.statements().count { $0.contains("FROM \"public\".\"\(table)\"") }
    }
    var alone = store.watch(QueryDocument(QueryPlan("alone"))).awaited("the rows of alone")
      .makeAsyncIterator()
    _ = try await alone.next()
    let before = try reads("alone")
    #expect(before > 0)
    try await expect(2, in: "t", after: "INSERT INTO t VALUES (2, 'b')", database, store)
    try await expect(1, in: "t", after: "DELETE FROM t WHERE id = 2", database, store)
    #expect(try reads("alone") == before)
    try database.run("INSERT INTO alone VALUES (2)")
    let plan = QueryPlan("alone")
    while let snapshot = try await alone.next() {
      if snapshot.served?.found[plan.text]?.rows.count == 2 { break }
    }
    #expect(try reads("alone") > before)
  }

  @Test("a created table is noticed, and its rows are followed")
  func tables() async throws {
    let database = try makeDatabase()
    let store = try await PostgresStore.open(parameters(database))
    var isMade = false
    for try await snapshot in store.watch(SchemaQuery()).awaited("the created table") {
      if !isMade {
        isMade = true
        try database.run("CREATE TABLE v (id int PRIMARY KEY)")
      }
      if snapshot.store.schema.namespaces.contains("v") { break }
    }
    try await expect(1, in: "v", after: "INSERT INTO v VALUES (1)", database, store)
    #expect(try slots(database) == "1")
  }

  @Test(
    "renamed and dropped columns are noticed",
    arguments: [PostgresLiveMode.decoding(), .automatic])
  func columns(_ mode: PostgresLiveMode) async throws {
    let database = try makeDatabase("ALTER TABLE t ADD COLUMN size int;")
    let store = try await PostgresStore.open(parameters(database, mode))
    var statements = [
      ["id", "word", "size"]: "ALTER TABLE t RENAME COLUMN word TO name",
      ["id", "name", "size"]: "ALTER TABLE t DROP COLUMN size",
    ]
    for try await snapshot in store.watch(SchemaQuery()).awaited("the next change of the columns") {
      let labels = snapshot.store.schema.attributes(of: "t").map(\.label)
      if labels == ["id", "name"] { break }
      if let statement = statements.removeValue(forKey: labels) { try database.run(statement) }
    }
    #expect(statements.isEmpty)
  }

  @Test("a role without the right polls, and says why")
  func role() async throws {
    let database = try makeDatabase(
      """
      CREATE ROLE decoding_reader LOGIN;
      GRANT SELECT ON ALL TABLES IN SCHEMA public TO decoding_reader;
      """)
    let store = try await PostgresStore.open(parameters(database, user: "decoding_reader"))
    #expect(await store.changeDetection == "polling every second: your role lacks REPLICATION")
    #expect(
      store.remark == "Logical decoding is not possible: your role lacks REPLICATION. "
        + "Instead, the database is polled every second.")
    try await expect(2, in: "t", after: "INSERT INTO t VALUES (2, 'b')", database, store)
  }

  @Test("a server without logical decoding or a free slot is polled")
  func servers() async throws {
    let replica = try PostgresServer.another(["wal_level": "replica"]).database(Self.tables)
    var store = try await PostgresStore.open(parameters(replica))
    #expect(await store.changeDetection == "polling every second: wal_level is not logical")
    try await expect(2, in: "t", after: "INSERT INTO t VALUES (2, 'b')", replica, store)
    let full = try PostgresServer.another(["max_replication_slots": "1"]).database(Self.tables)
    let first = try await PostgresStore.open(parameters(full))
    #expect(await first.changeDetection == "decoding every second")
    store = try await PostgresStore.open(parameters(full))
    #expect(await store.changeDetection == "polling every second: no replication slot is free")
    try await expect(2, in: "t", after: "INSERT INTO t VALUES (2, 'b')", full, store)
    // Triggers report changes where decoding is refused.
    let sql = try await PostgresTriggers.installation(in: parameters(full), on: ["t"])
    try await PostgresTriggers.run(sql, in: parameters(full))
    store = try await PostgresStore.open(parameters(full))
    #expect(await store.changeDetection == "NOTIFY: no replication slot is free")
  }

  @Test("a slot that falls behind is dropped, and the store polls")
  func behind() async throws {
    let database = try makeDatabase()
    let store = try await PostgresStore.open(parameters(database, .decoding(maxHeldBytes: 0)))
    for try await snapshot in store.watch(AllObjectsQuery()).awaited("the end of decoding")
    where snapshot.changeDetection?.contains(": decoding fell behind") == true {
      break
    }
    try await waitForEndOfSlots(database)
    try await expect(2, in: "t", after: "INSERT INTO t VALUES (2, 'b')", database, store)
  }
}
