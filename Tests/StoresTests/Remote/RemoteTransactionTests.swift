import DataSources
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples

@Suite("Transactions of a server", .timeLimit(.minutes(10)))
struct RemoteTransactionTests {
  private let tasks = QueryDocument(QueryPlan("tasks"))

  @Test("an answer has the server's transaction, also with pending changes")
  func answers() async throws {
    let (remote, client, watched) = try await ScriptedServer.meeting(tasks)
    var snapshots = watched
    let question = try await client.hear("add-query")
    try await client.answer(question, [1: "one"], processed: 7)
    #expect(try await snapshots.next { $0.freshness == .live }.knownTransaction == 7)
    async let written = remote.transact(Sample.title(1, "uno"))
    let message = try await client.hear("transact")
    #expect(try await snapshots.next { $0.freshness == .optimistic }.knownTransaction == 7)
    try await client.say([
      "op": "transact-ok", "tx-id": 8, "client-event-id": message["client-event-id"] ?? .null,
    ])
    #expect(try await written.knownTransaction == 8)
    try await client.answer(question, [1: "uno"], processed: 8)
    #expect(try await snapshots.next { $0.knownTransaction != 7 }.knownTransaction == 8)
  }

  @Test("a schema snapshot has the newest known transaction")
  func attributes() async throws {
    let server = LoopbackServer()
    try await server.store.transact(Sample.schema)
    try await server.store.transact(Sample.task(1, title: "one"))
    let remote = RemoteStore(server)
    var attributes = Snapshots(remote.watch(AllObjectsQuery()))
    var snapshots = Snapshots(remote.watch(tasks))
    _ = try await snapshots.next { $0.freshness == .live }
    #expect(try await attributes.next { $0.knownTransaction == 2 }.freshness == .live)
    // A change without an effect on answers is confirmed to its writer only.
    try await remote.transact(Sample.title(2, "nobody asks"))
    #expect(try await attributes.next { $0.knownTransaction != 2 }.knownTransaction == 3)
    await server.stop()
    #expect(try await attributes.next { $0.freshness.isOffline }.knownTransaction == nil)
    server.start()
    await remote.retry()
    #expect(
      try await attributes.next { $0.freshness == .live && $0.knownTransaction != nil }
        .knownTransaction == 3)
  }

  @Test("a server without transactions has no number")
  func none() async throws {
    let (remote, client, watched) = try await ScriptedServer.meeting(tasks)
    defer { withExtendedLifetime(remote) {} }
    var snapshots = watched
    try await client.answer(try await client.hear("add-query"), [1: "one"], processed: 0)
    #expect(try await snapshots.next { $0.freshness == .live }.knownTransaction == nil)
  }
}
