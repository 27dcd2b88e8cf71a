import DataSources
import DataSourcesTesting
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples

@Suite("Undo of changes that were not sent to a server", .timeLimit(.minutes(10)))
struct RemoteDroppingTests {
  private let tasks = QueryDocument(QueryPlan("tasks"))

  /// A server with a task in a project, and what follows the tasks there.
  private func live(
    archive: RemoteArchive? = nil
  ) async throws -> (LoopbackServer, RemoteStore, Snapshots) {
    let server = LoopbackServer()
    try await server.store.transact(Sample.schema)
    try await server.store.transact(Sample.task(1, title: "one"))
    try await server.store.transact(Sample.link(1, to: 8))
    let remote = RemoteStore(server, archive: archive)
    var snapshots = Snapshots(remote.watch(tasks))
    _ = try await snapshots.next { $0.freshness == .live }
    return (server, remote, snapshots)
  }

  /// The same when the server has gone away.
  private func away(
    archive: RemoteArchive? = nil
  ) async throws -> (LoopbackServer, RemoteStore, Snapshots) {
    let (server, remote, watched) = try await live(archive: archive)
    var snapshots = watched
    await server.stop()
    _ = try await snapshots.next { $0.freshness.isOffline }
    return (server, remote, snapshots)
  }

  private func undo(
    _ transaction: Transaction, in remote: RemoteStore
  ) async throws -> Transaction {
    let id = MutationID()
    let made = try await remote.put(nil, in: TransactionQuery(transaction, id: id))
    #expect(made.freshness == .optimistic)
    return try #require(Transaction(undoing: id, madeIn: made))
  }

  @Test("dropping a deletion also drops its cascades")
  func deletion() async throws {
    let (server, remote, watched) = try await away()
    var snapshots = watched
    let before = try await server.store.get(AllObjectsQuery())
    let undo = try await undo(
      Transaction([.deleteEntity(.id(Sample.id(1)), namespace: "tasks")]), in: remote)
    #expect(try await snapshots.next { $0.pending.count == 1 }.titles == [])
    let dropped = try await remote.transact(undo)
    #expect(dropped.isOfNothingSent && dropped.changes?.changes.isEmpty == true)
    #expect(try await snapshots.next { $0.pending.count == 0 }.titles == ["one"])
    server.start()
    await remote.retry()
    _ = try await snapshots.next { $0.freshness == .live }
    let after = try await server.store.get(AllObjectsQuery())
    #expect(after.transactionID == before.transactionID)
    let task = try #require(after.store.handle(of: Sample.id(1)))
    #expect(after.store.values(task, Sample.projectID).map(\.textValue) == [Sample.id(8).text])
  }

