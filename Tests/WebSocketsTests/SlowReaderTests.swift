import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Synchronization
import Testing
import Triples
import WebSockets

/// A channel that has room for answers only when the test allows it.
private final class NarrowChannel: MessageChannel {
  private struct State {
    var hasRoom = true
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let base: LoopbackChannel
  private let state = Mutex(State())

  init(_ base: LoopbackChannel) {
    self.base = base
  }

  var incoming: AsyncStream<String> { base.incoming }
  func send(_ text: String) async throws(ChannelClosed) { try await base.send(text) }
  func offer(_ text: String) -> Bool { base.offer(text) }
  func close() async {
    setRoom(true)
    await base.close()
  }

  func setRoom(_ hasRoom: Bool) {
    let waiting = state.withLock { state in
      state.hasRoom = hasRoom
      guard hasRoom else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func hasRoom(for bytes: Int) -> Bool { state.withLock(\.hasRoom) }

  func waitForRoom(for bytes: Int) async {
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        if !state.hasRoom { state.waiting.append(continuation) }
        return !state.hasRoom
      }
      if !mustWait { continuation.resume() }
    }
  }
}

@Suite("A client that reads slowly", .timeLimit(.minutes(10)))
struct SlowReaderTests {
  private static let query: Value = ["plants": ["$": ["where": ["name": "Aster"]]]]

  private func connect(_ server: SyncServer) -> (Peer, NarrowChannel) {
    let (near, far) = LoopbackChannel.pair()
    let channel = NarrowChannel(far)
    Task { await server.serve(channel) }
    return (Peer(near), channel)
  }

  @Test("gets the newest answer after reading, and none in between")
  func newest() async throws {
    let server = SyncServer(store: MemoryStore(try PlantData.store()), limits: .forTests)
    let (reader, channel) = connect(server)
    try await reader.open()
    #expect(try await reader.ask(Self.query).values("plants", "height") == ["30"])
    let (writer, _) = connect(server)
    try await writer.open()
    _ = try await writer.ask(Self.query)
    channel.setRoom(false)
    for height in 101...105 {
      try await writer.say(.transact(PlantData.grow(1, to: height)), as: "\(height)")
      // When the writer receives a change, it has been sent to all who can receive it.
      while try await writer.hearAnswer(skippingConfirmations: true) != "\(height)" {}
    }
    channel.setRoom(true)
    #expect(try await reader.hearAnswer().values("plants", "height") == ["105"])
    // Nothing else was sent before the answer to this.
    #expect(try await reader.ask(["beds": [:]]).values("beds", "name").count == 2)
    await server.close()
  }

  @Test("gets its first answer when there is room, without a timeout")
  func first() async throws {
    let server = SyncServer(store: MemoryStore(try PlantData.store()), limits: .forTests)
    let (reader, channel) = connect(server)
    try await reader.open()
    let batch = [Self.query, ["beds": [:]]].enumerated().map { number, query in
      #"{"op":"add-query","client-event-id":"\#(number)","q":\#(JSONWriter.text(query))}"#
    }
    try await reader.channel.send("[" + batch.joined(separator: ",") + "]")
    channel.setRoom(false)
    channel.setRoom(true)
    var answered: Set<String> = []
    while answered.count < 2 {
      let envelope = try await reader.hear()
      guard case .queryAdded = envelope.message, let id = envelope.eventID else { continue }
      answered.insert(id)
    }
    await server.close()
  }

  @Test("takes little more memory than one answer, however often it changes")
  func memory() async throws {
    let server = SyncServer(store: MemoryStore(try PlantData.store()), limits: .forTests)
    let listener = try await WebSocketListener.open(
      server, access: AccessRule(), limits: .forTests, .forTests)
    let served = Served(server: server, listener: listener)
    let reader = try await RawConnection.open(port: listener.port, reads: false)
    reader.say(RawConnection.upgrade)
    reader.say(RawConnection.frame(#"{"op":"init","app-id":"g"}"#))
    reader.say(RawConnection.frame(#"{"op":"add-query","q":{"plants":{}}}"#))
    let writer = try await served.open()
    let note = Attribute(id: PlantData.attribute(9), namespace: "plants", label: "note")
    try await writer.change(Transaction([.addAttribute(note)]))
    let length = 1_000_000
    let long = String(repeating: "a", count: length)
    // The network itself buffers a few megabytes.
    for round in 0..<40 {
      try await writer.change(
        Transaction([.addTriple(.id(PlantData.id(1)), note.id, .text("\(round)" + long))]))
    }
    #expect(await server.connectionCount == 2)
    #expect(listener.heldBytes < 2 * length + 200_000)
    reader.close()
    await listener.close()
  }
}

extension Peer {
  /// The height in the next refresh; nil for a confirmation.
  fileprivate func hearAnswer(skippingConfirmations: Bool) async throws -> String? {
    let envelope = try await hear()
    guard case .refreshed(let refresh) = envelope.message,
      let computation = refresh.computations.first
    else { return nil }
    let told = Told(
      query: computation.query, result: computation.result, processed: refresh.processed ?? 0)
    return told.values("plants", "height").first
  }
}
