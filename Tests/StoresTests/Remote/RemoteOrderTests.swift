import DataSources
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import TestSupport
import Testing
import Triples

@Suite("Unconfirmed changes", .timeLimit(.minutes(10)))
struct RemoteOrderTests {
  private let tasks = QueryDocument(QueryPlan("tasks"))

  /// A store whose server answered with one task, and waits for changes.
  private func opened(
    _ archive: RemoteArchive? = nil
  ) async throws -> (RemoteStore, ScriptedClient, Snapshots) {
    let (remote, client, watched) = try await ScriptedServer.meeting(tasks, archive: archive)
    var snapshots = watched
    try await client.answer(try await client.hear("add-query"), [1: "one"], processed: 7)
    _ = try await snapshots.next { $0.freshness == .live }
    return (remote, client, snapshots)
  }

  @Test("are archived, shown and sent in order without waiting for each other")
  func order() async throws {
    let kept = InMemoryDataSource<[UInt8]>()
    let archive = RemoteArchive(
      PendingArchive(kept), AnswerArchive(InMemoryDataSource<[UInt8]>()))
    let (remote, client, watched) = try await opened(archive)
    var snapshots = watched
    let first = try await remote.taken(Sample.title(1, "uno"))
    let second = try await remote.taken(Sample.task(2, title: "dos"))
    let shown = try await snapshots.next { $0.pending.count == 2 }
    #expect(shown.titles == ["dos", "uno"])
    let waiting = try await PendingArchive(kept).restore().0.waiting
    #expect(waiting.map(\.transaction) == [Sample.title(1, "uno"), Sample.task(2, title: "dos")])
    for (number, steps) in [(8, 1), (9, 2)] {
      let message = try await client.hear("transact")
      guard case .array(let sent)? = message["tx-steps"] else { throw Missing() }
      #expect(sent.count == steps)
      try await client.confirm(message, as: Int64(number))
    }
    #expect(try await first.awaited("the first change").transactionID == 8)
    #expect(try await second.awaited("the second change").transactionID == 9)
  }

  @Test("stay if an earlier one is rejected, which undo does not restore")
  func refused() async throws {
    let (remote, client, watched) = try await opened()
    var snapshots = watched
    let first = try await remote.taken(Sample.title(1, "uno"))
    let second = try await remote.taken(Sample.title(1, "eins"))
    let message = try await client.hear("transact")
    try await client.say([
      "op": "error", "status": 400, "type": "permission-denied",
      "client-event-id": message["client-event-id"] ?? .null, "message": "Not yours to change.",
    ])
    await #expect(throws: DataSourceError.self) { try await first.awaited("the first change") }
    try await client.confirm(try await client.hear("transact"), as: 8)
    let made = try await second.awaited("the second change")
    let change = try #require(made.changes?.changes.first)
    #expect((change.old, change.new) == ("one", "eins"))
    #expect(try await snapshots.next { $0.pending.count == 0 }.titles == ["eins"])
  }

  @Test("are rejected locally if no message can contain them")
  func tooDeep() async throws {
    let kept = InMemoryDataSource<[UInt8]>()
    let (remote, _, _) = try await opened(
      RemoteArchive(PendingArchive(kept), AnswerArchive(InMemoryDataSource<[UInt8]>())))
    let deep = (0..<126).reduce(Value.integer(1)) { inner, _ in .array([inner]) }
    let error = await #expect(throws: DataSourceError.self) {
      try await remote.transact(
        Transaction([.addTriple(.id(Sample.id(1)), Sample.titleID, deep)]))
    }
    #expect(error?.message.contains("tasks.title is nested too deeply") == true)
    #expect(try await PendingArchive(kept).restore().0.isEmpty)
  }
}

/// A message or result is not the expected one.
struct Missing: Error {}

extension RemoteStore {
  /// Puts a transaction and returns when it is accepted.
  fileprivate func taken(
    _ transaction: Transaction
  ) async throws -> Task<StoreSnapshot, any Error> {
    let (taken, taking) = AsyncStream.makeStream(of: Never.self)
    let putting = Task {
      defer { taking.finish() }
      return try await put(TransactionQuery(transaction)) { taking.finish() }
    }
    for try await _ in taken.awaited("the change to be accepted") {}
    return putting
  }
}

extension ScriptedClient {
  fileprivate func confirm(_ message: JSONObject, as transactionID: Int64) async throws {
    try await say([
      "op": "transact-ok", "tx-id": .integer(transactionID),
      "client-event-id": message["client-event-id"] ?? .null,
    ])
  }
}
