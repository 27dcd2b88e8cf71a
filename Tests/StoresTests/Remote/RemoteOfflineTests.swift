import DataSources
import DataSourcesTesting
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Synchronization
import TestSupport
import Testing
import Triples

@Suite("Offline remote store", .timeLimit(.minutes(10)))
struct RemoteOfflineTests {
  private let tasks = QueryDocument(QueryPlan("tasks"))

  private func server() async throws -> LoopbackServer {
    let server = LoopbackServer()
    try await server.store.transact(Sample.schema)
    try await server.store.transact(Sample.task(1, title: "one"))
    return server
  }

  @Test("offline changes arrive exactly once")
  func writingOffline() async throws {
    let server = try await server()
    let clock = ManualClock()
    let remote = RemoteStore(server, clock: clock)
    var snapshots = Snapshots(remote.watch(tasks))
    _ = try await snapshots.next { $0.freshness == .live }
    await server.stop()
    let away = try await snapshots.next { $0.freshness.isOffline }
    #expect(away.titles == ["one"])
    let written = try await remote.transact(Sample.task(2, title: "two"))
    #expect(written.freshness == .optimistic)
    let shown = try await snapshots.next { $0.titles.count == 2 }
    #expect(shown.freshness.isOffline)
    #expect(shown.pending.count == 1)
    let before = try await server.store.get(AllObjectsQuery()).transactionID
    server.start()
    await remote.retry()
    _ = try await snapshots.next { $0.freshness == .live && $0.pending.count == 0 }
    let there = try await server.store.get(AllObjectsQuery())
    #expect(there.titles == ["one", "two"])
    #expect(there.transactionID == before + 1)
  }

  @Test("a creation whose confirmation was lost is applied once")
  func lostAnswer() async throws {
    let server = ScriptedServer()
    let remote = RemoteStore(Opening(appID: "a"), random: { 0 }) { server.connect() }
    var snapshots = Snapshots(remote.watch(tasks))
    let first = try await server.client()
    try await first.open()
    try await first.answer(try await first.hear("add-query"), [:], processed: 7)
    _ = try await snapshots.next { $0.freshness == .live }
    let creation = Transaction(
      Sample.task(1, title: "one").steps.map { step in
        guard case .addTriple(let entity, let attribute, let value, _) = step else { return step }
        return .addTriple(entity, attribute, value, .create)
      })
    let writing = Task { try await remote.transact(creation) }
    let sent = try await first.hear("transact")
    await first.channel.close()
    let second = try await server.client()
    try await second.open()
    try await second.answer(try await second.hear("add-query"), [1: "one"], processed: 8)
    let again = try await second.hear("transact")
    #expect(again["client-event-id"] == sent["client-event-id"])
    try await second.say([
      "op": "error", "status": 400, "type": "validation-failed",
      "client-event-id": again["client-event-id"] ?? .null,
      "message": "Validation failed for tx-step: Creating entities that exist: 1",
    ])
    _ = try await writing.awaited("the change")
    let after = try await snapshots.next { $0.freshness == .live && $0.pending.count == 0 }
    #expect(after.titles == ["one"])
  }

  @Test("changes confirmed earlier are in all answers of a new connection")
  func countingAnew() async throws {
    let server = ScriptedServer()
    let remote = RemoteStore(Opening(appID: "a"), timeouts: .forTests, random: { 0 }) {
      server.connect()
    }
    var snapshots = Snapshots(remote.watch(tasks))
    let first = try await server.client()
    try await first.open()
    try await first.answer(try await first.hear("add-query"), [1: "one"], processed: 7)
    _ = try await snapshots.next { $0.freshness == .live }
    let writing = Task { try await remote.transact(Sample.title(1, "uno")) }
    let sent = try await first.hear("transact")
    try await first.say([
      "op": "transact-ok", "client-event-id": sent["client-event-id"] ?? .null, "tx-id": 9,
    ])
    _ = try await writing.awaited("the change")
    await first.channel.close()
    // The server restarted with its initial data, since it keeps all data in memory.
    let second = try await server.client()
    try await second.open()
    try await second.answer(try await second.hear("add-query"), [1: "one"], processed: 3)
    let later = try await snapshots.next { $0.freshness == .live && $0.knownTransaction == 3 }
    #expect(later.titles == ["one"])
  }

