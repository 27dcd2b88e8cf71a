import DataSources
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples
import WebSockets

private let plants: Value = ["plants": [:]]
private let notes: Value = ["notes": [:]]

/// An attribute as Instant's client creates it for an unknown label.
private func newAttribute(_ namespace: String, _ label: String) -> (id: Value, step: Value) {
  let id = Value.text(EntityID.random().text)
  let identity: Value = [.text(EntityID.random().text), .text(namespace), .text(label)]
  let attribute: Value = [
    "id": id, "forward-identity": identity, "value-type": "blob", "cardinality": "one",
    "unique?": .bool(label == "id"), "index?": false, "isUnsynced": true,
  ]
  return (id, ["add-attr", attribute])
}

@Suite("A client written in JavaScript", .timeLimit(.minutes(10)))
struct ScriptClientTests {
  private func serve(
    access: AccessRule = AccessRule(), _ body: (WebSocketListener) async throws -> Void
  ) async throws {
    try await Wire.socket.serveGarden(access: access) { served in
      try await body(try #require(served.listener))
    }
  }

  @Test("finds the expected parts in every answer, and sees changes of others")
  func answers() async throws {
    try await serve { listener in
      let client = try await ScriptClient.open(listener)
      let other = try await ScriptClient.open(listener)
      #expect(try await client.subscribe(to: plants)["op"] == "add-query-ok")
      #expect(client.values("plants", "name", in: plants).count == 3)
      #expect(try await client.subscribe(to: plants)["op"] == "add-query-exists")
      for query: Value in [
        ["beds": ["plants": ["bed": [:]]]],
        ["plants": ["$": ["order": ["height": "desc"], "limit": 2, "offset": 1]]],
        ["plants": ["$": ["where": ["name": "none"], "first": 1]]], ["unknown": [:]],
        ["plants": ["$": ["aggregate": "count"]]], ["$$ruleParams": ["a": 1], "plants": [:]],
      ] {
        #expect(try await client.subscribe(to: query)["op"] == "add-query-ok")
      }
      let aster = Value.text(PlantData.id(1).text)
      let height = Value.text(PlantData.height.text)
      let steps: Value = [["add-triple", aster, height, 31, ["mode": "update"]]]
      #expect(try await other.transact(steps)["op"] == "transact-ok")
      while !client.values("plants", "height", in: plants).contains(31) {
        _ = try await client.hear()
      }
    }
  }

  @Test("sends a new attribute with each change until it is confirmed, without errors")
  func unsyncedAttributes() async throws {
    try await serve { listener in
      let client = try await ScriptClient.open(listener)
      _ = try await client.subscribe(to: notes)
      let (id, title) = (newAttribute("notes", "id"), newAttribute("notes", "title"))
      for text in ["one", "two"] {
        let note = Value.text(EntityID.random().text)
        let steps: Value = [
          id.step, title.step, ["add-triple", note, id.id, note],
          ["add-triple", note, title.id, .text(text)],
        ]
        #expect(try await client.transact(steps)["op"] == "transact-ok")
      }
      while client.values("notes", "title", in: notes).count < 2 { _ = try await client.hear() }
    }
  }

  @Test("gets responses with the id of each message")
  func everyOperation() async throws {
    let some = Value.text(EntityID.random().text)
    let said: [(String, JSONObject, String)] = [
      ("init", ["app-id": some], "error"),
      ("add-query", ["q": .null], "error"),
      ("add-query", ["q": ["plants": ["$": ["limit": "many"]]]], "error"),
      ("remove-query", ["q": ["plants": [:]]], "remove-query-ok"),
      ("transact", ["tx-steps": []], "transact-ok"),
      ("transact", ["tx-steps": [["frobnicate"]]], "error"),
      ("join-room", ["room-id": "r", "data": ["name": "Ana"]], "join-room-ok"),
      ("set-presence", ["room-id": "r", "data": ["name": "Bo"]], "set-presence-ok"),
      (
        "client-broadcast",
        ["room-id": "r", "roomType": "chat", "topic": "wave", "data": ["n": 1]],
        "client-broadcast-ok"
      ),
      ("leave-room", ["room-id": "r"], "leave-room-ok"),
      ("set-presence", ["room-id": "r", "data": [:]], "error"),
      ("start-sync", ["q": ["plants": [:]]], "error"),
      ("resync-table", ["subscription-id": some, "tx-id": 1, "token": some], "error"),
      ("remove-sync", ["subscription-id": some], "error"),
      ("start-stream", ["client-id": "log", "reconnect-token": some], "error"),
      ("append-stream", ["stream-id": some, "chunks": ["x"], "offset": 0], "error"),
      ("subscribe-stream", ["client-id": "log"], "error"),
      ("unsubscribe-stream", ["subscribe-event-id": some], "error"),
    ]
    try await serve { listener in
      let client = try await ScriptClient.open(listener)
      for (operation, members, wanted) in said {
        let answer = try await client.ask(operation, members)
        #expect(answer["op"] == .text(wanted), "\(operation)")
        guard wanted == "error" else { continue }
        // By this the client finds the subscriber.
        guard case .object(let original)? = answer["original-event"] else {
          Issue.record("\(operation) without original-event")
          continue
        }
        #expect(original["op"] == .text(operation))
        #expect(original["q"] == members["q"])
        if operation.hasSuffix("-sync") || operation.hasSuffix("-stream") {
          #expect(answer["message"]?.textValue?.hasPrefix("This server does not support s") == true)
        }
      }
    }
  }

  @Test("gets a response to half a character")
  func halfCharacter() async throws {
    try await serve { listener in
      let client = try await ScriptClient.open(listener)
      let text =
        #"{"client-event-id":"m1","op":"transact","tx-steps":[["add-triple","a","b","\ud83e"]]}"#
      let answer = try await client.ask(text, as: "m1")
      #expect(answer["op"] == "error")
      #expect(answer["type"] == "param-malformed")
      guard case .object(let original)? = answer["original-event"] else {
        Issue.record("without original-event")
        return
      }
      #expect(original["op"] == "transact" && original["client-event-id"] == "m1")
      // The client finds the subscription by the query itself.
      let query = #"{"plants":{"$":{"where":{"name":"\ud83e"}}}}"#
      try await client.say(#"{"client-event-id":"q1","op":"add-query","q":\#(query)}"#)
      #expect(try await client.hearText().hasSuffix(#","q":\#(query)}}"#))
      #expect(try await client.subscribe(to: plants)["op"] == "add-query-ok")
    }
  }

  @Test("drops confirmed changes after an in-memory server restarted")
  func forgetfulServer() async throws {
    let aster = Value.text(PlantData.id(1).text)
    let steps: Value = [
      ["add-triple", aster, .text(PlantData.height.text), 99, ["mode": "update"]]
    ]
    func begin(at moment: Int64) async throws -> WebSocketListener {
      try await WebSocketListener.open(
        SyncServer(
          store: MemoryStore(try PlantData.store()), keepsChanges: false, limits: .forTests,
          now: { moment }),
        access: AccessRule(), limits: .forTests, .forTests)
    }
    let first = try await begin(at: 1_700_000_000_000)
    let client = try await ScriptClient.open(first)
    for number in 0..<20 {
      #expect(try await client.transact(steps, as: "m\(number)")["op"] == "transact-ok")
    }
    let confirmed = try #require(client.mutations["m19"] ?? nil)
    #expect(confirmed < 1 << 53)
    await client.close()
    await first.close()

    let second = try await begin(at: 1_700_000_000_001)
    let again = try await ScriptClient.open(second)
    _ = try await again.subscribe(to: plants)
    let processed = try #require(again.results[plants]?.processed)
    #expect(processed > confirmed)
    #expect(try await again.transact(steps, as: "later")["op"] == "transact-ok")
    while again.holds("later", over: plants) { _ = try await again.hear() }
    await again.close()
    await second.close()
  }

  @Test("presents the server's token as the app's or as a signed-in user's")
  func tokens() async throws {
    try await serve(access: AccessRule(token: "t")) { listener in
      for opening: JSONObject in [["__admin-token": "t"], ["refresh-token": "t"]] {
        let client = try await ScriptClient.open(listener, showing: opening)
        #expect(try await client.subscribe(to: plants)["op"] == "add-query-ok")
        await client.close()
      }
      let guest = try await ScriptClient.open(listener)
      #expect(guest.sessionID.isEmpty)
      await guest.close()
    }
  }
}
