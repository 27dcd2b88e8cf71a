import ConformanceCases
import LiveQueries
import PatientServers
import Stores
import Sync
import Testing
import Triples
import WebSockets

/// Whether a server still answers, asked by a client that means well.
private func answers(_ served: Served) async throws -> Bool {
  let peer = try await served.open()
  let told = try await peer.ask(["plants": [:]])
  await peer.channel.close()
  return told.values("plants", "name").count == 3
}

/// Serves the garden on a port.
private func serving(
  limits: ServerLimits = .patient, _ body: (Served, Int) async throws -> Void
) async throws {
  try await Wire.socket.serveGarden(limits: limits) { served in
    try await body(served, try #require(served.listener).port)
  }
}

/// A raw connection that has become a WebSocket.
private func upgraded(_ port: Int) async throws -> RawConnection {
  let connection = try await RawConnection.open(port: port)
  connection.say(RawConnection.upgrade)
  let head = await connection.hear(until: "\r\n\r\n")
  #expect(head.hasPrefix("HTTP/1.1 101"))
  return connection
}

@Suite("A server that is spoken to by strangers", .timeLimit(.minutes(10)))
struct HostileInputTests {
  @Test("closes what sends random bytes, and answers others", arguments: [UInt64](1...20))
  func randomBytes(_ seed: UInt64) async throws {
    try await serving { served, port in
      var chance = Chance(state: seed)
      let connection = try await RawConnection.open(port: port)
      connection.say((0..<2_000).map { _ in UInt8(chance.next(256)) } + Array("\r\n\r\n".utf8))
      _ = await connection.hearAll()
      let socket = try await upgraded(port)
      socket.say((0..<2_000).map { _ in UInt8(chance.next(256)) })
      socket.say(RawConnection.frame([], opcode: 8))
      socket.close()
      #expect(try await answers(served))
    }
  }

  @Test(
    "closes a connection whose frames break the rules",
    arguments: [
      ("not masked", RawConnection.frame(Array("{}".utf8), isMasked: false)),
      ("reserved bits", [0xF1, 0x80, 0, 0, 0, 0]),
      ("unknown kind", RawConnection.frame([], opcode: 5)),
      ("binary", RawConnection.frame([1], opcode: 2)),
      ("fragment of nothing", RawConnection.frame([65], opcode: 0)),
      ("a long ping", RawConnection.frame([UInt8](repeating: 0, count: 200), opcode: 9)),
      ("a ping in parts", RawConnection.frame([], opcode: 9, isLast: false)),
      ("no UTF-8", RawConnection.frame([0xFF, 0xFE])),
      ("a frame of exabytes", RawConnection.frame([], length: 1 << 62)),
      ("a negative length", RawConnection.frame([], length: .max)),
      (
        "a message within another",
        RawConnection.frame([65], isLast: false) + RawConnection.frame([65])
      ),
    ] as [(String, [UInt8])])
  func badFrames(_ what: String, _ bytes: [UInt8]) async throws {
    try await serving { served, port in
      let connection = try await upgraded(port)
      connection.say(bytes)
      connection.say(RawConnection.frame([3, 232], opcode: 8))
      _ = await connection.hearAll()
      #expect(try await answers(served), "after \(what)")
    }
  }

  @Test("holds no more of a message in parts than one message may have")
  func fragments() async throws {
    var limits = ServerLimits.patient
    limits.textBytes = 10_000
    try await serving(limits: limits) { served, port in
      let connection = try await upgraded(port)
      let part = [UInt8](repeating: 65, count: 1_000)
      connection.say(RawConnection.frame(part, isLast: false))
      for _ in 0..<20 { connection.say(RawConnection.frame(part, opcode: 0, isLast: false)) }
      // A goodbye with the status 1009: too large.
      #expect(await connection.hearBytes().prefix(4) == [0x88, 2, 3, 0xF1])
      #expect(try await answers(served))
    }
  }

  @Test(
    "answers what is no message with an error",
    arguments: [
      "", "hello", "[", "[[[]]]", "7", "null", "{}", #"{"op":7}"#, #"{"op":"init"}"#,
      #"{"op":"add-query","q":{"plants":{}}}"#,
      String(repeating: "[", count: 5_000), String(repeating: #"{"a":"#, count: 5_000),
      #"{"op":"init","app-id":"\ud800"}"#,
    ])
  func badMessages(_ text: String) async throws {
    try await serving { served, _ in
      let peer = try await served.connect()
      try await peer.channel.send(text)
      #expect(try await peer.hearError().status == 400)
      #expect(try await peer.open().status == .active)
    }
  }

  @Test(
    "answers deep, wrong and odd queries, and lives on",
    arguments: [
      #"{"plants":7}"#, #"{"plants":{"$":{"where":7}}}"#, #"[]"#, #""plants""#,
      #"{"plants":{"$":{"limit":-1}}}"#, #"{"plants":{"$":{"limit":1e300}}}"#,
      #"{"plants":{"$":{"after":["a"]}}}"#, #"{"plants":{"$":{"where":{"height":{"$foo":1}}}}}"#,
      #"{"plants":{"name":{}}}"#,
      String(repeating: #"{"bed":{"plants":"#, count: 60) + "{}"
        + String(repeating: "}}", count: 60),
    ])
  func badQueries(_ query: String) async throws {
    try await serving { served, _ in
      let peer = try await served.open()
      try await peer.channel.send(#"{"op":"add-query","client-event-id":"1","q":\#(query)}"#)
      let envelope = try await peer.hear()
      #expect(envelope.eventID == "1" || envelope.eventID == nil)
      #expect(try await answers(served))
    }
  }

  @Test(
    "refuses a text of more messages than may be sent at once, and does none of them",
    arguments: ["1", "{}", #"{"op":"init","app-id":"garden"}"#])
  func longBatch(_ message: String) async throws {
    var limits = ServerLimits.patient
    limits.messageBurst = 50
    try await serving(limits: limits) { served, _ in
      let peer = try await served.connect()
      let batch = [String](repeating: message, count: 51).joined(separator: ",")
      try await peer.channel.send("[\(batch)]")
      let error = try await peer.hearError()
      #expect(error.status == 429)
      #expect(error.message.contains("51 messages"))
      #expect(try await peer.open().status == .active)
    }
  }

  @Test("has room for so many subscriptions, however many are asked for")
  func manySubscriptions() async throws {
    var limits = ServerLimits.patient
    limits.subscriptions = 10
    try await serving(limits: limits) { served, _ in
      let peer = try await served.open()
      var refused = 0
      for number in 0..<500 {
        try await peer.say(.addQuery(["n\(number)": [:]]), as: "\(number)")
        if case .failed(let error) = try await peer.hear().message, error.status == 429 {
          refused += 1
        }
      }
      #expect(refused == 490)
      #expect(try await answers(served))
    }
  }

  @Test("a million subscriptions, asked for as fast as they are taken, come to an end")
  func millionSubscriptions() async throws {
    var limits = ServerLimits.patient
    limits.subscriptions = 50
    // However slowly this machine takes them, it is more than this in a second.
    limits.messageRate = 1
    limits.messageBurst = 1_000
    try await serving(limits: limits) { served, _ in
      let greedy = try await WebSocketClient.patient(try #require(served.listener).address)
        .connect()
      let hearing = Task { for await _ in greedy.incoming {} }
      try await greedy.send(#"{"op":"init","app-id":"garden"}"#)
      var asked = 0
      while asked < 1_000_000 {
        asked += 1
        let text = #"{"op":"add-query","client-event-id":"\#(asked)","q":{"n\#(asked)":{}}}"#
        do throws(ChannelClosed) { try await greedy.send(text) } catch { break }
      }
      #expect(asked < 1_000_000)
      await hearing.value
      #expect(await served.server.queryCount <= 50)
      #expect(try await answers(served))
    }
  }

  @Test("closes who floods it, after some errors")
  func flood() async throws {
    var limits = ServerLimits.patient
    limits.messageRate = 1
    limits.messageBurst = 50
    limits.refusals = 5
    try await serving(limits: limits) { served, _ in
      let peer = try await served.open()
      for number in 0..<200 {
        _ = peer.channel.offer(#"{"op":"x","client-event-id":"\#(number)"}"#)
      }
      #expect(await peer.hearsNoMore())
      #expect(try await answers(served))
    }
  }

  @Test("closes who takes too long to say who it is, or what it wants")
  func slowLoris() async throws {
    var limits = ServerLimits.patient
    limits.openingTime = 800
    try await serving(limits: limits) { served, port in
      let half = try await RawConnection.open(port: port)
      half.say("GET /health HTTP/1.1\r\nHost:")
      _ = await half.hearAll()
      let silent = try await RawConnection.open(port: port)
      silent.say(RawConnection.upgrade)
      _ = await silent.hearAll()
      while await served.server.connectionCount > 0 { await Task.yield() }
    }
  }

  @Test("lets go who does not read, and holds little for them until then")
  func slowReader() async throws {
    let store = MemoryStore(try Garden.store())
    let server = SyncServer(store: store, limits: .patient)
    var configuration = WebSocketListener.Configuration.patient
    configuration.mostWaiting = 100_000
    let listener = try await WebSocketListener.open(
      server, access: AccessRule(), limits: .patient, configuration)
    let served = Served(server: server, listener: listener)
    let reader = try await RawConnection.open(port: listener.port, reads: false)
    reader.say(RawConnection.upgrade)
    reader.say(RawConnection.frame(#"{"op":"init","app-id":"g"}"#))
    reader.say(RawConnection.frame(#"{"op":"add-query","q":{"plants":{}}}"#))
    let writer = try await served.open()
    let note = Attribute(id: Garden.attribute(9), namespace: "plants", label: "note")
    try await writer.change(Transaction([.addAttribute(note)]))
    let long = String(repeating: "a", count: 300_000)
    var round = 0
    // The network itself holds a few megabytes.
    while await server.connectionCount > 1 || round < 3 {
      round += 1
      try await writer.change(
        Transaction([.addTriple(.id(Garden.id(1)), note.id, .text("\(round)" + long))]))
      if round > 400 { break }
    }
    #expect(round <= 400)
    #expect(await server.connectionCount == 1)
    await listener.close()
  }

  @Test("is not open to pages of the web while it has no token")
  func origins() async throws {
    try await serving { _, port in
      for (origin, isOwn) in [
        ("http://localhost:3000", true), ("http://127.0.0.1", true), ("https://example.org", false),
        ("null", false), ("http://localhost.example.org", false),
      ] {
        let answer = try await RawConnection.ask(
          "GET", "/admin/schema", port: port, headers: ["Origin: \(origin)"])
        #expect(answer.hasPrefix(isOwn ? "HTTP/1.1 200" : "HTTP/1.1 403"), "\(origin)")
        let connection = try await RawConnection.open(port: port)
        connection.say(
          RawConnection.upgrade.replacing("Host:", with: "Origin: \(origin)\r\nHost:"))
        let head = await connection.hear(until: "\r\n\r\n")
        #expect(head.hasPrefix(isOwn ? "HTTP/1.1 101" : "HTTP/1.1 403"), "\(origin)")
        connection.close()
      }
      let rebound = try await RawConnection.open(port: port)
      rebound.say("GET /admin/schema HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
      #expect(await rebound.hearAll().hasPrefix("HTTP/1.1 403"))
    }
  }
}