  @Test("after an offline restart, the last answer and queued changes remain")
  func restart() async throws {
    let server = try await server()
    try await withTemporaryFolder { folder in
      do {
        let remote = RemoteStore(server, archive: RemoteArchive(folder: folder + "/state"))
        var snapshots = Snapshots(remote.watch(tasks))
        _ = try await snapshots.next { $0.freshness == .live }
        await server.stop()
        _ = try await snapshots.next { $0.freshness.isOffline }
        try await remote.transact(Sample.task(2, title: "two"))
        await remote.close()
      }
      let remote = RemoteStore(server, archive: RemoteArchive(folder: folder + "/state"))
      var snapshots = Snapshots(remote.watch(tasks))
      let restored = try await snapshots.next { $0.freshness.isOffline }
      #expect(restored.titles == ["one", "two"])
      #expect(restored.pending.count == 1 && restored.pending.entities == [Sample.id(2)])
      #expect(try await remote.get(tasks).titles == ["one", "two"])
      server.start()
      await remote.retry()
      _ = try await snapshots.next { $0.freshness == .live && $0.pending.count == 0 }
      #expect(try await server.store.get(AllObjectsQuery()).titles == ["one", "two"])
      await remote.close()
      let (kept, _) = try await PendingArchive(
        FileSystemStorageDataSource(folder: folder + "/state/pending")
      ).restore()
      #expect(kept.waiting.isEmpty)
    }
  }

