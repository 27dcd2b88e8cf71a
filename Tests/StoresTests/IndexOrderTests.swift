import DataSources
import GRDB
import InstaQL
import LiveQueries
import Stores
import TestSupport
import Testing
import Triples

@Suite("Texts of a SQLite table, sorted by an index", .timeLimit(.minutes(5)))
struct IndexOrderTests {
  private static let words = """
    CREATE TABLE words (
      id INTEGER PRIMARY KEY, word TEXT, folded TEXT COLLATE NOCASE, some TEXT, plain TEXT);
    CREATE INDEX words_word ON words (word);
    CREATE INDEX words_folded ON words (folded);
    CREATE INDEX words_some ON words (some) WHERE some > 'a';
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO words SELECT i, w, w, w, w FROM (
      SELECT i, CASE i % 8 WHEN 0 THEN NULL WHEN 1 THEN 'ann' WHEN 2 THEN 'Ann' WHEN 3 THEN 'Äpfel'
        WHEN 4 THEN 'bo' WHEN 5 THEN 'Zoe' WHEN 6 THEN '' ELSE 'ANN' END AS w FROM n);
    """

  private func withStore(
    _ sql: String = words, maxSortedTexts: Int,
    _ body: (SQLiteStore, DatabaseQueue) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/words.db"
      try TestDatabase.execute(sql, in: path)
      var limits = ReadingLimits()
      limits.sortedTexts = maxSortedTexts
      let store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0, limits: limits)
      try await body(store, try TestDatabase.open(path))
    }
  }

  /// The statement for the rows of a query, and the steps by which SQLite executes it.
  private func statement(
    _ text: String, _ store: SQLiteStore
  ) async throws -> (text: String, plan: String) {
    var view = AnswerView()
    view.explains = true
    let snapshots = try store.watch(QueryDocument(text: text), showing: view).awaited("an answer")
    for try await snapshot in snapshots {
      let first = try #require(snapshot.served?.statements.first)
      return (first.text, first.plan.joined(separator: "\n"))
    }
    return ("", "")
  }

  @Test(
    "are in the order of the index in a large table, also page by page",
    arguments: [("word", "BINARY"), ("folded", "NOCASE")], ["ASC", "DESC"])
  func pages(_ column: (name: String, collation: String), _ direction: String) async throws {
    try await withStore(maxSortedTexts: 59) { store, database in
      let order = "words order \(column.name) \(direction.lowercased())"
      let (text, plan) = try await statement(order + " limit 7", store)
      #expect(
        text.contains(
          "ORDER BY t1.\"\(column.name)\" COLLATE \"\(column.collation)\" \(direction), "
            + "t1.rowid \(direction)"), "\(text)")
      #expect(plan.contains("words_\(column.name)") && !plan.contains("TEMP B-TREE"), "\(plan)")
      let wanted = try await database.read { db in
        try Int64.fetchAll(
          db,
          sql: """
            SELECT id FROM words ORDER BY \(column.name) COLLATE \(column.collation) \(direction),
            id \(direction)
            """)
      }
      var found: [EntityID] = []
      for offset in stride(from: 0, to: 60, by: 7) {
        let document = try QueryDocument(text: "\(order) limit 7 offset \(offset)")
        let page = try await store.get(document)
        let rows = try #require(page.served?.found[document.plans[0].text]).rows
        found += rows.map { page.store.id(of: $0) }
      }
      #expect(
        found == wanted.compactMap { EntityID(number: $0, in: EntityID.high(of: "words")) })
    }
  }

  @Test("are in the order of the query language in a small table, and without an index")
  func others() async throws {
    try await withStore(maxSortedTexts: 60) { store, _ in
      for column in ["word", "folded", "some", "plain"] {
        let text = try await statement("words order \(column) limit 7", store).text
        #expect(text.contains("\"\(column)\" COLLATE \"sonde_language\" ASC"), "\(text)")
      }
      #expect(await store.textOrderRemark(for: nil) == nil)
    }
    try await withStore(maxSortedTexts: 59) { store, _ in
      for column in ["some", "plain"] {
        let text = try await statement("words order \(column) limit 7", store).text
        #expect(text.contains("\"\(column)\" COLLATE \"sonde_language\" ASC"), "\(text)")
      }
      #expect(store.remark == nil)
      let sentence =
        "Unlike other stores, the database sorts strings of large tables by the collation of their "
        + "indexes: "
      for (text, columns) in [
        (nil, "words.word, words.folded"), ("words order folded", "words.folded"),
        ("words order plain, word", "words.word"), ("words aggregate max(word)", "words.word"),
        ("words order plain", nil), ("words filter word > \"a\"", nil),
      ] as [(String?, String?)] {
        let remark = await store.textOrderRemark(for: try text.map { try QueryDocument(text: $0) })
        #expect(remark == columns.map { sentence + $0 + "." }, "\(text ?? "")")
      }
    }
  }

  @Test("are compared by the same collation for the smallest and the largest")
  func extremes() async throws {
    try await withStore(maxSortedTexts: 59) { store, _ in
      let plan = QueryPlan(
        "words", aggregates: [Aggregation(.max, "word"), Aggregation(.max, "plain")])
      let snapshot = try await store.get(QueryDocument(plan))
      let table = try #require(snapshot.served?.found[plan.text]?.table)
      #expect("\(table)".contains("Äpfel") && "\(table)".contains("Zoe"), "\(table)")
    }
  }

  @Test("are compared by the query language's collation in several linked rows")
  func linkedExtremes() async throws {
    let tables = """
      CREATE TABLE teams (id INTEGER PRIMARY KEY, kind TEXT);
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, team INTEGER REFERENCES teams(id));
      INSERT INTO teams VALUES (1, 'x'), (2, 'x');
      INSERT INTO people VALUES (1, 'ann', 1), (2, 'Zoe', 2);
      """
    try await withStore(tables, maxSortedTexts: 60) { store, _ in
      let plan = QueryPlan(
        "teams", groups: ["kind"],
        aggregates: [Aggregation(.min, "people.name"), Aggregation(.max, "people.name")])
      let snapshot = try await store.get(QueryDocument(plan))
      #expect(snapshot.served?.found[plan.text]?.table != nil)
      let answer = try QueryEngine.answer(
        plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
      let json = try ResultFormat.json.bytes(of: [answer], options: QueryOptions())
      #expect(
        String(decoding: json, as: UTF8.self)
          .contains(#""min_people_name":"ann","max_people_name":"Zoe""#))
    }
  }

  @Test("are counted exactly if many rowids are unused, or there are none", arguments: [59, 60])
  func sizes(_ maxSortedTexts: Int) async throws {
    for table in [
      "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT)",
      "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT) WITHOUT ROWID",
    ] {
      let rows = """
        ; CREATE INDEX words_word ON words (word);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO words SELECT i * 1000000000, 'word ' || i FROM n;
        """
      try await withStore(table + rows, maxSortedTexts: maxSortedTexts) { store, _ in
        let remark = await store.textOrderRemark(for: nil)
        #expect((remark?.contains("words.word") == true) == (maxSortedTexts < 60), "\(table)")
      }
    }
  }
}
