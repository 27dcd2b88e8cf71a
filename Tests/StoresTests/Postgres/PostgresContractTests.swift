import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

/// What every store does, as far as it holds for one that only reads.
@Suite("A PostgreSQL store as a data source", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresContractTests {
  private func store() async throws -> (PostgresStore, TestPostgres) {
    let database = try PostgresServer.running().database(
      "CREATE TABLE tasks (id int PRIMARY KEY, title text); INSERT INTO tasks VALUES (1, 'write');")
    return (try await PostgresStore.open(PostgresParameters(database.address())), database)
  }

  private let plan = QueryPlan("tasks")

  private func count(_ snapshot: StoreSnapshot) -> Int? {
    snapshot.served?.found[plan.text]?.rows.count
  }

  @Test("queries return the data, and nothing is written")
  func reading() async throws {
    let (store, _) = try await store()
    let first = try await store.get(QueryDocument(plan))
    let second = try await store.getAll(QueryDocument(plan))
    #expect(count(first) == 1)
    #expect(second.map(count) == [1])
    #expect(first.store.checkInvariants() == [])
    // Statistics may come late, of what was written before the store was opened.
    #expect(first.transactionID <= second.first?.transactionID ?? 0)
    let error = await #expect(throws: DataSourceError.self) {
      try await store.put(nil, in: TransactionQuery(Transaction([])))
    }
    #expect(error?.code == .refused(type: "read-only"))
    await #expect(throws: DataSourceError.self) { try await store.putAll([], in: VoidQuery()) }
  }

  @Test("a subscriber sees each change with a later transaction, even after others leave")
  func watching() async throws {
    let (store, database) = try await store()
    var staying = store.watch(QueryDocument(plan)).awaited("two tasks").makeAsyncIterator()
    let first = try #require(try await staying.next(isolation: nil))
    do {
      var leaving = store.watch(QueryDocument(plan)).awaited("a task").makeAsyncIterator()
      _ = try await leaving.next(isolation: nil)
    }
    try database.run("INSERT INTO tasks VALUES (2, 'read')")
    while let snapshot = try await staying.next(isolation: nil) {
      guard count(snapshot) == 2 else { continue }
      #expect(snapshot.transactionID > first.transactionID)
      break
    }
  }

  @Test("concurrent readers each get their answer")
  func readingAtOnce() async throws {
    let (store, _) = try await store()
    let plan = plan
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 1...20 {
        group.addTask {
          try await store.get(QueryDocument(plan)).served?.found[plan.text]?.rows.count
        }
      }
      for try await count in group { #expect(count == 1) }
    }
  }

  @Test("an invalid query is left to the engine, and an unknown value has no matches")
  func refusing() async throws {
    let (store, _) = try await store()
    let document = QueryDocument(QueryPlan("tasks", page: Page(limit: -1)))
    let snapshot = try await store.get(document)
    #expect(throws: QueryError.self) {
      var output = JSONOutput(capacity: 64)
      try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
    }
    let other = try await store.get(QueryDocument(QueryPlan("nothing")))
    #expect(other.store.count(of: "tasks") == 0)
  }
}