  @Test("a late rejection is logged unless the caller receives it")
  func refusedLater() async throws {
    let server = try await server()
    let (lines, log) = AsyncStream.makeStream(of: String.self)
    let remote = RemoteStore(
      Opening(appID: "5a000000-0000-4000-8000-00000000a001"), random: { 0 },
      log: { log.yield($0) }
    ) { try server.connect() }
    var snapshots = Snapshots(remote.watch(tasks))
    _ = try await snapshots.next { $0.freshness == .live }
    let again = Transaction(
      Sample.task(1, title: "again").steps.map { step in
        guard case .addTriple(let entity, let attribute, let value, _) = step else { return step }
        return .addTriple(entity, attribute, value, .create)
      })
    await #expect(throws: DataSourceError.self) { try await remote.transact(again) }
    await server.stop()
    _ = try await snapshots.next { $0.freshness.isOffline }
    #expect(try await remote.transact(again).freshness == .optimistic)
    server.start()
    await remote.retry()
    _ = try await snapshots.next { $0.freshness == .live && $0.pending.count == 0 }
    log.finish()
    var told: [String] = []
    for await line in lines { told.append(line) }
    #expect(told.count == 1 && told.first?.hasPrefix("The server rejected a change: ") == true)
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["one"])
  }

  @Test("of two processes with one archive, the first sends the queue")
  func sharedArchive() async throws {
    let server = try await server()
    await server.stop()
    try await withTemporaryFolder { folder in
      do {
        let remote = RemoteStore(server, archive: RemoteArchive(folder: folder))
        try await remote.transact(Sample.task(2, title: "two"))
        await remote.close()
      }
      let first = RemoteStore(server, archive: RemoteArchive(folder: folder))
      var firsts = Snapshots(first.watch(AllObjectsQuery()))
      #expect(try await firsts.next { $0.freshness.isOffline }.pending.count == 1)
      let second = RemoteStore(server, archive: RemoteArchive(folder: folder))
      var seconds = Snapshots(second.watch(AllObjectsQuery()))
      #expect(try await seconds.next { $0.freshness.isOffline }.pending.count == 0)
      withExtendedLifetime(first) {}
    }
  }

  @Test("a read-only store rejects changes")
  func readOnly() async throws {
    let server = try await server()
    let remote = RemoteStore(Opening(appID: "a"), access: .readOnly) { try server.connect() }
    let error = await #expect(throws: DataSourceError.self) {
      try await remote.transact(Sample.task(2, title: "two"))
    }
    #expect(error?.code == .refused(type: "read-only"))
  }

  @Test("a damaged archive of answers is dropped, and pending changes remain")
  func damagedArchive() async throws {
    let server = try await server()
    await server.stop()
    let answers = InMemoryDataSource<[UInt8]>()
    let mutations = InMemoryDataSource<[UInt8]>()
    func archive() -> RemoteArchive {
      RemoteArchive(PendingArchive(mutations), AnswerArchive(answers))
    }
    do {
      let remote = RemoteStore(server, archive: archive())
      let written = try await remote.transact(
        Transaction(Sample.schema.steps + Sample.task(2, title: "two").steps))
      #expect(written.freshness == .optimistic)
      await remote.close()
    }
    try await answers.put(Array("no archive".utf8), id: "index")
    try await answers.put(Array("no archive".utf8), id: "schema")
    try await answers.put(Array("no archive".utf8), id: tasks.canonicalJSON)
    let remote = RemoteStore(server, archive: archive())
    var snapshots = Snapshots(remote.watch(tasks))
    let shown = try await snapshots.next { $0.freshness.isOffline }
    #expect(shown.titles == ["two"])
    #expect(shown.pending.count == 1)
  }

  @Test("a change that cannot be archived is neither shown nor sent")
  func fullDisk() async throws {
    let server = try await server()
    let remote = RemoteStore(
      server, archive: RemoteArchive(folder: "/dev/null/nowhere"))
    var snapshots = Snapshots(remote.watch(tasks))
    _ = try await snapshots.next { $0.freshness == .live }
    await #expect(throws: DataSourceError.self) {
      try await remote.transact(Sample.title(1, "uno"))
    }
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["one"])
    #expect(try await remote.get(tasks).titles == ["one"])
  }

  @Test("reports its status: connecting, live, offline with times")
  func standing() async throws {
    let server = try await server()
    await server.stop()
    let clock = ManualClock()
    let remote = RemoteStore(
      Opening(appID: "5a000000-0000-4000-8000-00000000a001"), clock: clock,
      now: { 1_000_000 + Int64(clock.now.offset / .milliseconds(1)) }, random: { 0 }
    ) { try server.connect() }
    var snapshots = Snapshots(remote.watch(tasks))
    let away = try await snapshots.next { $0.freshness.nextTry != nil }
    #expect(
      away.freshness
        == .offline(since: 1_000_000, nextTry: 1_001_000, reason: "connection refused"))
    let error = await #expect(throws: DataSourceError.self) { try await remote.get(tasks) }
    #expect(error?.code == .network(status: nil))
    try await clock.awaitSleepers(1)
    clock.advance(by: .seconds(1))
    let later = try await snapshots.next { $0.freshness.nextTry == 1_003_000 }
    #expect(
      later.freshness
        == .offline(since: 1_000_000, nextTry: 1_003_000, reason: "connection refused"))
    server.start()
    try await clock.awaitSleepers(1)
    clock.advance(by: .seconds(2))
    #expect(try await snapshots.next { $0.freshness == .live }.titles == ["one"])
  }

  @Test("reconnects in time, even if the clock is set back by a day")
  func clockSetBack() async throws {
    let server = try await server()
    await server.stop()
    let clock = ManualClock()
    let (today, yesterday): (Int64, Int64) = (8_640_000_000, 8_553_600_000)
    let time = Atomic<Int64>(today)
    let remote = RemoteStore(
      Opening(appID: "5a000000-0000-4000-8000-00000000a001"), timeouts: .forTests, clock: clock,
      now: { time.load(ordering: .relaxed) }, random: { 0 }
    ) { try server.connect() }
    var snapshots = Snapshots(remote.watch(tasks))
    let away = try await snapshots.next { $0.freshness.nextTry != nil }
    #expect(away.freshness.nextTry == today + 1_000)
    try await clock.awaitSleepers(1)
    time.store(yesterday, ordering: .relaxed)
    clock.advance(by: .seconds(1))
    let later = try await snapshots.next { $0.freshness.nextTry == yesterday + 2_000 }
    #expect(
      later.freshness
        == .offline(since: today, nextTry: yesterday + 2_000, reason: "connection refused"))
    server.start()
    try await clock.awaitSleepers(1)
    clock.advance(by: .seconds(2))
    #expect(try await snapshots.next { $0.freshness == .live }.titles == ["one"])
  }

  @Test("a rejected token is reported, and nothing waits")
  func wrongToken() async throws {
    let server = LoopbackServer(access: AccessRule(token: "right"))
    let remote = RemoteStore(
      Opening(appID: "5a000000-0000-4000-8000-00000000a001", adminToken: "wrong")
    ) { try server.connect() }
    let read = await #expect(throws: DataSourceError.self) { try await remote.get(tasks) }
    #expect(read?.code == .refused(type: "record-not-found"))
    let written = await #expect(throws: DataSourceError.self) {
      try await remote.transact(Sample.schema)
    }
    #expect(written?.code == .refused(type: "record-not-found"))
    let later = await #expect(throws: DataSourceError.self) { try await remote.get(tasks) }
    #expect(later?.code == .refused(type: "record-not-found"))
  }
}

extension StoreSnapshot.Freshness {
  var isOffline: Bool {
    if case .offline = self { return true }
    return false
  }

  var nextTry: Int64? {
    if case .offline(_, let nextTry, _) = self { return nextTry }
    return nil
  }
}
