import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Synchronization
import Testing
import Triples
import WebSockets

/// A channel that has room only for the messages that the test allows.
private final class NarrowChannel: MessageChannel {
  private struct State {
    /// The maximum size of a message in bytes, or nil if there is no room at all.
    var room: Int? = .max
    var waiting: [Waiter] = []

    func hasRoom(for bytes: Int) -> Bool { room.map { bytes <= $0 } ?? false }
  }

  private struct Waiter {
    let bytes: Int
    let continuation: CheckedContinuation<Void, Never>
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
    setRoom(.max)
    await base.close()
  }

  func setRoom(_ bytes: Int?) {
    let ready = state.withLock { state in
      state.room = bytes
      let waiting = state.waiting
      state.waiting = waiting.filter { !state.hasRoom(for: $0.bytes) }
      return waiting.filter { state.hasRoom(for: $0.bytes) }
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  func hasRoom(for bytes: Int) -> Bool { state.withLock { $0.hasRoom(for: bytes) } }

  func waitForRoom(for bytes: Int) async {
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        if state.hasRoom(for: bytes) { return false }
        state.waiting.append(Waiter(bytes: bytes, continuation: continuation))
        return true
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
    channel.setRoom(nil)
    for height in 101...105 {
      try await writer.say(.transact(PlantData.grow(1, to: height)), as: "\(height)")
      // When the writer receives a change, it has been sent to all who can receive it.
      while try await writer.hearAnswer(skippingConfirmations: true) != "\(height)" {}
    }
    channel.setRoom(.max)
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
    channel.setRoom(nil)
    channel.setRoom(.max)
    var answered: Set<String> = []
    while answered.count < 2 {
      let envelope = try await reader.hear()
      guard case .queryAdded = envelope.message, let id = envelope.eventID else { continue }
      answered.insert(id)
    }
    await server.close()
  }

  @Test("gets a long presence only when there is room for it, and only the newest")
  func presence() async throws {
    let server = SyncServer(store: MemoryStore(try PlantData.store()), limits: .forTests)
    let (reader, channel) = connect(server)
    try await reader.open()
    try await reader.say(.joinRoom("shed"))
    guard case .roomJoined("shed") = try await reader.hear().message else {
      throw Unexpected(what: "The reader could not join.")
    }
    #expect(try await presence(reader.hear()).contains("peer-id"))
    let (writer, _) = connect(server)
    try await writer.open()
    try await writer.say(.joinRoom("shed"))
    #expect(try await presence(reader.hear()).contains("peer-id"))
    let long = String(repeating: "a", count: 20_000)
    let steps: [(text: String, room: Int?, query: Value?)] = [
      ("1", nil, nil), ("2", 10_000, ["beds": [:]]), ("3", 10_000, ["plants": [:]]),
    ]
    for step in steps {
      channel.setRoom(step.room)
      try await writer.say(.setPresence("shed", ["text": .text(long + step.text)]))
      // When the writer receives the presence, it has been offered to all members.
      while !(try await presence(writer.hear()).contains(long + step.text)) {}
      // A short answer arrives, and no presence before it.
      if let query = step.query { _ = try await reader.ask(query) }
    }
    channel.setRoom(.max)
    #expect(try await presence(reader.hear()).contains(long + "3"))
    await server.close()
  }

  /// The presence in a message as JSON; empty for other messages.
  private func presence(_ envelope: ServerEnvelope) -> String {
    guard case .presence(_, let members) = envelope.message else { return "" }
    return JSONWriter.text(.object(members))
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
    // The network itself buffers up to ten megabytes.
    for round in 0..<20 {
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
