package import Triples

/// A client's message, as a server parses it, together with its original JSON.
package struct ReceivedMessage: Sendable {
  /// The original message, which the server repeats in errors.
  package let original: Value
  package let eventID: String?
  /// The message. If the original is invalid, the error to send instead.
  package let message: Result<ClientMessage, ServerError>
}

extension MessageCoding {
  package static func text(_ envelope: ClientEnvelope) -> String {
    JSONWriter.text(json(envelope))
  }

  /// Parses a client's text: one message, or an array of several.
  ///
  /// - Throws: An error if the text is not a JSON object or array, or contains too many messages.
  ///   If invalid JSON begins like a message of Instant's client, it does not throw, but becomes a
  ///   rejected message.
  package static func clientMessages(
    in text: String, maxBytes: Int = 64 << 20, maxMessages: Int = .max
  ) throws(ServerError) -> [ReceivedMessage] {
    let json: Result<Value, ServerError>
    do throws(JSONError) {
      json = try JSONReader.withRoot(
        of: Array(text.utf8), options: options(bytes: maxBytes)
      ) { root throws(JSONError) in
        // The messages are counted before they are built, because they take far more memory than
        // their text.
        root.kind == .array && root.count > maxMessages
          ? .failure(.batch(of: root.count, limit: maxMessages)) : .success(root.value)
      }
    } catch {
      let fault = ServerError.unreadable(error.description)
      guard let head = MessageHead(of: text, maxBytes: maxBytes) else { throw fault }
      return [head.refused(fault)]
    }
    let value = try json.get()
    switch value {
    case .object: return [parseMessage(value)]
    case .array(let items): return items.map(parseMessage)
    case .null, .bool, .integer, .double, .text:
      throw .unreadable("expected an object, found \(value.kindName)")
    }
  }

  private static func parseMessage(_ json: Value) -> ReceivedMessage {
    guard case .object(let object) = json else {
      return ReceivedMessage(
        original: json, eventID: nil,
        message: .failure(.unreadable("expected an object, found \(json.kindName)")))
    }
    let reader = ClientMessageReader(object: object, original: json)
    let message: Result<ClientMessage, ServerError>
    do throws(ServerError) { message = .success(try reader.message()) } catch {
      message = .failure(error)
    }
    return ReceivedMessage(
      original: json, eventID: object.text("client-event-id"), message: message)
  }

  // MARK: Writing

  private static func json(_ envelope: ClientEnvelope) -> Value {
    var object = JSONObject()
    object["op"] = .text(envelope.message.operation)
    object["client-event-id"] = envelope.eventID.map(Value.text)
    switch envelope.message {
    case .start(let opening):
      object["app-id"] = .text(opening.appID)
      object["refresh-token"] = opening.refreshToken.map(Value.text) ?? .null
      object["__admin-token"] = opening.adminToken.map(Value.text)
      object["versions"] = .object(
        JSONObject(
          opening.versions.sorted { $0.key < $1.key }
            .map { JSONObject.Member(key: $0.key, value: .text($0.value)) }))
    case .addQuery(let query, let form):
      object["q"] = query
      if form != .joinRows { object["return-type"] = .text(form.rawValue) }
    case .removeQuery(let query): object["q"] = query
    case .transact(let transaction): object["tx-steps"] = transaction.json
    case .joinRoom(let room, let type, let data):
      object["room-type"] = type.map(Value.text)
      object["room-id"] = .text(room)
      object["data"] = data
    case .leaveRoom(let room): object["room-id"] = .text(room)
    case .setPresence(let room, let data):
      object["room-id"] = .text(room)
      object["data"] = data
    case .broadcast(let broadcast):
      object["room-id"] = .text(broadcast.room)
      object["roomType"] = broadcast.type.map(Value.text)
      object["topic"] = .text(broadcast.topic)
      object["data"] = broadcast.data
    case .other: break
    }
    return .object(object)
  }
}

/// Reads the members of one message, and reports the first member that is missing.
private struct ClientMessageReader {
  let object: JSONObject
  let original: Value

  func message() throws(ServerError) -> ClientMessage {
    guard let name = object.text("op") else { throw .missing("op", in: "message", original) }
    guard let operation = ClientOperation(rawValue: name) else { return .other(name) }
    switch operation {
    case .start: return .start(try opening())
    case .addQuery:
      let form = try returnType()
      return .addQuery(try query(), form)
    case .removeQuery: return .removeQuery(try query())
    case .transact:
      guard let steps = object["tx-steps"] else { throw missing("tx-steps") }
      do throws(TransactionError) { return .transact(try Transaction(json: steps)) } catch {
        throw .refusedSteps(error.message, "tx-steps", steps, original)
      }
    case .joinRoom:
      return .joinRoom(try room(), type: object.text("room-type"), data: object["data"])
    case .leaveRoom: return .leaveRoom(try room())
    case .setPresence: return .setPresence(try room(), object["data"] ?? [:])
    case .broadcast:
      return .broadcast(
        Broadcast(
          room: try room(), type: object.text("roomType"), topic: try text("topic"),
          data: object["data"] ?? .null))
    }
  }

  private func missing(_ key: String) -> ServerError {
    .missing(key, in: object.text("op") ?? "message", original)
  }

  private func text(_ key: String) throws(ServerError) -> String {
    guard let text = object.text(key) else { throw missing(key) }
    return text
  }

  /// Returns the name of a room. Some apps use numbers as names. They are converted to text, as in
  /// Instant's client.
  private func room() throws(ServerError) -> String {
    guard let number = object["room-id"]?.wholeNumber else { return try text("room-id") }
    return String(number)
  }

  private func query() throws(ServerError) -> Value {
    guard let query = object["q"], query != .null else { throw .nullQuery(original) }
    return query
  }

  private func returnType() throws(ServerError) -> ResultForm {
    guard let word = object["return-type"], word != .null else { return .joinRows }
    guard let form = word.textValue.flatMap(ResultForm.init(rawValue:)) else {
      throw missing("return-type")
    }
    return form
  }

  private func opening() throws(ServerError) -> Opening {
    var versions: [String: String] = [:]
    if case .object(let given)? = object["versions"] {
      for member in given.members { versions[member.key] = member.value.textValue }
    }
    return Opening(
      appID: try text("app-id"), refreshToken: object.text("refresh-token"),
      adminToken: object.text("__admin-token"), versions: versions)
  }
}
