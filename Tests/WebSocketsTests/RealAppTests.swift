import InstaQL
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples
import WebSockets

/// Behavior that apps with Instant's client need beyond the protocol's messages.
@Suite("An app with Instant's client", .timeLimit(.minutes(10)))
struct RealAppTests {
  private static func named(_ name: String, _ number: Int = 1) -> Transaction {
    Transaction([.addTriple(.id(PlantData.id(number)), PlantData.name, .text(name), .upsert)])
  }

  @Test("receives its answers again after a repeated change", arguments: [false, true])
  func repeatedChange(isLong: Bool) async throws {
    try await Wire.socket.serveGarden { served in
      let id = EntityID.random().text
      let first = try await served.open()
      try await first.change(Self.named("By A"), as: id)
      await first.channel.close()
      let other = try await served.open()
      try await other.change(Self.named("By B"))
      if isLong {
        // Longer than the texts that are cached.
        let steps = (10..<50).flatMap { number in
          PlantData.plant(number, String(repeating: "x", count: 900) + "\(number)", height: 1)
        }
        try await other.change(Transaction(steps))
      }
      // Then a change that no query shows.
      try await other.change(Transaction(PlantData.bed(60, "East")))

      let again = try await served.open()
      let plants: Value = ["plants": [:]]
      #expect(try await again.ask(plants).values("plants", "name").contains("\"By B\""))
      try await again.say(.transact(Self.named("By A")), as: id)
      let told = try await again.hear()
      guard case .transacted(let number) = told.message else { throw Unexpected(what: "\(told)") }
      let answer = try await again.hearAnswer()
      #expect(answer.processed >= number)
      #expect(answer.values("plants", "name").contains("\"By B\""))
      await again.channel.close()
    }
  }

  @Test("receives nothing after a new change that no query shows")
  func newChange() async throws {
    try await Wire.socket.serveGarden { served in
      let peer = try await served.open()
      _ = try await peer.ask(["plants": [:]])
      try await peer.say(
        .transact(Transaction(PlantData.bed(60, "East"))), as: EntityID.random().text)
      try await peer.say(.removeQuery(["none": [:]]), as: "last")
      guard case .transacted = try await peer.hear().message else {
        throw Unexpected(what: "no answer")
      }
      #expect(try await peer.hear().eventID == "last")
      await peer.channel.close()
    }
  }

  // MARK: Over HTTP

