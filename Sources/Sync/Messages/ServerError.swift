import InstaQL
package import Triples

/// A rejection or failure as part of a message: a status, a type for programs, and a sentence for
/// users.
package struct ServerError: Error, Hashable, Sendable {
  /// The status: 400 for an invalid request, 429 for too many requests, 500 for a failure of the
  /// server.
  package var status: Int
  /// The type of the error; nil if the error is unexpected.
  package var type: String?
  package var message: String
  package var hint: Value?
  /// The failed message, as the client sent it.
  package var original: Value?
  /// The text of the failed message, if it could not be parsed. Only servers set it.
  var originalText: String?

  package init(
    status: Int = 400, type: String?, _ message: String, hint: Value? = nil,
    original: Value? = nil
  ) {
    self.status = status
    self.type = type
    self.message = message
    self.hint = hint
    self.original = original
  }

  /// The name of the failed message; nil if it is unknown.
  package var originalOperation: String? {
    guard case .object(let object)? = original else { return nil }
    return object["op"]?.textValue
  }

  /// The query in the failed message; nil if the message has no query.
  package var originalQuery: Value? {
    guard case .object(let object)? = original else { return nil }
    return object["q"]
  }

  /// The kind of record that was not found; nil for other errors.
  package var recordType: String? {
    guard case .object(let object)? = hint else { return nil }
    return object["record-type"]?.textValue
  }
}

extension ServerError: CustomStringConvertible {
  package var description: String { message }
}

/// The errors that a session sends, and their sentences.
extension ServerError {
  static func notStarted(_ original: Value) -> ServerError {
    validation("init", "`init` has not run for this session.", original)
  }

  static func startedBefore(_ original: Value) -> ServerError {
    validation("init", "`init` has already run for this session.", original)
  }

  static func notInRoom(_ original: Value) -> ServerError {
    validation("room", "You have not entered this room yet.", original)
  }

  /// Returns the error for a message that is unknown or not supported.
  ///
  /// The sentence names the parts of the protocol that are not supported, because the developer of
  /// the app reads it.
  static func unknownOperation(_ name: String, _ original: Value) -> ServerError {
    let leftOut: String? =
      switch name {
      case "start-sync", "resync-table", "remove-sync": "sync tables"
      case "start-stream", "create-stream", "restart-stream", "append-stream", "subscribe-stream",
        "unsubscribe-stream":
        "streams"
      default: nil
      }
    if let leftOut {
      return ServerError(
        type: "not-supported",
        "This server does not support \(leftOut), so '\(name)' has no effect.",
        hint: ["op": .text(name)], original: original)
    }
    return ServerError(
      type: "param-malformed", "Invalid op", hint: ["op": .text(name)], original: original)
  }

  static func missing(_ key: String, in operation: String, _ original: Value) -> ServerError {
    ServerError(
      type: "param-missing", "\(operation): `\(key)` is missing or has the wrong type.",
      hint: ["in": [.text(key)]], original: original)
  }

  static func unreadable(_ reason: String) -> ServerError {
    ServerError(
      type: "param-malformed", "The message cannot be read: \(reason).",
      hint: ["in": []])
  }

  /// Returns the error for a missing or wrong token. Clients recognize the error by its type and
  /// hint.
  package static func wrongToken(_ record: String, _ original: Value? = nil) -> ServerError {
    ServerError(
      type: "record-not-found",
      "Record not found: \(record). This server requires its token: sign in with the token, or "
        + "pass it as the admin token.", hint: ["record-type": .text(record)], original: original)
  }

  static func refusedQuery(_ error: QueryError, _ query: Value, _ original: Value?) -> ServerError {
    refusedQuery(
      error.message, at: error.path.map(query.keys(along:)), hint: error.hint, query, original)
  }

  /// Returns the error for an invalid query.
  ///
  /// - Parameter path: The keys that lead to the invalid part, from the outside in; nil if unknown.
  static func refusedQuery(
    _ sentence: String, at path: [String]? = nil, hint: String?, _ query: Value, _ original: Value?
  ) -> ServerError {
    var fault = JSONObject()
    fault["in"] = path.map { .array($0.map(Value.text)) }
    fault["message"] = .text(sentence)
    fault["hint"] = hint.map(Value.text)
    return ServerError(
      type: "validation-failed", "Validation failed for query: \(sentence)",
      hint: ["data-type": "query", "input": query, "errors": [.object(fault)]], original: original)
  }

  static func refusedQuery(
    _ form: QueryForm.Fault, _ query: Value, _ original: Value?
  ) -> ServerError {
    refusedQuery(form.sentence, at: form.path, hint: form.hint, query, original)
  }

  /// Returns the error for invalid transaction steps.
  static func refusedSteps(
    _ sentence: String, _ input: String, _ steps: Value, _ original: Value?
  ) -> ServerError {
    ServerError(
      type: "validation-failed", "Validation failed for \(input): \(sentence)",
      hint: [
        "data-type": .text(input), "input": steps, "errors": [["message": .text(sentence)]],
      ], original: original)
  }

  static func readOnly(_ original: Value?) -> ServerError {
    ServerError(
      type: "app-read-only",
      "The server is read-only. Its operator can allow changes with: sonde serve --write",
      hint: ["status": "read-only"], original: original)
  }

  static func tooMuch(_ what: String, retryAfter seconds: Int?, _ original: Value?) -> ServerError {
    var hint: Value = [:]
    if let seconds { hint = ["retry-after": .integer(Int64(seconds))] }
    return ServerError(status: 429, type: "rate-limited", what, hint: hint, original: original)
  }

