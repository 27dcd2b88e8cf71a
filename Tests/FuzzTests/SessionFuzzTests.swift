import DataSources
import InstaQL
import LiveQueries
import NIOCore
import NIOPosix
import Stores
import Sync
import Testing
import Triples
import WebSockets

/// Both ends of a session, and the network before them, hear damaged messages.
@Suite("A session survives damaged messages", .serialized, .timeLimit(.minutes(60)))
struct SessionFuzzTests {
  private static let words = [
    "{", "[", "\"op\":", "null", "\"q\":", "[[", "-1", "1e999", "\"init\"", "\\ud800", "\n",
  ]

  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func store() throws -> TripleStore {
    var store = TripleStore()
    try store.transact(
      Transaction([
        .addAttribute(
          Attribute(id: AttributeID("a1"), namespace: "people", label: "id", constraints: .unique)),
        .addAttribute(
          Attribute(
            id: AttributeID("a2"), namespace: "people", label: "name", constraints: .indexed)),
      ]), at: 1)
    return store
  }

  /// Says lines to a server; the channel ends with the session.
  private static func say(_ lines: [String], to server: SyncServer) async {
    let (near, far) = LoopbackChannel.pair()
    let serving = Task { await server.serve(far) }
    for line in lines { _ = near.offer(line) }
    await near.close()
    await serving.value
  }

  @Test("at the server")
  func server() async throws {
    let server = SyncServer(store: MemoryStore(try Self.store()))
    try await Fuzzing.run("client", words: Self.words) { bytes in
      await Self.say(Self.lines(bytes), to: server)
    }
    // It still opens a session.
    let (near, far) = LoopbackChannel.pair()
    let serving = Task { await server.serve(far) }
    _ = near.offer(#"{"op":"init","client-event-id":"i","app-id":"garden"}"#)
    var texts = near.incoming.makeAsyncIterator()
    #expect(await texts.next()?.contains("init-ok") == true)
    await near.close()
    await serving.value
    await server.close()
  }

  @Test("at the client")
  func client() async throws {
    try await Fuzzing.run("server", words: Self.words) { bytes in
      var session = ClientSession(
        Opening(appID: "garden"), newID: { "q" }, random: { 0 })
      let id = ConnectionID(number: 1)
      _ = session.start(at: 0)
      _ = session.opened(id, at: 1)
      _ = session.subscribe(to: ["people": [:]], at: 2)
      _ = session.transact(
        MutationID("5a000000-0000-4000-8000-000000000011"), Transaction([]), at: 2)
      for (place, line) in Self.lines(bytes).enumerated() {
        let now = Int64(place) + 3
        do throws(MessageFault) {
          for envelope in try MessageCoding.serverMessages(in: line) {
            _ = session.received(envelope, from: id, at: now)
          }
        } catch { _ = session.faulted(id, error, at: now) }
        _ = session.wake(at: now)
      }
    }
  }

  @Test("at a store behind a server")
  func remoteStore() async throws {
    let people = try QueryDocument(json: #"{"people":{}}"#)
    try await Fuzzing.run("server", words: Self.words) { bytes in
      let lines = Self.lines(bytes)
      let store = RemoteStore(Opening(appID: "garden")) {
        let (near, far) = LoopbackChannel.pair()
        for line in lines { _ = far.offer(line) }
        await far.close()
        return near
      }
      // The connection ends after the last message, and the store reports it.
      var answers = store.watch(people).makeAsyncIterator()
      reading: while let snapshot = try? await answers.next(isolation: nil) {
        try snapshot.store.checkSoundness()
        switch snapshot.freshness {
        case .offline, .stale: break reading
        case .live, .loading, .archived, .optimistic, .connecting: continue
        }
      }
      await store.close()
    }
  }

  @Test("on the network")
  func network() async throws {
    let server = SyncServer(store: MemoryStore(try Self.store()))
    let listener = try await WebSocketListener.open(server, access: AccessRule())
    let words = ["\r\n", "\r\n\r\n", "Content-Length: ", "GET ", "POST ", "chunked", "\u{81}"]
    try await Fuzzing.run("network", words: words) { bytes in
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelOption(.autoRead, value: true)
        .connect(host: "127.0.0.1", port: listener.port).get()
      // The server may close before it has read everything.
      try? await channel.writeAndFlush(ByteBuffer(bytes: bytes))
      try? await channel.close()
    }
    let address = ServerAddress(host: "127.0.0.1", port: listener.port, appID: "garden")
    let channel = try await WebSocketClient(address).connect()
    try await channel.send(#"{"op":"init","client-event-id":"i","app-id":"garden"}"#)
    var texts = channel.incoming.makeAsyncIterator()
    #expect(await texts.next()?.contains("init-ok") == true)
    await channel.close()
    await listener.close()
  }
}
