import InstaQL
import SyncTestSupport
import Sync
import TestSupport
import Triples
import WebSockets

/// A client that processes messages like Instant's JavaScript client: it reads the same parts,
/// makes the same assumptions, and throws where that one would.
final class ScriptClient {
  /// The known answer to a query.
  struct Result {
    var triples: [[Value]]
    var pages: Value?
    var processed: Int
  }

  private let channel: any MessageChannel
  private var texts: AwaitedSequence<AsyncStream<String>>.Iterator
  private var heard: [JSONObject] = []
  private(set) var attributes: [String: JSONObject] = [:]
  private var queries: Set<Value> = []
  private(set) var results: [Value: Result] = [:]
  /// A sent change and its confirmed transaction.
  private(set) var mutations: [String: Int?] = [:]
  private(set) var sessionID = ""

  init(_ channel: any MessageChannel) {
    self.channel = channel
    texts = channel.incoming.awaited("a message of the server").makeAsyncIterator()
  }

  static func open(
    _ listener: WebSocketListener, showing opening: JSONObject = [:]
  ) async throws -> ScriptClient {
    let client = ScriptClient(try await WebSocketClient.forTests(listener.address).connect())
    var message: JSONObject = [
      "app-id": .text(EntityID.random().text), "versions": ["@instantdb/core": "v0.22.170"],
    ]
    for member in opening.members { message[member.key] = member.value }
    _ = try await client.ask("init", message)
    return client
  }

  func close() async { await channel.close() }

  // MARK: Speaking

  /// Sends a message and returns the response with its id.
  func ask(
    _ operation: String, _ members: JSONObject = [:], as id: String = EntityID.random().text
  ) async throws -> JSONObject {
    var message: JSONObject = ["client-event-id": .text(id), "op": .text(operation)]
    for member in members.members { message[member.key] = member.value }
    return try await ask(JSONWriter.text(.object(message)), as: id)
  }

  /// Sends the text of a message and returns the response.
  func ask(_ text: String, as id: String) async throws -> JSONObject {
    try await channel.send(text)
    while true {
      let message = try await hear()
      if message["client-event-id"] == .text(id) { return message }
    }
  }

  func say(_ text: String) async throws { try await channel.send(text) }

  func subscribe(to query: Value) async throws -> JSONObject {
    queries.insert(query)
    return try await ask("add-query", ["q": query])
  }

  func transact(_ steps: Value, as id: String = EntityID.random().text) async throws -> JSONObject {
    mutations[id] = .some(nil)
    return try await ask("transact", ["tx-steps": steps], as: id)
  }

  /// Whether a change is still applied on top of an answer, because the server has not included
  /// it.
  func holds(_ mutation: String, over query: Value) -> Bool {
    guard let confirmed = mutations[mutation] else { return false }
    guard let confirmed else { return true }
    return confirmed > results[query]?.processed ?? 0
  }

  /// The values of an attribute in the answer to a query.
  func values(_ namespace: String, _ label: String, in query: Value) -> [Value] {
    let id = attributes.first {
      $0.value["forward-identity"].parts.dropFirst() == [.text(namespace), .text(label)]
    }?.key
    return (results[query]?.triples ?? []).filter { $0[1].textValue == id }.map { $0[2] }
  }

  // MARK: Hearing

  /// The next raw text.
  func hearText() async throws -> String {
    guard heard.isEmpty, let text = try await texts.next(isolation: #isolation) else {
      throw Unexpected(what: "the channel ended")
    }
    return text
  }

  /// The next message, processed.
  func hear() async throws -> JSONObject {
    while heard.isEmpty {
      guard let text = try await texts.next(isolation: #isolation) else {
        throw Unexpected(what: "the channel ended")
      }
      // JavaScript replaces half a character.
      let json = try JSONReader.value(of: LoneSurrogates.replaced(in: text.utf8))
      heard = try (json.isArray ? json.parts : [json]).map { try $0.object("message") }
    }
    let message = heard.removeFirst()
    try take(message)
    return message
  }

