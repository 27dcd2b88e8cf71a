import LiveQueries
import SyncTestSupport
import Stores
import Sync
import TestSupport
import Testing
import Triples
import WebSockets

/// An event session: one connection for events, and requests for messages.
private final class EventListener {
  let connection: RawConnection
  let port: Int
  private(set) var opening: JSONObject = [:]

  init(_ served: Served) async throws {
    port = try #require(served.listener).port
    connection = try await RawConnection.open(port: port)
    connection.say(RawConnection.request("GET", "/runtime/sse?app_id=garden"))
    let head = await connection.hear(until: "sse-token")
    #expect(head.contains("Content-Type: text/event-stream"))
    #expect(head.contains("Access-Control-Allow-Origin: *"))
    let event = try #require(
      head.split(whereSeparator: \.isNewline).last { $0.hasPrefix("data: ") })
    guard case .object(let opening) = try JSONReader.value(of: String(event.dropFirst(6))) else {
      throw Unexpected(what: head)
    }
    self.opening = opening
  }

  /// Sends messages in one request and returns its status.
  func say(_ messages: Value, token: Value? = nil) async throws -> Int {
    let body: Value = [
      "machine_id": opening["machine-id"] ?? .null, "session_id": opening["session-id"] ?? .null,
      "sse_token": token ?? opening["sse-token"] ?? .null, "messages": messages,
    ]
    let answer = try await RawConnection.ask(
      "POST", "/runtime/sse?app_id=garden", port: port, body: JSONWriter.text(body))
    return try #require(Int(answer.dropFirst(9).prefix(3)))
  }
}

private let start: Value = ["op": "init", "client-event-id": "i", "app-id": "garden"]
private let ask: Value = [
  "op": "add-query", "client-event-id": "q",
  "q": ["plants": ["$": ["where": ["name": "Aster"]]]],
]

@Suite("A session over events", .timeLimit(.minutes(10)))
struct EventSessionTests {
  @Test("accepts messages in requests, and sends answers and changes as events")
  func session() async throws {
    try await Wire.socket.serveGarden { served in
      let client = try await EventListener(served)
      #expect(try await client.say([start, ask]) == 200)
      let told = await client.connection.hear(until: "Aster")
      #expect(told.contains(#"data: {"op":"init-ok","client-event-id":"i""#))
      #expect(told.contains(#"data: {"op":"add-query-ok","client-event-id":"q""#))
      try await served.open().change(PlantData.grow(1, to: 77))
      let next = await client.connection.hear(until: "77")
      #expect(next.contains(#"data: {"op":"refresh-ok""#))
      client.connection.close()
    }
  }

  @Test("must be opened, with the token if one is required")
  func token() async throws {
    try await Wire.socket.serveGarden(access: AccessRule(token: "t")) { served in
      let client = try await EventListener(served)
      #expect(try await client.say([ask]) == 200)
      #expect(await client.connection.hear(until: "not run").contains("`init` has not run"))
      #expect(try await client.say([start]) == 200)
      #expect(await client.connection.hear(until: "not found").contains("app-admin-token"))
      client.connection.close()
    }
  }

  @Test("accepts messages only from its client, and none after its end")
  func strangers() async throws {
    try await Wire.socket.serveGarden { served in
      let client = try await EventListener(served)
      #expect(try await client.say([start], token: "guessed") == 400)
      #expect(try await client.say("no list") == 400)
      #expect(try await client.say([start]) == 200)
      _ = await client.connection.hear(until: "init-ok")
      client.connection.close()
      try await waitUntil("the server has no connection") {
        await served.server.connectionCount == 0
      }
      try await waitUntil("the session is closed") { try await client.say([ask]) != 200 }
    }
  }

  @Test("stays open when there are too many connections without a session")
  func manyConnections() async throws {
    let server = SyncServer(store: MemoryStore(try PlantData.store()), limits: .forTests)
    var configuration = WebSocketListener.Configuration.forTests
    configuration.maxOpening = 3
    let listener = try await WebSocketListener.open(
      server, access: AccessRule(), limits: .forTests, configuration)
    let served = Served(server: server, listener: listener)
    let client = try await EventListener(served)
    #expect(try await client.say([start, ask]) == 200)
    _ = await client.connection.hear(until: "Aster")
    let writer = try await served.open()
    var idle: [RawConnection] = []
    for _ in 0..<6 { idle.append(try await RawConnection.open(port: listener.port)) }
    #expect(await idle[0].hearAll() == "")
    try await writer.change(PlantData.grow(1, to: 77))
    #expect(await client.connection.hear(until: "77").contains("refresh-ok"))
    client.connection.close()
    await listener.close()
  }

  @Test("rejects a request with too many messages")
  func tooManyMessages() async throws {
    try await Wire.socket.serveGarden { served in
      let client = try await EventListener(served)
      #expect(try await client.say(.array([Value](repeating: [:], count: 1_001))) == 429)
      client.connection.close()
    }
  }

  @Test("accepts more messages in one request than it can process at once")
  func manyMessages() async throws {
    try await Wire.socket.serveGarden { served in
      let client = try await EventListener(served)
      let pings = (0..<600).map { number -> Value in
        [
          "op": "remove-query", "client-event-id": .text("r\(number)"),
          "q": ["plants": [:]],
        ]
      }
      #expect(try await client.say(.array([start] + pings)) == 200)
      _ = await client.connection.hear(until: #""client-event-id":"r599""#)
      client.connection.close()
    }
  }
}
