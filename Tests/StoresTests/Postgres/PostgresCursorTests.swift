import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import Testing
import Triples

/// Pages at cursors that the database reads, beside the same from the same rows in memory.
@Suite("Cursors in a PostgreSQL database", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresCursorTests {
  /// The statistics of `large` say that it has so many rows that an index gives their order.
  private static let tables = """
    CREATE TABLE small (id int PRIMARY KEY, n int, word text);
    INSERT INTO small SELECT g, CASE WHEN g % 3 > 0 THEN g % 7 END,
      CASE WHEN g % 5 > 0 THEN 'word ' || g % 4 END FROM generate_series(1, 40) g;
    CREATE TABLE large (LIKE small INCLUDING ALL);
    INSERT INTO large SELECT * FROM small;
    CREATE TABLE coded (code text PRIMARY KEY, n int);
    INSERT INTO coded SELECT 'code ' || g, NULLIF(g, 5) FROM generate_series(1, 40) g;
    ANALYZE;
    UPDATE pg_catalog.pg_class SET reltuples = 60000 WHERE relname = 'large';
    """

  private static let pages = [
    Page(), Page(first: 7), Page(last: 7), Page(limit: 4, offset: 2), Page(offset: 2, last: 4),
  ]

  private func check(
    _ plan: QueryPlan, _ store: PostgresStore, _ memory: TripleStore
  ) async throws {
    let snapshot = try await store.get(QueryDocument(plan))
    let found = try QueryEngine.answer(
      plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
    let wanted = try QueryEngine.answer(plan, in: memory)
    #expect(
      found.rows.map { snapshot.store.id(of: $0) } == wanted.rows.map { memory.id(of: $0) },
      "\(plan.text)")
    #expect(found.pageInfo?.hasNext == wanted.pageInfo?.hasNext, "\(plan.text)")
    #expect(found.pageInfo?.hasPrevious == wanted.pageInfo?.hasPrevious, "\(plan.text)")
  }

  /// Creates a database, and returns a store that reads rows only as queries need them, and all rows
  /// in memory. They are read by another store, so that the first one has read no row before.
  private func stores(_ sql: String) async throws -> (store: PostgresStore, memory: TripleStore) {
    let database = try PostgresServer.running().database(sql)
    var limits = ReadingLimits()
    limits.rowsInMemory = 0
    let memory = try await PostgresStore.open(PostgresParameters(database.address()))
      .wholeStore(bytes: .counted).store
    let store = try await PostgresStore.open(
      PostgresParameters(database.address()), limits: limits)
    return (store, memory)
  }

  @Test(
    "a page at one or two cursors, with or without their rows, is that of the engine",
    arguments: [
      "small", "small order word, n desc", "small order n desc", "small filter n > 2 order word",
      "large order n", "large order n desc", "large order word desc, n", "large order id desc",
      "coded order n", "coded order n desc", "coded order code",
    ])
  func pages(_ text: String) async throws {
    let (store, memory) = try await stores(Self.tables)
    let plan = try QueryDocument(text: text).plans[0]
    func cursor(_ place: Int) throws -> Cursor {
      var one = plan
      one.page = Page(limit: 1, offset: place)
      return try #require(try QueryEngine.answer(one, in: memory).pageInfo?.start)
    }
    for (after, before) in [(3, 11), (0, nil), (nil, 12), (6, 7), (8, 8), (10, 3)] {
      for page in Self.pages {
        for isIncluded in [false, true] {
          var paged = plan
          paged.page = page
          paged.page.after = try after.map(cursor)
          paged.page.before = try before.map(cursor)
          paged.page.afterInclusive = isIncluded && after != nil
          paged.page.beforeInclusive = isIncluded && before != nil
          try await check(paged, store, memory)
        }
      }
    }
  }

  @Test("rows and links are found if the key is an array, alone or with another column")
  func arrayKeys() async throws {
    let (store, memory) = try await stores(
      """
      CREATE TABLE cells (place int[] PRIMARY KEY, name text);
      INSERT INTO cells SELECT ARRAY[g, -g], 'cell ' || g FROM generate_series(1, 9) g;
      CREATE TABLE pieces (n int, tags text[], cell int[] REFERENCES cells, PRIMARY KEY (n, tags));
      INSERT INTO pieces SELECT g, '{"a,b",""}', ARRAY[10 - g, g - 10]
      FROM generate_series(1, 9) g;
      """)
    for (text, label) in [("cells order name", "name"), ("pieces order n", "n")] {
      var plan = try QueryDocument(text: text).plans[0]
      plan.page = Page(limit: 4)
      let first = try QueryEngine.answer(plan, in: memory)
      plan.page = Page(first: 3)
      plan.page.after = try #require(first.pageInfo?.end)
      try await check(plan, store, memory)
      let snapshot = try await store.get(QueryDocument(plan))
      let answer = try QueryEngine.answer(
        plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
      #expect(
        answer.rows.map { answer.value($0, label) }
          == (label == "name" ? ["cell 5", "cell 6", "cell 7"] : [5, 6, 7]))
    }
    let linked = try QueryDocument(text: "pieces order n limit 2 with cell")
    let snapshot = try await store.get(linked)
    var output = JSONOutput(capacity: 1 << 10)
    try QueryEngine.json(linked, in: snapshot, options: .standard, into: &output)
    #expect(output.text.contains("cell 9") && output.text.contains("cell 8"), "\(output.text)")
    #expect(!output.text.contains("cell 7"), "\(output.text)")
  }

  @Test("without an order, the pages of a table with a text key are in the order of the key")
  func textKeys() async throws {
    let database = try PostgresServer.running().database(Self.tables)
    var limits = ReadingLimits()
    limits.rowsInMemory = 0
    var plan = QueryPlan("coded")
    plan.page = Page(first: 7)
    var codes: [Value?] = []
    for _ in 0..<6 {
      // A new store has read no row before.
      let store = try await PostgresStore.open(
        PostgresParameters(database.address()), limits: limits)
      let snapshot = try await store.get(QueryDocument(plan))
      let answer = try QueryEngine.answer(
        plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
      codes += answer.rows.map { answer.value($0, "code") }
      plan.page.after = try #require(answer.pageInfo?.end)
    }
    let ordered = try database.run("SELECT code FROM coded ORDER BY code").split(separator: "\n")
    #expect(codes == ordered.map { .text(String($0)) })
  }
}
