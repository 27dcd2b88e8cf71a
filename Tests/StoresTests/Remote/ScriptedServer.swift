import InstaQL
import SyncTestSupport
import Stores
import Sync
import TestSupport
import Testing
import Triples

extension RemoteStore {
  init(
    _ server: LoopbackServer, archive: RemoteArchive? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(
      Opening(appID: "5a000000-0000-4000-8000-00000000a001"), archive: archive, timeouts: .forTests,
      clock: clock,
      random: { 0 }
    ) { try server.connect() }
  }
}

/// A server whose every word the test says.
final class ScriptedServer: Sendable {
  private let channels: AsyncStream<LoopbackChannel>
  private let arrivals: AsyncStream<LoopbackChannel>.Continuation

  init() { (channels, arrivals) = AsyncStream.makeStream(of: LoopbackChannel.self) }

  func connect() -> any MessageChannel {
    let (near, far) = LoopbackChannel.pair()
    arrivals.yield(far)
    return near
  }

  /// The next client that calls.
  func client() async throws -> ScriptedClient {
    var channels = channels.awaited("a client").makeAsyncIterator()
    let channel = try await channels.next()
    return ScriptedClient(channel: try #require(channel, "No more clients can connect"))
  }
}

extension ScriptedServer {
  /// A store that watches a query, the server's end of its connection, and its snapshots. The
  /// server has only opened the session.
  static func meeting(
    _ query: QueryDocument, archive: RemoteArchive? = nil
  ) async throws -> (RemoteStore, ScriptedClient, Snapshots) {
    let server = ScriptedServer()
    let remote = RemoteStore(
      Opening(appID: "a"), archive: archive, timeouts: .forTests
    ) { server.connect() }
    let snapshots = Snapshots(remote.watch(query))
    let client = try await server.client()
    try await client.open()
    return (remote, client, snapshots)
  }
}

/// One client of a scripted server, as the server sees it.
struct ScriptedClient {
  let channel: LoopbackChannel

  /// The next message with this operation; others are skipped.
  func hear(_ operation: String) async throws -> JSONObject {
    for try await text in channel.incoming.awaited(operation) {
      guard case .object(let message) = try JSONReader.value(of: text),
        message["op"] == .text(operation)
      else { continue }
      return message
    }
    throw ChannelClosed(reason: "the client hung up before it said \(operation)")
  }

  func say(_ message: JSONObject) async throws {
    try await channel.send(JSONWriter.text(.object(message)))
  }

  /// Lets the client in; the attributes are those of the sample.
  func open() async throws {
    let hello = try await hear("init")
    let attributes = Sample.schema.steps.compactMap { step -> Value? in
      if case .addAttribute(let attribute) = step { attribute.json } else { nil }
    }
    try await say([
      "op": "init-ok", "client-event-id": hello["client-event-id"] ?? .null, "session-id": "s",
      "auth": ["app": ["id": "a"]], "attrs": .array(attributes),
    ])
  }

  /// Answers a query with the rows of some tasks.
  func answer(
    _ question: JSONObject, _ tasks: [Int: String], processed: Int, more: JSONObject = JSONObject()
  ) async throws {
    var data: JSONObject = ["datalog-result": ["join-rows": [.array(rows(tasks))]]]
    for member in more.members { data[member.key] = member.value }
    try await say([
      "op": "add-query-ok", "client-event-id": question["client-event-id"] ?? .null,
      "q": question["q"] ?? .null, "processed-tx-id": .integer(Int64(processed)),
      "result": [["data": .object(data), "child-nodes": []]],
    ])
  }

  private func rows(_ tasks: [Int: String]) -> [Value] {
    tasks.sorted { $0.key < $1.key }.flatMap { number, title -> [Value] in
      let id = Value.text(Sample.id(number).text)
      return [
        [id, .text(Sample.idID.text), id, .integer(Int64(number))],
        [id, .text(Sample.titleID.text), .text(title), .integer(Int64(number))],
      ]
    }
  }
}
