import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples
import WebSockets

@Suite("A large answer over a slow line", .timeLimit(.minutes(10)))
struct SlowNetworkTests {
  /// The size in bytes, which takes the network six seconds.
  private static let length = 8 << 20
  /// The timeout in seconds: shorter than that, but long enough for a busy machine.
  private static let silenceTimeout: Int64 = 5
  private static let note = Attribute(
    id: PlantData.attribute(9), namespace: "plants", label: "note")
  private static let query: Value = ["plants": ["$": ["fields": ["note"], "limit": 1]]]

  /// Serves a plant with a long note, which takes longer to transfer than the silence timeout.
  private func serve(
    openingTime: Int64? = nil, _ body: (SlowNetwork) async throws -> Void
  ) async throws {
    let store = MemoryStore(try PlantData.store())
    let text = String(repeating: "a", count: Self.length)
    let change = Transaction([
      .addAttribute(Self.note), .addTriple(.id(PlantData.id(1)), Self.note.id, .text(text)),
    ])
    try await store.put(nil, in: TransactionQuery(change))
    var limits = ServerLimits.forTests
    limits.openingTime = openingTime ?? limits.openingTime
    var configuration = WebSocketListener.Configuration.forTests
    configuration.silenceTimeout = Self.silenceTimeout
    configuration.maxWaitingBytes = 64 << 20
    let server = SyncServer(store: store, limits: limits)
    let listener = try await WebSocketListener.open(
      server, access: AccessRule(), limits: limits, configuration)
    let network = try await SlowNetwork.open(to: listener.port)
    try await body(network)
    await network.close()
    await listener.close()
  }

  @Test("arrives in a session without other data meanwhile")
  func session() async throws {
    try await serve { network in
      let client = WebSocketClient(
        ServerAddress(host: "127.0.0.1", port: network.port, appID: "garden"),
        silenceTimeout: .seconds(Self.silenceTimeout))
      let peer = Peer(try await client.connect())
      try await peer.open()
      let told = try await peer.ask(Self.query)
      #expect(told.values("plants", "note").first?.utf8.count == Self.length + 2)
      await peer.channel.close()
    }
  }

  @Test("arrives over HTTP, and the idle connection is closed afterwards")
  func request() async throws {
    try await serve(openingTime: Self.silenceTimeout * 1_000) { network in
      let connection = try await RawConnection.open(port: network.port)
      let body = JSONWriter.text(["query": Self.query])
      connection.say(RawConnection.request("POST", "/admin/query", body: body))
      #expect(await connection.hearBytes().count > Self.length)
    }
  }
}
