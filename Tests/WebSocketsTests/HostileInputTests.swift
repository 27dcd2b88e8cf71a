import ConformanceSupport
import DataSourcesTesting
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import TestSupport
import Testing
import Triples
import WebSockets

/// Whether a server still answers a well-behaved client.
private func answers(_ served: Served) async throws -> Bool {
  let peer = try await served.open()
  let told = try await peer.ask(["plants": [:]])
  await peer.channel.close()
  return told.values("plants", "name").count == 3
}

/// Serves the garden on a port.
private func serving(
  limits: ServerLimits = .forTests, _ body: (Served, Int) async throws -> Void
) async throws {
  try await Wire.socket.serveGarden(limits: limits) { served in
    try await body(served, try #require(served.listener).port)
  }
}

/// A raw connection upgraded to a WebSocket.
private func upgraded(_ port: Int) async throws -> RawConnection {
  let connection = try await RawConnection.open(port: port)
  connection.say(RawConnection.upgrade)
  let head = await connection.hear(until: "\r\n\r\n")
  #expect(head.hasPrefix("HTTP/1.1 101"))
  return connection
}

@Suite("A server with hostile input", .timeLimit(.minutes(10)))
struct HostileInputTests {
  @Test("closes connections with random bytes and answers others", arguments: [UInt64](1...20))
  func randomBytes(_ seed: UInt64) async throws {
    try await serving { served, port in
      var random = SeededGenerator(seed: seed)
      let connection = try await RawConnection.open(port: port)
      connection.say((0..<2_000).map { _ in UInt8(random.below(256)) } + Array("\r\n\r\n".utf8))
      _ = await connection.hearAll()
      let socket = try await upgraded(port)
      socket.say((0..<2_000).map { _ in UInt8(random.below(256)) })
      socket.say(RawConnection.frame([], opcode: 8))
      socket.close()
      #expect(try await answers(served))
    }
  }

  @Test(
    "closes a connection with invalid frames",
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

  @Test("limits a fragmented message to the maximum message size")
  func fragments() async throws {
    var limits = ServerLimits.forTests
    limits.textBytes = 10_000
    try await serving(limits: limits) { served, port in
      let connection = try await upgraded(port)
      let part = [UInt8](repeating: 65, count: 1_000)
      connection.say(RawConnection.frame(part, isLast: false))
      for _ in 0..<20 { connection.say(RawConnection.frame(part, opcode: 0, isLast: false)) }
      // A close frame with status 1009: too large.
      #expect(await connection.hearBytes().prefix(4) == [0x88, 2, 3, 0xF1])
      #expect(try await answers(served))
    }
  }

  @Test(
    "answers invalid messages with an error",
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
    "answers deep, invalid and odd queries and keeps running",
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
    "rejects a batch with too many messages as a whole",
    arguments: ["1", "{}", #"{"op":"init","app-id":"garden"}"#])
  func longBatch(_ message: String) async throws {
    var limits = ServerLimits.forTests
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

  @Test("limits the number of subscriptions")
  func manySubscriptions() async throws {
    var limits = ServerLimits.forTests
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

  @Test("limits the size of all connections' queries, except of connections with short ones")
  func longQueries() async throws {
    var limits = ServerLimits.forTests
    limits.allSubscriptionBytes = 1_000
    limits.shortSubscriptionBytes = 100
    let long: Value = .object([String(repeating: "a", count: 800): [:]])
    try await serving(limits: limits) { served, _ in
      let (first, second) = (try await served.open(), try await served.open())
      _ = try await first.ask(long)
      try await second.say(.addQuery(long), as: "long")
      #expect(try await second.hearError().message.contains("1000 bytes"))
      _ = try await second.ask(["plants": [:]])
    }
  }

  @Test("a million subscriptions sent at full speed are handled")
  func millionSubscriptions() async throws {
    var limits = ServerLimits.forTests
    limits.subscriptions = 50
    // Even on a slow machine this exceeds the rate per second.
    limits.messageRate = 1
    limits.messageBurst = 1_000
    try await serving(limits: limits) { served, _ in
      let greedy = try await WebSocketClient.forTests(try #require(served.listener).address)
        .connect()
      let hearing = Task { for try await _ in greedy.incoming.awaited("the end") {} }
      try await greedy.send(#"{"op":"init","app-id":"garden"}"#)
      var asked = 0
      while asked < 1_000_000 {
        asked += 1
        let text = #"{"op":"add-query","client-event-id":"\#(asked)","q":{"n\#(asked)":{}}}"#
        do throws(ChannelClosed) { try await greedy.send(text) } catch { break }
      }
      #expect(asked < 1_000_000)
      try await hearing.value
      #expect(await served.server.queryCount <= 50)
      #expect(try await answers(served))
    }
  }

  @Test("closes flooding connections after some errors")
  func flood() async throws {
    var limits = ServerLimits.forTests
    limits.messageRate = 1
    limits.messageBurst = 50
    limits.refusals = 5
    try await serving(limits: limits) { served, _ in
      let peer = try await served.open()
      for number in 0..<200 {
        _ = peer.channel.offer(#"{"op":"x","client-event-id":"\#(number)"}"#)
      }
      #expect(try await peer.hearsNoMore())
      #expect(try await answers(served))
    }
  }

  @Test("closes connections that are too slow to open a session or send a request")
  func slowLoris() async throws {
    var limits = ServerLimits.forTests
    limits.openingTime = 800
    try await serving(limits: limits) { served, port in
      let half = try await RawConnection.open(port: port)
      half.say("GET /health HTTP/1.1\r\nHost:")
      _ = await half.hearAll()
      let silent = try await RawConnection.open(port: port)
      silent.say(RawConnection.upgrade)
      _ = await silent.hearAll()
      try await waitUntil("the server has no connection") {
        await served.server.connectionCount == 0
      }
    }
  }

  @Test("closes a session after three wrong tokens, with growing delays")
  func wrongTokens() async throws {
    try await Wire.socket.serveGarden(access: AccessRule(token: "right")) { served in
      let stranger = try await served.connect()
      let start = ContinuousClock.now
      for number in 1...4 {
        try await stranger.say(
          .start(Opening(appID: "garden", adminToken: "wrong")), as: "\(number)")
      }
      for number in 1...3 {
        let envelope = try await stranger.hear()
        #expect(envelope.eventID == "\(number)")
        guard case .failed(let error) = envelope.message else {
          Issue.record("\(envelope)")
          return
        }
        #expect(error.recordType == "app-admin-token")
      }
      #expect(try await stranger.hearsNoMore())
      #expect(ContinuousClock.now - start >= .milliseconds(250 + 500 + 1_000))
      #expect(try await served.connect().open(token: "right").isAdmin)
    }
  }

  @Test("checks no further tokens of an address during a delay")
  func attempts() {
    let attempts = TokenAttempts()
    var last: Int64 = 0
    for number in 1...5 {
      #expect(attempts.wait(for: "192.0.2.1") == nil)
      let (count, delay) = attempts.failed(from: "192.0.2.1")
      #expect(count == number && delay > last)
      last = delay
    }
    #expect(attempts.wait(for: "192.0.2.1") != nil)
    #expect(attempts.wait(for: "192.0.2.2") == nil)
    attempts.finished(from: "192.0.2.1")
    #expect(attempts.wait(for: "192.0.2.1") == nil)
    // The attempts are forgotten after a while.
    let later = attempts.failed(from: "192.0.2.1", at: .now + .seconds(3_600))
    #expect(later.count == 1)
  }

  @Test("counts wrong tokens of one IPv6 network together")
  func networks() {
    let attempts = TokenAttempts()
    for number in 1...4 {
      #expect(attempts.failed(from: "2001:db8:0:1::\(number)").count == number)
    }
    #expect(attempts.failed(from: "2001:db8:0:2::1").count == 1)
    #expect(attempts.failed(from: "::ffff:192.0.2.1").count == 1)
    #expect(attempts.failed(from: "::ffff:192.0.2.2").count == 1)
  }

  @Test("remembers an address that guesses, however many others guess once")
  func manyAddresses() {
    let attempts = TokenAttempts()
    let start = ContinuousClock.now
    for number in 0..<30_000 {
      let address = "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"
      let now = start + .milliseconds(number)
      _ = attempts.failed(from: address, at: now)
      attempts.finished(from: address)
      if number % 1_000 == 0 {
        #expect(attempts.failed(from: "192.0.2.1", at: now).count == number / 1_000 + 1)
        attempts.finished(from: "192.0.2.1")
      }
    }
  }

  @Test(
    "rejects a request before its body arrives",
    arguments: [
      ("POST", "/admin/query", "", "400"),
      ("POST", "/admin/query", "Authorization: Bearer wrong\r\n", "401"),
      ("POST", "/runtime/auth/verify_refresh_token", "", "413"),
      ("POST", "/runtime/sse", "", "413"), ("GET", "/metrics", "", "401"),
    ])
  func earlyRefusal(
    _ method: String, _ path: String, _ headers: String, _ status: String
  ) async throws {
    try await Wire.socket.serveGarden(access: AccessRule(token: "right")) { served in
      let port = try #require(served.listener).port
      let connection = try await RawConnection.open(port: port)
      connection.say(
        "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)Content-Length: 10000000\r\n\r\n{"
      )
      let answer = await connection.hear(until: "\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
      #expect(answer.contains("WWW-Authenticate: Bearer") == (status == "401"))
      connection.close()
    }
  }

  @Test("answers pipelined requests as the network accepts the responses")
  func pipelining() async throws {
    try await serving { served, port in
      let greedy = try await RawConnection.open(port: port, reads: false)
      let request = "GET /admin/schema HTTP/1.1\r\nHost: localhost\r\n\r\n"
      greedy.say(String(repeating: request, count: 20_000))
      for _ in 0..<10 {
        #expect(try await answers(served))
        #expect(try #require(served.listener).heldBytes < 1_000_000)
      }
      greedy.close()
    }
  }

  @Test("ends the conversation at the first close frame")
  func goodbyes() async throws {
    try await serving { served, port in
      let connection = try await upgraded(port)
      for _ in 0..<1_000 { connection.say(RawConnection.frame([3, 232], opcode: 8)) }
      // One close frame is returned, and the connection is closed.
      #expect(await connection.hearBytes() == [0x88, 2, 3, 232])
      #expect(try await answers(served))
    }
  }

  @Test("at the maximum number of connections, accepts another when one is closed")
  func fullHouse() async throws {
    let server = SyncServer(store: MemoryStore(try PlantData.store()), limits: .forTests)
    var configuration = WebSocketListener.Configuration.forTests
    configuration.maxConnections = 1
    let listener = try await WebSocketListener.open(
      server, access: AccessRule(), limits: .forTests, configuration)
    // As many as are accepted at a time may be there already.
    var first: [RawConnection] = []
    for _ in 0..<17 { first.append(try await RawConnection.open(port: listener.port)) }
    let late = try await RawConnection.open(port: listener.port)
    late.say(RawConnection.request("GET", "/health"))
    for connection in first { connection.close() }
    #expect(await late.hear(until: "ok").contains(#""status":"ok""#))
    late.close()
    await listener.close()
  }

  @Test("the presence of all clients in a room is limited")
  func fullRoom() async throws {
    var limits = ServerLimits.forTests
    limits.roomPresenceBytes = 300
    try await serving(limits: limits) { served, _ in
      let first = try await served.open()
      let second = try await served.open()
      let data: Value = ["name": .text(String(repeating: "n", count: 80))]
      try await first.say(.joinRoom("shed", data: data), as: "1")
      #expect(try await first.hear().message == .roomJoined("shed"))
      try await second.say(.joinRoom("shed", data: data), as: "2")
      #expect(try await second.hearError().message.contains("300 bytes"))
      // The room was not entered.
      try await second.say(.leaveRoom("shed"), as: "3")
      #expect(try await second.hearError().message.contains("not entered this room"))
      await first.channel.close()
    }
  }

  @Test("counts what happens, as Prometheus reads it")
  func metrics() async throws {
    try await serving { served, port in
      let peer = try await served.open()
      _ = try await peer.ask(["plants": [:]])
      try await peer.change(PlantData.grow(1, to: 31))
      let text = try await RawConnection.ask("GET", "/metrics", port: port)
      #expect(text.contains("Content-Type: text/plain; version=0.0.4"))
      for line in [
        "sonde_sessions 1", "sonde_subscriptions 1", "sonde_queries 1",
        "sonde_transactions_total 1", "# TYPE sonde_query_seconds histogram",
        #"sonde_query_seconds_bucket{le="+Inf"}"#,
      ] { #expect(text.contains(line), "\(line)") }
    }
  }

  @Test("without a token, rejects web pages")
  func origins() async throws {
    try await serving { _, port in
      for (origin, isOwn) in [
        ("http://localhost:3000", true), ("http://127.0.0.1", true), ("https://example.org", false),
        ("null", false), ("http://localhost.example.org", false),
        ("chrome-extension://localhost", false),
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
      let image = try await RawConnection.ask(
        "GET", "/runtime/sse", port: port, headers: ["Sec-Fetch-Site: cross-site"])
      #expect(image.hasPrefix("HTTP/1.1 403"))
      let rebound = try await RawConnection.open(port: port)
      rebound.say("GET /admin/schema HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
      #expect(await rebound.hearAll().hasPrefix("HTTP/1.1 403"))
    }
  }
}
