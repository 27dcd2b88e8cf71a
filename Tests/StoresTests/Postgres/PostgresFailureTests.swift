import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

/// What a store says when the server does not answer as it did, and that it heals by itself.
@Suite("A PostgreSQL server that fails", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresFailureTests {
  private static let table = """
    CREATE TABLE t (id int PRIMARY KEY, word text); INSERT INTO t VALUES (1, 'a');
    """

  private func count(_ snapshot: StoreSnapshot, _ plan: QueryPlan) -> Int? {
    snapshot.served?.found[plan.text]?.rows.count
  }

  private func refusal(_ query: any Query, _ store: PostgresStore) async -> String {
    let error = await #expect(throws: DataSourceError.self) { _ = try await store.get(query) }
    return error?.message ?? ""
  }

  @Test("a restarted server is queried again, and the data is marked as outdated meanwhile")
  func restart() async throws {
    let server = try PostgresServer.another()
    let database = try server.database(Self.table)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    let plan = QueryPlan("t")
    var (isStopped, wasStale) = (false, false)
    let snapshots = store.watch(QueryDocument(plan)).awaited("a current answer after the outage")
    for try await snapshot in snapshots {
      if !isStopped {
        isStopped = true
        #expect(count(snapshot, plan) == 1)
        try server.stop()
      } else if case .stale(let reason) = snapshot.freshness, !wasStale {
        wasStale = true
        #expect(count(snapshot, plan) == 1)
        #expect(!reason.isEmpty && !reason.hasSuffix("."), "\(reason)")
        try server.startAgain()
        try database.run("INSERT INTO t VALUES (2, 'b')")
      } else if wasStale, snapshot.freshness == .live, count(snapshot, plan) == 2 {
        break
      }
    }
    #expect(wasStale)
    try server.stop()
  }

  @Test("a revoked privilege is reported, and a granted one is used")
  func rights() async throws {
    let database = try PostgresServer.running().database(
      Self.table
        + """
        DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
        GRANT SELECT ON t TO guest;
        """)
    let store = try await PostgresStore.open(PostgresParameters(database.address(user: "guest")))
    let plan = QueryPlan("t")
    #expect(count(try await store.get(QueryDocument(plan)), plan) == 1)
    try database.run("REVOKE SELECT ON t FROM guest")
    let error = await #expect(throws: DataSourceError.self) {
      try await store.get(QueryDocument(plan))
    }
    // The second one if the store has already noticed that the table cannot be read.
    let reasons = ["(permission denied for table t", "or your database role may not read it"]
    let message = error?.message ?? ""
    #expect(reasons.contains { message.contains($0) }, "\(String(describing: error))")
    try database.run("GRANT SELECT ON t TO guest")
    // A query that starts before the store notices the grant fails with the same error.
    try await waitUntil("the table can be read again") {
      guard let snapshot = try? await store.get(QueryDocument(plan)) else { return false }
      return count(snapshot, plan) == 1
    }
  }

  @Test(
    "a dropped or renamed table disappears, and columns follow the database")
  func tables() async throws {
    let database = try PostgresServer.running().database(
      Self.table + "CREATE TABLE other (id int PRIMARY KEY)")
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    try database.run("ALTER TABLE t RENAME COLUMN word TO name")
    let plan = QueryPlan("t")
    let snapshot = try await store.get(QueryDocument(plan))
    #expect(count(snapshot, plan) == 1)
    #expect(snapshot.store.schema.attribute("t", "name") != nil)
    try database.run("DROP TABLE t")
    let answer = try? await store.get(QueryDocument(plan))
    #expect(answer.flatMap { count($0, plan) } ?? 0 == 0)
    for try await snapshot in store.watch(SchemaQuery()).awaited("the new namespaces")
    where snapshot.store.schema.namespaces == ["other"] { break }
  }

  @Test("a slow statement is canceled with advice, and the next one is answered")
  func timeout() async throws {
    let database = try PostgresServer.running().database(
      Self.table
        + """
        CREATE VIEW hurry AS SELECT 1 AS id, set_config('statement_timeout', '1500ms', false) AS x;
        CREATE VIEW slow AS SELECT g AS id, pg_sleep(0.1) IS NULL AS x FROM generate_series(1, 100) g;
        """)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    _ = try await store.get(QueryDocument(QueryPlan("hurry")))
    let words = await refusal(QueryDocument(QueryPlan("slow")), store)
    #expect(words.contains("the query took longer"), "\(words)")
    #expect(words.contains("an index to the database"), "\(words)")
    let plan = QueryPlan("t")
    #expect(count(try await store.get(QueryDocument(plan)), plan) == 1)
  }

  @Test("a failing view is reported and not queried repeatedly")
  func brokenView() async throws {
    let database = try PostgresServer.running().database(
      Self.table + "CREATE VIEW broken AS SELECT 1 AS id, 1 / (random() * 0)::int AS x;")
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    let words = await refusal(QueryDocument(QueryPlan("broken")), store)
    #expect(words.contains("division by zero"), "\(words)")
    let plan = QueryPlan("t")
    let snapshot = try await store.get(QueryDocument(plan))
    #expect(count(snapshot, plan) == 1)
    // What fails for itself says nothing about the rest.
    #expect(snapshot.freshness == .live)
  }
}
