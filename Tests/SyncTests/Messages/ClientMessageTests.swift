import Sync
import Testing
import Triples

@Suite("Client messages")
struct ClientMessageTests {
  static let tea = "5a000000-0000-4000-8000-000000000001"
  static let label = AttributeID("aa000000-0000-4000-8000-000000000001")

  static let spellings: [(ClientEnvelope, String)] = [
    (
      ClientEnvelope(
        .start(
          Opening(
            appID: "9b1d", refreshToken: nil, adminToken: "secret",
            versions: ["@instantdb/core": "v0.22.1"])), eventID: "e1"),
      #"{"op":"init","client-event-id":"e1","app-id":"9b1d","refresh-token":null,"#
        + #""__admin-token":"secret","versions":{"@instantdb/core":"v0.22.1"}}"#
    ),
    (
      ClientEnvelope(.addQuery(["teas": ["$": ["limit": 2]]]), eventID: "e2"),
      #"{"op":"add-query","client-event-id":"e2","q":{"teas":{"$":{"limit":2}}}}"#
    ),
    (
      ClientEnvelope(.addQuery(["teas": [:]], .tree), eventID: "e3"),
      #"{"op":"add-query","client-event-id":"e3","q":{"teas":{}},"return-type":"tree"}"#
    ),
    (
      ClientEnvelope(.removeQuery(["teas": [:]]), eventID: "e4"),
      #"{"op":"remove-query","client-event-id":"e4","q":{"teas":{}}}"#
    ),
    (
      ClientEnvelope(
        .transact(
          Transaction([.addTriple(.id(EntityID(tea)), label, "Sencha", .update)])), eventID: "m1"),
      #"{"op":"transact","client-event-id":"m1","tx-steps":[["add-triple",""#
        + tea + #"",""# + label.text + #"","Sencha",{"mode":"update"}]]}"#
    ),
    (
      ClientEnvelope(.joinRoom("bar", type: "chat", data: ["name": "Mo"]), eventID: "r1"),
      #"{"op":"join-room","client-event-id":"r1","room-type":"chat","room-id":"bar","#
        + #""data":{"name":"Mo"}}"#
    ),
    (
      ClientEnvelope(.leaveRoom("bar"), eventID: "r2"),
      #"{"op":"leave-room","client-event-id":"r2","room-id":"bar"}"#
    ),
    (
      ClientEnvelope(.setPresence("bar", ["name": "Mo"]), eventID: "r3"),
      #"{"op":"set-presence","client-event-id":"r3","room-id":"bar","data":{"name":"Mo"}}"#
    ),
    (
      ClientEnvelope(
        .broadcast(Broadcast(room: "bar", type: "chat", topic: "wave", data: ["n": 1])),
        eventID: "r4"),
      #"{"op":"client-broadcast","client-event-id":"r4","room-id":"bar","roomType":"chat","#
        + #""topic":"wave","data":{"n":1}}"#
    ),
  ]

  @Test("round-trip in the protocol's spelling", arguments: spellings)
  func spelling(_ envelope: ClientEnvelope, _ text: String) throws {
    #expect(MessageCoding.text(envelope) == text)

    let received = try MessageCoding.clientMessages(in: text)
    #expect(received.map(\.eventID) == [envelope.eventID])
    #expect(try received.map { try $0.message.get() } == [envelope.message])
  }