  private func take(_ message: JSONObject) throws {
    switch message["op"]?.textValue {
    case "init-ok":
      sessionID = try message["session-id"].text("session-id")
      try take(attributes: message["attrs"])
    case "add-query-ok": try take(message["q"], message["result"], message)
    case "refresh-ok":
      if let attributes = message["attrs"] { try take(attributes: attributes) }
      for item in try message["computations"].list("computations") {
        let computation = try item.object("computation")
        try take(computation["instaql-query"], computation["instaql-result"], message)
      }
    case "transact-ok":
      let id = try message["client-event-id"].text("client-event-id")
      let number = try message["tx-id"].number("tx-id")
      // Zero counts as missing there.
      guard number > 0 else { throw Unexpected(what: "tx-id \(number)") }
      if mutations[id] != nil { mutations[id] = number }
    case "error":
      _ = try message["message"].text("message")
      _ = try message["status"].number("status")
      if let id = message["client-event-id"]?.textValue { mutations[id] = nil }
    default: break
    }
  }

  private func take(attributes list: Value?) throws {
    attributes = [:]
    for item in try list.list("attrs") {
      let attribute = try item.object("attribute")
      let identities = [attribute["forward-identity"], attribute["reverse-identity"]]
      let isLink = attribute["value-type"] == "ref"
      for identity in identities.prefix(isLink ? 2 : 1) {
        guard identity.parts.count == 3, identity.parts.allSatisfy({ $0.textValue != nil }) else {
          throw Unexpected(what: "identity \(identities)")
        }
      }
      // An attribute with this name is sent with each change.
      guard attribute["isUnsynced"] == nil else { throw Unexpected(what: "isUnsynced") }
      attributes[try attribute["id"].text("id")] = attribute
    }
  }

  private func take(_ query: Value?, _ nodes: Value?, _ message: JSONObject) throws {
    guard let query, queries.contains(query) else {
      throw Unexpected(what: "an answer to a query that is not known: \(String(describing: query))")
    }
    let first = try nodes.list("result").first.object("node")["data"].object("data")
    results[query] = Result(
      triples: try triples(nodes), pages: first["page-info"],
      processed: try message["processed-tx-id"].number("processed-tx-id"))
  }

  private func triples(_ nodes: Value?) throws -> [[Value]] {
    try nodes.list("nodes").flatMap { item throws -> [[Value]] in
      let node = try item.object("node")
      let result = try node["data"].object("data")["datalog-result"].object("datalog-result")
      let rows = try result["join-rows"].list("join-rows").flatMap { try $0.list("rows") }
      let here = try rows.map { row throws -> [Value] in
        let triple = try row.list("triple")
        guard triple.count == 4, attributes[triple[1].textValue ?? ""] != nil else {
          throw Unexpected(what: "triple \(triple)")
        }
        _ = try triple[3].number("time")
        return triple
      }
      return here + (try triples(node["child-nodes"]))
    }
  }
}

extension Value {
  fileprivate var isArray: Bool { if case .array = self { true } else { false } }
}

// A missing or different value is an exception there.
extension Value? {
  fileprivate var parts: [Value] { if case .array(let items)? = self { items } else { [] } }

  fileprivate func list(_ name: String) throws -> [Value] {
    guard case .array(let items)? = self else { throw Unexpected(what: "\(name) is no list") }
    return items
  }

  fileprivate func object(_ name: String) throws -> JSONObject {
    guard case .object(let object)? = self else { throw Unexpected(what: "\(name) is no object") }
    return object
  }

  fileprivate func text(_ name: String) throws -> String {
    guard case .text(let text)? = self else { throw Unexpected(what: "\(name) is no text") }
    return text
  }

  fileprivate func number(_ name: String) throws -> Int {
    switch self {
    case .integer(let number)?: return Int(number)
    case .double(let number)?: return Int(number)
    case .null?, .bool?, .text?, .array?, .object?, nil:
      throw Unexpected(what: "\(name) is no number")
    }
  }
}

extension Value {
  fileprivate var parts: [Value] { Optional(self).parts }
  fileprivate func list(_ name: String) throws -> [Value] { try Optional(self).list(name) }
  fileprivate func object(_ name: String) throws -> JSONObject { try Optional(self).object(name) }
  fileprivate func number(_ name: String) throws -> Int { try Optional(self).number(name) }
}