  private func ask(
    _ method: String, _ path: String, _ served: Served, body: String = "{}", headers: [String] = []
  ) async throws -> (status: Int, body: JSONObject) {
    let answer = try await RawConnection.ask(
      method, path, port: try #require(served.listener).port, body: body, headers: headers)
    let status = try #require(Int(answer.dropFirst(9).prefix(3)))
    let end = try #require(answer.firstRange(of: "\r\n\r\n"))
    guard case .object(let object) = try JSONReader.value(of: String(answer[end.upperBound...]))
    else { throw Unexpected(what: answer) }
    return (status, object)
  }

  @Test("finds the row of the signed-in user once")
  func userRow() async throws {
    try await Wire.socket.serveGarden { served in
      let told = try await ask("POST", "/runtime/auth/sign_in_guest", served)
      guard case .object(let guest)? = told.body["user"], let id = guest["id"]?.textValue,
        let token = guest["refresh_token"]?.textValue
      else { throw Unexpected(what: "\(told)") }
      _ = try await ask(
        "POST", "/runtime/auth/verify_refresh_token", served,
        body: #"{"refresh-token":"\#(token)"}"#)
      let users = try await ask(
        "POST", "/admin/query", served, body: #"{"query":{"$users":{}}}"#)
      guard case .array(let rows)? = users.body["$users"], rows.count == 1,
        case .object(let row) = rows[0]
      else { throw Unexpected(what: "\(users.body)") }
      #expect(row["id"] == .text(id) && row["type"] == "guest")
    }
    let access = AccessRule(allowsWriting: false)
    try await Wire.socket.serveGarden(access: access) { served in
      let told = try await ask("POST", "/runtime/auth/sign_in_guest", served)
      #expect(told.status == 200)
    }
  }

  @Test("watches a query with objects for single-valued links", arguments: [false, true])
  func inference(isInferred: Bool) async throws {
    try await Wire.socket.serveGarden { served in
      let body =
        #"{"query":{"plants":{"$":{"where":{"name":"Aster"}},"bed":{}}},"inference?":\#(isInferred)}"#
      let connection = try await RawConnection.open(port: try #require(served.listener).port)
      connection.say(RawConnection.request("POST", "/admin/subscribe-query", body: body))
      let told = await connection.hear(until: "North")
      #expect(told.contains(isInferred ? #""bed":{"# : #""bed":[{"#))
      try await served.open().change(
        Transaction([.addTriple(.id(PlantData.id(50)), PlantData.bedName, "Top", .update)]))
      let next = await connection.hear(until: "Top")
      #expect(next.contains(isInferred ? #""bed":{"# : #""bed":[{"#))
      connection.close()
    }
  }

  @Test(
    "acts as a user only where that is supported",
    arguments: [
      (nil, ["as-guest: true"], 200, ""),
      (nil, ["as-email: no@such.user"], 400, "no@such.user"),
      (nil, ["as-token: 5a000000-0000-4000-8000-000000000001"], 200, ""),
      (nil, ["as-token: guessed"], 400, "app-user"),
      ("t", ["as-guest: true"], 400, "no guests"),
      ("t", ["as-guest: true", "Authorization: Bearer t"], 400, "no guests"),
      ("t", ["as-email: no@such.user", "Authorization: Bearer t"], 400, "has no users"),
      ("t", ["as-token: t"], 200, ""), ("t", ["as-token: t", "Authorization: Bearer t"], 200, ""),
      ("t", ["as-token: t", "Authorization: Bearer u"], 401, "requires its token"),
      ("t", ["as-token: u"], 400, "app-user"), ("t", [], 400, "authorization"),
    ] as [(String?, [String], Int, String)])
  func asUser(_ token: String?, _ headers: [String], _ status: Int, _ words: String) async throws {
    try await Wire.socket.serveGarden(access: AccessRule(token: token)) { served in
      let told = try await ask(
        "POST", "/admin/query", served, body: #"{"query":{"plants":{}}}"#, headers: headers)
      #expect(told.status == status)
      #expect((told.body["plants"] != nil) == (status == 200))
      #expect(words.isEmpty || told.body["message"]?.textValue?.contains(words) == true)
    }
  }

  @Test("sees the members of a room over the admin interface")
  func presence() async throws {
    try await Wire.socket.serveGarden { served in
      let peer = try await served.open()
      try await peer.say(.joinRoom("my room", type: "chat", data: ["name": "Ana"]), as: "j")
      _ = try await peer.hear()
      let path = "/admin/rooms/presence?room-type=chat&room-id=my%20room"
      guard case .object(let sessions)? = try await ask("GET", path, served).body["sessions"],
        case .object(let one)? = sessions.members.first?.value
      else { throw Unexpected(what: "no sessions") }
      #expect(sessions.count == 1 && one["data"] == ["name": "Ana"])
      let empty = try await ask("GET", "/admin/rooms/presence?room-id=other", served)
      #expect(empty.body["sessions"] == [:])
      #expect(try await ask("GET", "/admin/rooms/presence", served).status == 400)
      await peer.channel.close()
    }
  }

  @Test("gets an error for streams in a session over the admin interface")
  func streams() async throws {
    try await Wire.socket.serveGarden(access: AccessRule(token: "t")) { served in
      let port = try #require(served.listener).port
      #expect(try await ask("POST", "/admin/sse", served).status == 400)
      let connection = try await RawConnection.open(port: port)
      connection.say(
        RawConnection.request(
          "POST", "/admin/sse", body: "{}", headers: ["Authorization: Bearer t"]))
      let head = await connection.hear(until: "sse-token")
      let event = try #require(
        head.split(whereSeparator: \.isNewline).last { $0.hasPrefix("data: ") })
      guard case .object(let opening) = try JSONReader.value(of: String(event.dropFirst(6))) else {
        throw Unexpected(what: head)
      }
      let body: Value = [
        "session_id": opening["session-id"] ?? .null, "sse_token": opening["sse-token"] ?? .null,
        "messages": [["op": "subscribe-stream", "client-event-id": "s"]],
      ]
      let said = try await ask(
        "POST", "/admin/sse/push", served, body: JSONWriter.text(body),
        headers: ["Authorization: Bearer t"])
      #expect(said.status == 200)
      let answer = await connection.hear(until: "does not support streams")
      #expect(answer.contains(#""client-event-id":"s""#))
      connection.close()
    }
  }

  @Test("gets errors for a missing token and for pushing a schema")
  func refusals() async throws {
    try await Wire.socket.serveGarden(access: AccessRule(token: "t")) { served in
      let peer = try await served.connect()
      try await peer.say(.start(Opening(appID: "garden")), as: "open")
      let error = try await peer.hearError()
      #expect(error.message.contains("This server requires its token"))
      #expect(error.recordType == "app-admin-token")
      await peer.channel.close()
      let push = try await ask("POST", "/dash/apps/garden/schema/push/plan", served)
      #expect(push.status == 400)
      #expect(push.body["message"]?.textValue?.contains("does not accept a schema") == true)
    }
  }
}