  @Test("a change can be dropped without knowing the previous value")
  func unknown() async throws {
    let (server, remote, watched) = try await away()
    var snapshots = watched
    let change = Transaction([
      .addTriple(.id(Sample.id(7)), Sample.titleID, "seven", .update)
    ])
    let undo = try await undo(change, in: remote)
    #expect(undo.steps.isEmpty)
    try await remote.transact(undo)
    #expect(try await snapshots.next { $0.pending.count == 0 }.titles == ["one"])
    // Once it is sent, it is not.
    try await server.store.transact(Sample.task(7, title: "seven of old"))
    let late = try await self.undo(change, in: remote)
    server.start()
    await remote.retry()
    _ = try await snapshots.next { $0.freshness == .live && $0.pending.count == 0 }
    let error = await #expect(throws: DataSourceError.self) { try await remote.transact(late) }
    #expect(error?.code == .refused(type: "sent"))
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["one", "seven"])
  }

  @Test("later changes of another client are not overwritten")
  func changedSince() async throws {
    let (server, remote, watched) = try await live()
    var snapshots = watched
    let id = MutationID()
    let made = try await remote.put(
      nil, in: TransactionQuery(Sample.title(1, "mine"), id: id))
    try await server.store.transact(Sample.title(1, "others"))
    _ = try await snapshots.next { $0.titles == ["others"] }
    let undo = try #require(Transaction(undoing: id, madeIn: made))
    let error = await #expect(throws: DataSourceError.self) { try await remote.transact(undo) }
    #expect(error?.message.contains("has been changed to \"others\". Nothing was written.") == true)
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["others"])
    // What was seen is there again.
    try await server.store.transact(Sample.title(1, "mine"))
    _ = try await snapshots.next { $0.titles == ["mine"] }
    try await remote.transact(undo)
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["one"])
  }

  @Test("a creation that others link to now is not dropped")
  func stillReferenced() async throws {
    let server = LoopbackServer()
    try await server.store.transact(Sample.schema)
    try await server.store.transact(Sample.task(1, title: "one"))
    let remote = RemoteStore(server)
    var snapshots = Snapshots(remote.watch(Sample.everything))
    _ = try await snapshots.next { $0.freshness == .live }
    let id = MutationID()
    let project = Transaction([
      .addTriple(.id(Sample.id(9)), Sample.projectIDID, .text(Sample.id(9).text))
    ])
    let made = try await remote.put(nil, in: TransactionQuery(project, id: id))
    let undo = try #require(Transaction(undoing: id, madeIn: made))
    try await server.store.transact(Sample.link(1, to: 9))
    _ = try await snapshots.next { snapshot in
      snapshot.store.handle(of: Sample.id(1)).map {
        !snapshot.store.values($0, Sample.projectID).isEmpty
      } == true
    }
    let error = await #expect(throws: DataSourceError.self) { try await remote.transact(undo) }
    #expect(
      error?.message
        == "Conflict: another entity now links to this entity by tasks.project. Nothing was written."
    )
    #expect(try await server.store.get(AllObjectsQuery()).store.count(of: "projects") == 1)
  }

  @Test("a change that a server rejects later is reported with the pending ones")
  func refusedLater() async throws {
    let (server, remote, watched) = try await away()
    var snapshots = watched
    let again = Transaction([
      .addTriple(.id(Sample.id(1)), Sample.titleID, "again", .create)
    ])
    let id = MutationID()
    try await remote.put(nil, in: TransactionQuery(again, id: id))
    server.start()
    await remote.retry()
    let told = try await snapshots.next { !$0.pending.refused.isEmpty }
    #expect(told.pending.refused.map(\.id) == [id])
    #expect(told.pending.refused.first?.reason.contains("exist") == true)
    #expect(told.titles == ["one"])
  }

  @Test("a change that later ones need is not dropped, but all can be dropped newest first")
  func order() async throws {
    let (server, remote, watched) = try await away()
    var snapshots = watched
    let first = try await undo(Sample.task(2, title: "two"), in: remote)
    let second = try await undo(Sample.title(2, "zwei"), in: remote)
    let error = await #expect(throws: DataSourceError.self) { try await remote.transact(first) }
    #expect(error?.message.contains("zwei") == true)
    try await remote.transact(second)
    #expect(try await snapshots.next { $0.titles == ["one", "two"] }.pending.count == 1)
    #expect(try await remote.transact(first).isOfNothingSent)
    server.start()
    await remote.retry()
    _ = try await snapshots.next { $0.freshness == .live && $0.pending.count == 0 }
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["one"])
  }

  @Test("a change of an earlier process can be dropped and is not sent later")
  func leftovers() async throws {
    try await withTemporaryFolder { folder in
      let server: LoopbackServer
      do {
        let remote: RemoteStore
        (server, remote, _) = try await away(archive: RemoteArchive(folder: folder))
        try await remote.transact(Sample.task(2, title: "two"))
        await remote.close()
      }
      do {
        let remote = RemoteStore(server, archive: RemoteArchive(folder: folder))
        var snapshots = Snapshots(remote.watch(tasks))
        let left = try await snapshots.next { $0.freshness.isOffline && $0.pending.count == 1 }
        var dropping = Transaction()
        dropping.undoing = left.pending.left
        #expect(try await remote.transact(dropping).isOfNothingSent)
        #expect(try await snapshots.next { $0.pending.count == 0 }.titles == ["one"])
        await remote.close()
      }
      let remote = RemoteStore(server, archive: RemoteArchive(folder: folder))
      var snapshots = Snapshots(remote.watch(tasks))
      #expect(try await snapshots.next { $0.freshness.isOffline }.titles == ["one"])
      server.start()
      await remote.retry()
      _ = try await snapshots.next { $0.freshness == .live }
      #expect(try await server.store.get(AllObjectsQuery()).titles == ["one"])
    }
  }
}