  @Test("keep unknown names")
  func others() throws {
    let received = try MessageCoding.clientMessages(in: #"{"op":"start-stream","x":1}"#)
    #expect(try received.first?.message.get() == .other("start-stream"))
  }

  @Test("accept numbers as rooms")
  func numberedRooms() throws {
    let received = try MessageCoding.clientMessages(in: #"{"op":"join-room","room-id":12}"#)
    #expect(try received.first?.message.get() == .joinRoom("12"))
  }

  @Test("can be combined")
  func batch() throws {
    let text = #"[{"op":"leave-room","room-id":"a"},{"op":"leave-room","room-id":"b"}]"#
    let received = try MessageCoding.clientMessages(in: text)
    #expect(try received.map { try $0.message.get() } == [.leaveRoom("a"), .leaveRoom("b")])
  }

  @Test(
    "with a missing field are answered with its name and the message",
    arguments: [
      (#"{"op":"add-query","q":null}"#, "Validation failed for add-query: Query can not be null."),
      (#"{"op":"add-query","q":{},"return-type":"xml"}"#, "add-query: `return-type` is missing"),
      (#"{"op":"init"}"#, "init: `app-id` is missing"),
      (#"{"op":"transact"}"#, "transact: `tx-steps` is missing"),
      (
        #"{"op":"transact","tx-steps":[["paint"]]}"#,
        "Validation failed for tx-steps: Step 1: unknown step 'paint'."
      ),
      (#"{"client-event-id":"1"}"#, "message: `op` is missing"),
      (#"[7]"#, "The message cannot be read: expected an object, found number."),
    ])
  func faults(_ text: String, _ sentence: String) throws {
    let received = try #require(try MessageCoding.clientMessages(in: text).first)
    guard case .failure(let error) = received.message else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(error.message.hasPrefix(sentence))
    #expect(error.status == 400)
  }

  @Test(
    "that only JavaScript can parse are rejected by name and returned unchanged",
    arguments: [
      #"{"client-event-id":"7","op":"add-query","q":{"teas":{"$":{"where":{"name":"\ud83d"}}}}}"#,
      #"{"op":"add-query","q":{"teas":{"$":{"where":{"name":"a\\\uDC00\ud83d\ude00"}}}},"client-event-id":"7"}"#,
      #"{"client-event-id":"7","op":"add-query","q":"# + String(repeating: #"{"a":"#, count: 5_000)
        + "1" + String(repeating: "}", count: 5_001),
      #"{"client-event-id":"7","op":"add-query","q":{"teas":{"$":{"where":{"n":1e400}}}}}"#,
    ])
  func readableToScripts(_ text: String) throws {
    let received = try #require(try MessageCoding.clientMessages(in: text).first)
    #expect(received.eventID == "7")
    guard case .failure(let error) = received.message else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(error.originalOperation == "add-query")
    let answer = MessageCoding.text(ServerEnvelope(.failed(error), eventID: received.eventID))
    #expect(answer.hasSuffix(#","original-event":\#(text)}"#))
    #expect(answer.contains(#""client-event-id":"7""#))
  }

  @Test(
    "that are broken after their beginning are rejected by name",
    arguments: [
      #"{"client-event-id":"7","op":"transact","tx-steps":[NaN]}"#,
      #"{"client-event-id":"7","op":"transact","tx-st"#,
    ])
  func broken(_ text: String) throws {
    let received = try #require(try MessageCoding.clientMessages(in: text).first)
    #expect(received.eventID == "7")
    guard case .failure(let error) = received.message else {
      Issue.record("\(text) was taken")
      return
    }
    #expect(error.originalOperation == "transact")
    let answer = MessageCoding.text(ServerEnvelope(.failed(error), eventID: "7"))
    #expect(throws: Never.self) { try JSONReader.value(of: answer) }
  }

  @Test(
    "with unusual but valid JSON are accepted",
    arguments: [
      #"{"client-event-id":"7","op":"remove-query","q":{"a":-0,"b":123456789012345678901234567890}}"#,
      #"{"client-event-id":"7","op":"remove-query","q":{"a":1,"a":2}}"#,
      #"{"client-event-id":"7","op":"remove-query","q":{"a":"\u0000","b":null}}"#,
      "\u{FEFF}" + #"{"client-event-id":"7","op":"remove-query","q":{}}"#,
      #"{"client-event-id":"7","op":"remove-query","q":{"a":""#
        + String(repeating: "x", count: 1 << 20)
        + #""}}"#,
    ])
  func oddities(_ text: String) throws {
    let received = try #require(try MessageCoding.clientMessages(in: text).first)
    #expect(received.eventID == "7")
    #expect(throws: Never.self) { try received.message.get() }
  }

  @Test(
    "that are not JSON, too deep or too long are rejected as a whole",
    arguments: ["", "{", "null", "\"init\"", String(repeating: "[", count: 500)])
  func noJSON(_ text: String) {
    #expect(throws: ServerError.self) { try MessageCoding.clientMessages(in: text) }
  }

  @Test("beyond the limit are rejected before parsing")
  func tooLong() {
    let text = #"{"op":"add-query","q":{"teas":{}}}"#
    #expect(throws: ServerError.self) { try MessageCoding.clientMessages(in: text, maxBytes: 20) }
  }
}
