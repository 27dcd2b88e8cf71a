import DataSources
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import TestSupport
import Testing
import Triples

/// A source in memory whose readers and writers can be made to wait, and whose writers to fail.
private actor HeldSource: KeyValueDataSource {
  typealias Object = [UInt8]

  private let base = InMemoryDataSource<[UInt8]>()
  private var isHeld = false
  private var refuses = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  nonisolated let changes = ChangeSignal()

  var waitingCount: Int { waiting.count }

  func hold(refusing: Bool = false) { (isHeld, refuses) = (true, refusing) }

  func release() {
    isHeld = false
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  func entries(at keys: [String]) async throws(DataSourceError) -> [DataEntry<[UInt8]>?] {
    await base.entries(at: keys)
  }

  /// What was there when it was asked, however long it takes.
  func entries() async throws(DataSourceError) -> [DataEntry<[UInt8]>] {
    let found = await base.entries()
    if !refuses { await pass() }
    return found
  }

  func apply(_ changes: [DataChange<[UInt8]>]) async throws(DataSourceError) {
    guard refuses else { return try await base.apply(changes) }
    await pass()
    throw .failed("The disk is full.")
  }

  private func pass() async {
    guard isHeld else { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}

@Suite("Archive of a remote store", .timeLimit(.minutes(10)))
struct RemoteArchiveTests {
  private let tasks = QueryDocument(QueryPlan("tasks"))

  private func server() async throws -> LoopbackServer {
    let server = LoopbackServer()
    try await server.store.transact(Sample.schema)
    try await server.store.transact(Sample.task(1, title: "one"))
    return server
  }

  /// A store whose server the test speaks for, and its first client.
  private func connected(_ folder: String) async throws -> (
    RemoteStore, ScriptedServer, ScriptedClient, Snapshots
  ) {
    let server = ScriptedServer()
    let store = RemoteStore(
      Opening(appID: "a"), archive: RemoteArchive(folder: folder), timeouts: .forTests,
      random: { 0 }
    ) { server.connect() }
    var snapshots = Snapshots(store.watch(tasks))
    let client = try await server.client()
    try await client.open()
    try await client.answer(try await client.hear("add-query"), [:], processed: 7)
    _ = try await snapshots.next { $0.freshness == .live }
    return (store, server, client, snapshots)
  }

  private func confirm(_ message: JSONObject, of client: ScriptedClient) async throws {
    try await client.say([
      "op": "transact-ok", "client-event-id": message["client-event-id"] ?? .null, "tx-id": 8,
    ])
  }

  @Test("a process does not send the queue of another running one")
  func othersPending() async throws {
    try await withTemporaryFolder { folder in
      let (first, firstServer, firstClient, _) = try await connected(folder)
      let (second, _, secondClient, _) = try await connected(folder)
      let writing = Task { try await second.transact(Sample.task(2, title: "two")) }
      let sent = try await secondClient.hear("transact")

      await firstClient.channel.close()
      let again = try await firstServer.client()
      try await again.open()
      let own = Task { try await first.transact(Sample.task(3, title: "three")) }
      let heard = try await again.hear("transact")

      #expect(heard["client-event-id"] != sent["client-event-id"])
      try await confirm(heard, of: again)
      try await confirm(sent, of: secondClient)
      _ = try await (
        writing.awaited("the first change"), own.awaited("the change of the second store")
      )
    }
  }

  @Test("a closed store leaves its queue to the next one, even while it still exists")
  func closed() async throws {
    let server = try await server()
    await server.stop()
    try await withTemporaryFolder { folder in
      let first = RemoteStore(server, archive: RemoteArchive(folder: folder))
      try await first.transact(Sample.task(2, title: "two"))
      await first.close()
      let second = RemoteStore(server, archive: RemoteArchive(folder: folder))
      var snapshots = Snapshots(second.watch(AllObjectsQuery()))
      #expect(try await snapshots.next { $0.freshness.isOffline }.pending.count == 1)
      withExtendedLifetime(first) {}
      await second.close()
    }
  }

  @Test("a reconnected process sends the queue of a terminated one")
  func othersLeft() async throws {
    let server = try await server()
    try await withTemporaryFolder { folder in
      let first = RemoteStore(server, archive: RemoteArchive(folder: folder))
      var firsts = Snapshots(first.watch(tasks))
      _ = try await firsts.next { $0.freshness == .live }
      do {
        let away = LoopbackServer()
        await away.stop()
        let second = RemoteStore(away, archive: RemoteArchive(folder: folder))
        try await second.transact(Sample.task(2, title: "two"))
        await second.close()
      }
      try await waitUntil("the first store has sent the queue") {
        await server.stop()
        _ = try await firsts.next { $0.freshness.isOffline }
        server.start()
        await first.retry()
        _ = try await firsts.next { $0.freshness == .live }
        return try await server.store.get(AllObjectsQuery()).titles == ["one", "two"]
      }
      await first.close()
    }
  }

  @Test("a change rejected while the archive is read is not sent again")
  func refusedMeanwhile() async throws {
    let server = try await server()
    let source = HeldSource()
    let (lines, log) = AsyncStream.makeStream(of: String.self)
    let remote = RemoteStore(
      Opening(appID: "5a000000-0000-4000-8000-00000000a001"),
      archive: RemoteArchive(
        PendingArchive(source), AnswerArchive(InMemoryDataSource<[UInt8]>())),
      timeouts: .forTests, random: { 0 }, log: { log.yield($0) }
    ) { try server.connect() }
    var snapshots = Snapshots(remote.watch(tasks))
    _ = try await snapshots.next { $0.freshness == .live }
    await server.stop()
    _ = try await snapshots.next { $0.freshness.isOffline }
    let again = Transaction(
      Sample.task(1, title: "again").steps.map { step in
        guard case .addTriple(let entity, let attribute, let value, _) = step else { return step }
        return .addTriple(entity, attribute, value, .create)
      })
    #expect(try await remote.transact(again).freshness == .optimistic)
    await source.hold()
    server.start()
    await remote.retry()
    var told = lines.awaited("a line of the log").makeAsyncIterator()
    #expect(try await told.next()?.hasPrefix("The server rejected a change: ") == true)
    await source.release()
    try await remote.transact(Sample.task(5, title: "five"))
    _ = try await snapshots.next { $0.freshness == .live && $0.pending.count == 0 }
    log.finish()
    #expect(try await told.next() == nil)
  }

  @Test("a repeated change that cannot be archived fails for both callers")
  func neitherKept() async throws {
    let server = try await server()
    let source = HeldSource()
    let remote = RemoteStore(
      server,
      archive: RemoteArchive(
        PendingArchive(source), AnswerArchive(InMemoryDataSource<[UInt8]>())))
    _ = try await remote.get(tasks)
    await source.hold(refusing: true)
    let change = TransactionQuery(Sample.task(2, title: "two"))
    let first = Task { try await remote.put(nil, in: change) }
    try await waitUntil("the first change is being archived") { await source.waitingCount >= 1 }
    let second = Task { try await remote.put(nil, in: change) }
    for _ in 0..<1_000 { await Task.yield() }
    await source.release()
    for outcome in [await first.result, await second.result] {
      #expect(throws: DataSourceError.self) { try outcome.get() }
    }
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["one"])
  }

  @Test("a queued change adopts an attribute that the server created meanwhile")
  func olderSchema() async throws {
    let server = try await server()
    let remote = RemoteStore(server)
    var snapshots = Snapshots(remote.watch(tasks))
    _ = try await snapshots.next { $0.freshness == .live }
    let made = Attribute(
      id: AttributeID("aa000000-0000-4000-8000-0000000000b1"), namespace: "tasks", label: "color")
    try await server.store.transact(Transaction([.addAttribute(made)]))
    _ = try await snapshots.next { $0.store.schema.attribute("tasks", "color") != nil }
    // This change was made with the earlier attributes.
    let own = Attribute(
      id: AttributeID("aa000000-0000-4000-8000-0000000000b2"), namespace: "tasks", label: "color")
    try await remote.transact(
      Transaction([
        .addAttribute(own), .addTriple(.id(Sample.id(1)), own.id, "blue", .update),
      ]))
    let there = try await server.store.get(AllObjectsQuery()).store
    let task = try #require(there.handle(of: Sample.id(1)))
    #expect(there.value(task, made.id) == "blue")
  }
}
