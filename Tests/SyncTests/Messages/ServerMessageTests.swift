import InstaQL
import Sync
import Testing
import Triples

@Suite("Server messages")
struct ServerMessageTests {
  static let tea = EntityID("5a000000-0000-4000-8000-000000000001")
  static let label = Attribute(
    id: AttributeID("aa000000-0000-4000-8000-000000000001"), namespace: "teas", label: "label",
    constraints: .indexed
  ).with { $0.checkedType = .string }
  static let page = PageInfo(
    start: Cursor(entity: tea, attribute: label.id, value: "Oolong", createdAt: 12),
    end: Cursor(entity: tea, attribute: label.id, value: "Oolong", createdAt: 12),
    hasNext: true, hasPrevious: false)
  static let rows = JoinRows(
    [
      JoinRows.Row(tea, label.id, "Oolong", createdAt: 12),
      JoinRows.Row(tea, label.id, 1.0, createdAt: 13),
    ], pages: ["teas": page], counts: ["cups": 3])

  static let messages: [ServerEnvelope] = [
    ServerEnvelope(
      .started(
        SessionInfo(
          sessionID: "s1", appID: "9b1d", appTitle: "Teas", isAdmin: true, user: ["id": "u"],
          status: .readOnly, attributes: [label])), eventID: "e1"),
    ServerEnvelope(.queryAdded(["teas": [:]], .joinRows(rows), processed: 7), eventID: "e2"),
    ServerEnvelope(.queryAdded(["teas": [:]], .joinRows(JoinRows()), processed: nil)),
    ServerEnvelope(
      .queryAdded(
        ["teas": [:]],
        .tree(
          Tree(["teas": [["id": .text(tea.text)]]], pages: ["teas": page], counts: ["cups": 3])),
        processed: 7)),
    ServerEnvelope(.queryExists(["teas": [:]]), eventID: "e3"),
    ServerEnvelope(.queryRemoved(["teas": [:]]), eventID: "e4"),
    ServerEnvelope(
      .refreshed(
        Refresh(
          processed: 8, computations: [.init(["teas": [:]], .joinRows(rows))],
          attributes: [label]))),
    ServerEnvelope(.refreshed(Refresh(processed: nil))),
    ServerEnvelope(.transacted(transactionID: 9), eventID: "m1"),
    ServerEnvelope(
      .failed(
        ServerError(
          type: "validation-failed", "No.", hint: ["in": ["teas"]],
          original: ["op": "add-query", "q": [:]])), eventID: "e5"),
    ServerEnvelope(.appStatusChanged(.disabled)),
    ServerEnvelope(.roomJoined("bar"), eventID: "r1"),
    ServerEnvelope(.roomLeft("bar"), eventID: "r2"),
    ServerEnvelope(.presenceSet("bar"), eventID: "r3"),
    ServerEnvelope(.presence("bar", ["s1": ["peer-id": "s1", "user": nil, "data": [:]]])),
    ServerEnvelope(
      .broadcastDone(Broadcast(room: "bar", topic: "wave", data: ["n": 1])), eventID: "r4"),
    ServerEnvelope(.broadcast(Broadcast(room: "bar", topic: "wave", data: ["n": 1]))),
    ServerEnvelope(.other("stream-append")),
  ]

  @Test("round-trip", arguments: messages)
  func roundTrip(_ envelope: ServerEnvelope) throws {
    #expect(try MessageCoding.serverMessages(in: MessageCoding.text(envelope)) == [envelope])
  }

  @Test("use the keys that clients expect")
  func spelling() {
    let text = MessageCoding.text(
      ServerEnvelope(
        .refreshed(
          Refresh(
            processed: 8, computations: [.init(["teas": [:]], .joinRows(JoinRows()))]))))
    #expect(
      text == #"{"op":"refresh-ok","processed-tx-id":8,"processed-isn":null,"computations":["#
        + #"{"instaql-query":{"teas":{}},"instaql-result":[{"data":{"datalog-result":"#
        + #"{"join-rows":[[]]},"aggregate":{}},"child-nodes":[]}],"result-meta":null,"#
        + #""result-changed?":true}]}"#)
  }

  @Test("are the same when written once for many")
  func written() throws {
    let result = WrittenResult(
      result: #"[{"data":{"datalog-result":{"join-rows":[[]]}},"child-nodes":[]}]"#)
    let text = MessageCoding.text(
      ServerEnvelope(.queryAdded(["teas": [:]], .written(result), processed: 3)))
    #expect(
      try MessageCoding.serverMessages(in: text) == [
        ServerEnvelope(.queryAdded(["teas": [:]], .joinRows(JoinRows()), processed: 3))
      ])
  }

  @Test("contain nested rows, and times of older servers")
  func nested() throws {
    let text = """
      {"op":"add-query-ok","q":{},"processed-tx-id":1.0,"result":[
        {"data":{"datalog-result":{"join-rows":[[["a","x",1,5]],[["b","x",2,6.0]]]}},
         "child-nodes":[{"data":{"datalog-result":{"join-rows":[[["c","x",3]]]}},
                         "child-nodes":[]}]}]}
      """
    let rows = ["a", "b", "c"].enumerated().map { place, id in
      JoinRows.Row(
        EntityID(id), AttributeID("x"), .integer(Int64(place + 1)), createdAt: [5, 6, 0][place])
    }
    #expect(
      try MessageCoding.serverMessages(in: text).map(\.message) == [
        .queryAdded([:], .joinRows(JoinRows(rows)), processed: 1)
      ])
  }

  @Test("reject unusable transaction numbers", arguments: [-1, Int64.max])
  func numbers(_ number: Int64) throws {
    let answer = #"{"op":"add-query-ok","q":{},"processed-tx-id":\#(number),"result":[]}"#
    #expect(
      try MessageCoding.serverMessages(in: answer).map(\.message) == [
        .queryAdded([:], .joinRows(JoinRows()), processed: nil)
      ])
    #expect(throws: MessageFault.self) {
      try MessageCoding.serverMessages(in: #"{"op":"transact-ok","tx-id":\#(number)}"#)
    }
  }

  @Test("can be combined, and unknown ones are named")
  func batch() throws {
    let text = #"[{"op":"transact-ok","tx-id":4,"client-event-id":"m"},{"op":"news","x":[1]}]"#
    #expect(
      try MessageCoding.serverMessages(in: text) == [
        ServerEnvelope(.transacted(transactionID: 4), eventID: "m"), ServerEnvelope(.other("news")),
      ])
  }

  @Test("skip invalid attributes")
  func oddAttributes() throws {
    let text =
      #"{"op":"init-ok","session-id":"s","auth":{"app":{"id":"a"}},"attrs":[{"id":3},"#
      + JSONWriter.text(Self.label.json) + "]}"
    guard case .started(let info)? = try MessageCoding.serverMessages(in: text).first?.message
    else {
      Issue.record("no session began")
      return
    }
    #expect(info.attributes == [Self.label])
    #expect(info.status == .active)
  }

  @Test(
    "that are invalid are rejected with the reason",
    arguments: [
      "", "[", "7", "[7]", "{}", #"{"op":"add-query-ok","q":{}}"#, #"{"op":"transact-ok"}"#,
      #"{"op":"add-query-ok","q":{},"result":5}"#,
      #"{"op":"add-query-ok","q":{},"#
        + #""result":[{"data":{"datalog-result":{"join-rows":[[["a",1]]]}}}]}"#,
    ])
  func faults(_ text: String) {
    #expect(throws: MessageFault.self) { try MessageCoding.serverMessages(in: text) }
  }
}