  /// Returns the error for too many wrong tokens from one address.
  package static func tooManyAttempts(_ seconds: Int) -> ServerError {
    tooMuch(
      "Too many wrong tokens came from your address. Try again in \(seconds) s.",
      retryAfter: seconds, nil)
  }

  /// Returns the error for an array with more messages than a client may send at once.
  package static func batch(of count: Int, limit: Int) -> ServerError {
    tooMuch(
      "The array has \(count) messages, but at most \(limit) are allowed. None was processed. "
        + "Send them in several arrays.",
      retryAfter: nil, nil)
  }

  // MARK: Limits

  static func tooManyMessages(limit: Int, _ original: Value?) -> ServerError {
    tooMuch(
      "This message was not processed, because the connection sends more than \(limit) messages per "
        + "second. Wait a second, then send it again.", retryAfter: 1, original)
  }

  static func tooManySubscriptions(limit: Int, _ original: Value?) -> ServerError {
    tooMuch(
      "This connection has reached the limit of \(limit) subscriptions. Remove some before adding "
        + "others.", retryAfter: nil, original)
  }

  static func queriesTooLarge(limit: Int, _ original: Value?) -> ServerError {
    tooMuch(
      "The queries of this connection would exceed the limit of \(limit) bytes. "
        + "Remove some before adding others. \(QuerySize.rule)", retryAfter: nil, original)
  }

  static func allQueriesTooLarge(limit: Int, _ original: Value?) -> ServerError {
    tooMuch(
      "The queries of all clients would exceed the limit of \(limit) bytes. Use shorter "
        + "queries, or try again in a few seconds. \(QuerySize.rule)", retryAfter: 10, original)
  }

  static func tooManyQueries(limit: Int, _ original: Value?) -> ServerError {
    tooMuch(
      "The server has reached the limit of \(limit) different queries. Remove one, or try again in a "
        + "few seconds.",
      retryAfter: 10, original)
  }

  static func tooManyConnections(limit: Int) -> ServerError {
    tooMuch(
      "The server has reached the limit of \(limit) connections. Try again in a few seconds.",
      retryAfter: 10, nil)
  }

  static func roomNameTooLong(limit: Int) -> ServerError {
    tooMuch(
      "The name of the room is longer than \(limit) bytes. Use a shorter name.",
      retryAfter: nil, nil)
  }

  static func tooManyRooms(limit: Int, entering room: String, _ original: Value?) -> ServerError {
    tooMuch(
      "You have reached the limit of \(limit) rooms. Leave one before entering '\(room)'.",
      retryAfter: nil, original)
  }

  /// Returns the error for a client whose presence data, in all of its rooms together, exceeds the
  /// limit.
  static func presenceTooLarge(_ bytes: Int, limit: Int) -> ServerError {
    tooMuch(
      "The presence data of this connection in all rooms would have \(bytes) bytes and exceed the "
        + "limit of \(limit). Send less, or keep the data in the store.", retryAfter: nil, nil)
  }

  /// Returns the error for a room in which the presence data of all clients together would exceed
  /// the limit.
  static func roomFull(_ room: String, limit: Int) -> ServerError {
    tooMuch(
      "The presence data of all clients in the room '\(room)' would exceed the limit of \(limit) "
        + "bytes. Send less, or keep the data in the store.", retryAfter: nil, nil)
  }

  static func roomMessageTooLarge(_ bytes: Int, to room: String, limit: Int) -> ServerError {
    tooMuch(
      "The message to the room '\(room)' has \(bytes) bytes and exceeds the limit of \(limit). "
        + "Send less, or keep the data in the store.", retryAfter: nil, nil)
  }

  static let attributesChanging = tooMuch(
    "The change was not applied, because other clients keep changing the schema. Try again in a "
      + "second.", retryAfter: 1, nil)

  private static func validation(
    _ input: String, _ sentence: String, _ original: Value
  ) -> ServerError {
    ServerError(
      type: "validation-failed", "Validation failed for \(input): \(sentence)",
      hint: [
        "data-type": .text(input), "input": original, "errors": [["message": .text(sentence)]],
      ], original: original)
  }

  /// Returns the error for a request that timed out.
  package static func timedOut(_ limit: Int64, _ original: Value?) -> ServerError {
    ServerError(
      status: 500, type: "operation-timed-out", "Operation timed out: handle-receive",
      hint: ["timeout-ms": .integer(limit)], original: original)
  }

  static func nullQuery(_ original: Value) -> ServerError {
    validation("add-query", "Query can not be null.", original)
  }
}

extension QueryError {
  /// The position of the invalid part, such as `cities.$.limit`; nil if it is unknown.
  fileprivate var path: String? {
    switch self {
    case .invalid(let path, _): path.isEmpty ? nil : path
    case .validation(let fault): fault.path
    case .syntax, .json, .notExpressible, .notInSQL, .notALink, .noRelation, .unknownField,
      .noStore, .decoding, .store, .cancelled:
      nil
    }
  }
}

extension Value {
  /// Returns the keys of this query that a path denotes. A key may contain dots.
  fileprivate func keys(along path: String) -> [String] {
    var (keys, value, rest) = ([String](), self, Substring(path))
    while !rest.isEmpty {
      guard case .object(let object) = value,
        let member = object.members.filter({ rest == $0.key || rest.hasPrefix($0.key + ".") })
          .max(by: { $0.key.utf8.count < $1.key.utf8.count })
      else { return keys + rest.split(separator: ".").map(String.init) }
      keys.append(member.key)
      value = member.value
      rest = rest.dropFirst(member.key.count + 1)
    }
    return keys
  }
}
