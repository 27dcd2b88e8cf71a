import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

/// No answer is short of something without a word.
@Suite("Answers of PostgreSQL that are too large", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresLimitTests {
  private static let tables = """
    CREATE TABLE teams (id int PRIMARY KEY, name text);
    CREATE TABLE people (id int PRIMARY KEY, age int, team_id int REFERENCES teams);
    INSERT INTO teams SELECT g, 'Team ' || g FROM generate_series(1, 2) g;
    INSERT INTO people SELECT g, g, CASE WHEN g <= 5 THEN 1 ELSE 2 END FROM generate_series(1, 12) g;
    """

  private func store(_ change: (inout ReadingLimits) -> Void) async throws -> PostgresStore {
    var limits = ReadingLimits()
    change(&limits)
    let database = try PostgresServer.running().database(Self.tables)
    return try await PostgresStore.open(PostgresParameters(database.address()), limits: limits)
  }

  private func refusal(_ text: String, _ store: PostgresStore) async throws -> String {
    let document = try QueryDocument(text: text)
    let error = await #expect(throws: DataSourceError.self) { _ = try await store.get(document) }
    return error?.message ?? ""
  }

  @Test(
    "cursors need no more rows than the page, and keep the database's order of special dates",
    arguments: ["", " order at", " order at desc", " order word desc, at", " order id desc"])
  func cursors(_ order: String) async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE m (id int PRIMARY KEY, at timestamptz, word text);
      INSERT INTO m SELECT g, CASE WHEN g % 8 < 5 THEN (ARRAY[NULL, 'infinity', '-infinity',
          '0044-03-15 12:00:00+00 BC', '2025-01-10 08:00:00+00'])[g % 8 + 1]::timestamptz
        ELSE timestamptz '2020-01-01 00:00+00' + g * interval '1 day' END,
        CASE WHEN g % 5 = 0 THEN NULL ELSE 'word ' || g % 4 END FROM generate_series(1, 50) g;
      ANALYZE m;
      """)
    var limits = ReadingLimits()
    limits.rowsInMemory = 10
    let store = try await PostgresStore.open(
      PostgresParameters(database.address()), limits: limits)
    let plan = try QueryDocument(text: "m" + order).plans[0]
    func ids(_ page: Page) async throws -> ([EntityID], PageInfo) {
      var plan = plan
      plan.page = page
      let snapshot = try await store.get(QueryDocument(plan))
      let answer = try QueryEngine.answer(
        plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
      #expect(answer.total == 50)
      return (answer.rows.map { snapshot.store.id(of: $0) }, try #require(answer.pageInfo))
    }
    let (all, _) = try await ids(Page(limit: 50))
    var (forward, next) = ([] as [EntityID], Page(first: 7))
    for _ in 0..<8 {
      let (rows, info) = try await ids(next)
      forward += rows
      #expect(info.hasNext == (forward.count < 50) && info.hasPrevious == (next.after != nil))
      next.after = info.end
    }
    #expect(forward == all)
    var (backward, previous) = ([] as [EntityID], Page(last: 7))
    for _ in 0..<8 {
      let (rows, info) = try await ids(previous)
      backward = rows + backward
      #expect(info.hasPrevious == (backward.count < 50))
      #expect(info.hasNext == (previous.before != nil))
      previous.before = info.start
    }
    #expect(backward == all)
  }

  @Test("a cursor whose row is gone, or of another order, is not taken for the start")
  func otherCursors() async throws {
    let store = try await store { $0.rowsInMemory = 0 }
    var plan = QueryPlan("people")
    plan.page = Page(first: 2)
    let snapshot = try await store.get(QueryDocument(plan))
    let answer = try QueryEngine.answer(
      plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot))
    var cursor = try #require(answer.pageInfo?.end)
    let entity = cursor.entity
    cursor.entity = .random()
    plan.page.after = cursor
    #expect(try await refusal(plan.text, store).contains("the row of the cursor"))
    cursor.entity = entity
    plan.page.after = cursor
    plan.order = [OrderKey("age")]
    #expect(try await refusal(plan.text, store).contains("belongs to a query with another order"))
  }

  @Test("texts of a large table are sorted by the database, except with a Unicode index")
  func sortedTexts() async throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE words (id int PRIMARY KEY, word text, other text);
      CREATE TABLE uses (id int PRIMARY KEY, name text, word_id int REFERENCES words);
      CREATE INDEX ON words (other COLLATE "und-x-icu");
      INSERT INTO words SELECT g, 'word ' || g, 'word ' || g FROM generate_series(1, 100) g;
      ANALYZE words; ANALYZE uses;
      """)
    let sentence =
      "Unlike other stores, the database sorts strings of large tables by its own collation: words. "
      + "To sort them as in other stores, add an index with COLLATE \"und-x-icu\"."
    for (limit, isLarge) in [(99, true), (100, false)] {
      var limits = ReadingLimits()
      limits.sortedTexts = limit
      let store = try await PostgresStore.open(
        PostgresParameters(database.address()), limits: limits)
      #expect(store.remark == nil)
      #expect(await store.textOrderRemark(for: nil) == (isLarge ? sentence : nil))
      for text in [
        "words order word", "words order other, word desc", "uses order word.word",
        "words aggregate count, max(word)", "uses with word { order word limit 1 }",
      ] {
        let remark = await store.textOrderRemark(for: try QueryDocument(text: text))
        #expect(remark == (isLarge ? sentence : nil), "\(text)")
      }
      for text in [
        "words", "words order id", "words order other", "words filter word > \"a\"",
        "words group word aggregate count", "uses order name", "uses order word.other",
        "uses with word { order word }", "words aggregate max(other)",
      ] {
        let remark = await store.textOrderRemark(for: try QueryDocument(text: text))
        #expect(remark == nil, "\(text)")
      }
      for (column, isByDatabase) in [("word", isLarge), ("other", false)] {
        var view = AnswerView()
        view.explains = true
        let document = try QueryDocument(text: "words order \(column) limit 3")
        for try await snapshot in store.watch(document, showing: view).awaited("a statement") {
          let text = try #require(snapshot.served?.statements.first).text
          #expect(text.contains("COLLATE \"und-x-icu\"") == !isByDatabase, "\(text)")
          break
        }
      }
    }
  }

  @Test("an answer with too many rows is rejected, and one with a limit is not")
  func rows() async throws {
    let store = try await store { $0.rows = 10 }
    #expect(try await refusal("people", store).contains("more than 10 rows of people"))
    #expect(try await refusal("people limit 11", store).contains("more than 10 rows of people"))
    let document = try QueryDocument(text: "people limit 10")
    let found = try await store.get(document).served?.found[document.plans[0].text]
    #expect(found?.rows.count == 10)
    #expect(found?.total == 12)
  }

  @Test(
    "a row with too many links is rejected in an answer, and marked on a screen")
  func linkedRows() async throws {
    let store = try await store { ($0.linkedRows, $0.linkedRowsShown) = (6, 3) }
    #expect(
      try await refusal("teams with people", store).contains(
        "a row of teams has more than 6 linked people"))
    let limited = try QueryDocument(text: "teams with people { limit 6 }")
    #expect(try await store.get(limited).served?.cutLinks == [:])
    let document = try QueryDocument(text: "teams with people")
    let view = AnswerView(window: .init(skipped: 0, count: 10))
    for try await snapshot in store.watch(document, showing: view).awaited("a shortened link") {
      #expect(snapshot.served?.cutLinks == ["teams.people": 3])
      #expect(snapshot.store.count(of: "people") == 6)
      break
    }
    // Marks for the screen are not part of the answer.
    #expect(
      try await store.get(QueryDocument(text: "teams")).served?.cutLinks == ["teams.people": 6])
  }

  @Test("links of many rows are rejected if their total is too large")
  func linkedTogether() async throws {
    let store = try await store { $0.rows = 10 }
    #expect(
      try await refusal("teams with people", store)
        .contains("the rows of teams have more than 10 linked people in total"))
  }

  @Test("the server computes medians of many rows")
  func medians() async throws {
    let store = try await store { $0.rows = 3 }
    let plan = QueryPlan(
      "people", groups: ["team.name"], aggregates: [Aggregation(.median, "age")])
    let snapshot = try await store.get(QueryDocument(plan))
    let table = try #require(snapshot.served?.found[plan.text]?.table)
    #expect(table.rows == [["Team 1", 3], ["Team 2", 9]])
  }
}
