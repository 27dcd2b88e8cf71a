import DataSources
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples

@Suite("Read-only server", .timeLimit(.minutes(10)))
struct RemoteReadOnlyTests {
  @Test("is reported before any change, and when it becomes writable")
  func told() async throws {
    let server = ScriptedServer()
    let remote = RemoteStore(Opening(appID: "a"), timeouts: .forTests) { server.connect() }
    var snapshots = Snapshots(remote.watch(AllObjectsQuery()))
    let client = try await server.client()
    try await client.open()
    #expect(try await snapshots.next { $0.freshness == .live }.readOnlyReason == nil)
    try await client.say(["op": "app-status-changed", "status": "read-only"])
    let reason = try #require(try await snapshots.next { $0.readOnlyReason != nil }.readOnlyReason)
    let error = await #expect(throws: DataSourceError.self) {
      try await remote.transact(Sample.task(2, title: "two"))
    }
    #expect(error?.message == reason)
    try await client.say(["op": "app-status-changed", "status": "active"])
    _ = try await snapshots.next { $0.readOnlyReason == nil }
  }
}
