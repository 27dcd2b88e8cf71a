import DataSources
import LiveQueries
import PatientServers
import Stores
import Sync
import Testing
import Triples

@Suite("A server that takes no changes", .timeLimit(.minutes(10)))
struct RemoteReadOnlyTests {
  @Test("says so before anything is tried, and when it takes them again")
  func told() async throws {
    let server = ScriptedServer()
    let remote = RemoteStore(Opening(appID: "a"), patience: .endless) { server.connect() }
    var snapshots = Snapshots(remote.watch(AllObjectsQuery()))
    let client = await server.client()
    try await client.open()
    #expect(try await snapshots.next { $0.freshness == .live }.whyReadOnly == nil)
    try await client.say(["op": "app-status-changed", "status": "read-only"])
    let reason = try #require(try await snapshots.next { $0.whyReadOnly != nil }.whyReadOnly)
    let error = await #expect(throws: DataSourceError.self) {
      try await remote.transact(Sample.task(2, title: "two"))
    }
    #expect(error?.message == reason)
    try await client.say(["op": "app-status-changed", "status": "active"])
    _ = try await snapshots.next { $0.whyReadOnly == nil }
  }
}
