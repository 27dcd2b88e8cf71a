import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

/// How a store notices writes of others in a PostgreSQL database.
@Suite(
  "A PostgreSQL database that others write",
  .withPostgres, .timeLimit(.minutes(5)))
struct PostgresLiveTests {
  private func database() throws -> TestPostgres {
    try PostgresServer.running().database(
      "CREATE TABLE t (id int PRIMARY KEY, word text); INSERT INTO t VALUES (1, 'a');")
  }

  private func count(_ snapshot: StoreSnapshot, _ plan: QueryPlan) -> Int? {
    snapshot.served?.found[plan.text]?.rows.count
  }

  @Test("commits of others are shown, by polling and by notifications", arguments: [false, true])
  func changes(_ hasTriggers: Bool) async throws {
    let database = try database()
    let parameters = PostgresParameters(database.address())
    if hasTriggers {
      let sql = try await PostgresTriggers.installation(in: parameters, on: ["t"])
      try await PostgresTriggers.run(sql, in: parameters)
    }
    let store = try await PostgresStore.open(parameters)
    let plan = QueryPlan("t")
    var isWritten = false
    for try await snapshot in store.watch(QueryDocument(plan)).awaited("two rows") {
      if !isWritten {
        #expect(count(snapshot, plan) == 1)
        isWritten = true
        try database.run("INSERT INTO t VALUES (2, 'b')")
      }
      if count(snapshot, plan) == 2 { break }
    }
    if hasTriggers {
      #expect(await store.changeDetection == "NOTIFY")
      try await PostgresTriggers.run(PostgresTriggers.removing, in: parameters)
      #expect(try database.run("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal") == "0")
    }
  }

  @Test("triggers that another program installs or removes are noticed")
  func triggers() async throws {
    let parameters = PostgresParameters(try database().address())
    let store = try await PostgresStore.open(parameters)
    var shown: [String] = []
    let snapshots = store.watch(QueryDocument(QueryPlan("t")))
      .awaited("the next way to detect changes")
    for try await snapshot in snapshots {
      let text = try #require(snapshot.changeDetection)
      guard shown.last != text else { continue }
      shown.append(text)
      if shown.count == 1 {
        let sql = try await PostgresTriggers.installation(in: parameters, on: ["t"])
        try await PostgresTriggers.run(sql, in: parameters)
      } else if shown.count == 2 {
        try await PostgresTriggers.run(PostgresTriggers.removing, in: parameters)
      } else {
        break
      }
    }
    #expect(shown == ["polling every second", "NOTIFY", "polling every second"])
  }

  @Test("a slow view delays neither the schema nor the numbers of other tables")
  func slowView() async throws {
    let database = try database()
    try database.run("CREATE VIEW slow AS SELECT pg_sleep(600)::text AS x")
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    var isFirst = true
    for try await snapshot in store.watch(AllObjectsQuery()).awaited("the count of the table") {
      if isFirst {
        #expect(snapshot.store.schema.namespaces == ["slow", "t"])
        #expect(snapshot.served?.counts == [:])
        isFirst = false
      }
      if snapshot.served?.counts == ["t": 1] { break }
    }
  }

  @Test("created and dropped tables are noticed")
  func tables() async throws {
    let database = try database()
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    var isMade = false
    for try await snapshot in store.watch(SchemaQuery()).awaited("the new namespaces") {
      if !isMade {
        isMade = true
        try database.run("CREATE TABLE u (id int PRIMARY KEY); DROP TABLE t;")
      }
      if snapshot.store.schema.namespaces == ["u"] { break }
    }
  }

  @Test("rows of a dropped table stay, marked as outdated, until it is there again")
  func dropped() async throws {
    let database = try database()
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    let plan = QueryPlan("t")
    var (isDropped, isBack) = (false, false)
    for try await snapshot in store.watch(QueryDocument(plan)).awaited("a current answer") {
      #expect(count(snapshot, plan) == 1)
      if !isDropped {
        isDropped = true
        try database.run("ALTER TABLE t RENAME TO u")
      } else if case .stale(let reason) = snapshot.freshness, !isBack {
        isBack = true
        #expect(reason.contains("the table t no longer exists"), "\(reason)")
        try database.run("ALTER TABLE u RENAME TO t")
      } else if isBack, snapshot.freshness == .live {
        break
      }
    }
  }

  @Test(
    "rows of a query stay, marked as outdated, while a column that it reads is missing",
    arguments: ["filter word = \"one\"", "order word", "fields word"])
  func droppedColumn(_ clause: String) async throws {
    let database = try database()
    try database.run(
      "CREATE TABLE c (id int PRIMARY KEY, word text); INSERT INTO c VALUES (1, 'one')")
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    let document = try QueryDocument(text: "c \(clause)")
    var (isDropped, isBack) = (false, false)
    for try await snapshot in store.watch(document).awaited("a current answer") {
      #expect(count(snapshot, document.plans[0]) == 1)
      if !isDropped {
        isDropped = true
        try database.run("ALTER TABLE c RENAME word TO term")
      } else if case .stale(let reason) = snapshot.freshness, !isBack {
        isBack = true
        #expect(reason.contains("the column c.word no longer exists"), "\(reason)")
        try database.run("ALTER TABLE c RENAME term TO word")
      } else if isBack, snapshot.freshness == .live {
        break
      }
    }
  }

  @Test(
    "sessions that the server ended are reopened, and changes still arrive",
    arguments: [PostgresLiveMode.automatic, .decoding()])
  func killed(_ mode: PostgresLiveMode) async throws {
    let database = try database()
    var parameters = PostgresParameters(database.address())
    parameters.liveMode = mode
    let store = try await PostgresStore.open(parameters)
    let plan = QueryPlan("t")
    var isKilled = false
    for try await snapshot in store.watch(QueryDocument(plan)).awaited("a current answer") {
      if !isKilled {
        isKilled = true
        try database.run(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid();
          INSERT INTO t VALUES (2, 'b');
          """)
      }
      if count(snapshot, plan) == 2, snapshot.freshness == .live { break }
    }
  }
}
