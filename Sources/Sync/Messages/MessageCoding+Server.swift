import InstaQL
package import Triples

/// Writes a server's messages.
extension MessageCoding {
  package static func text(_ envelope: ServerEnvelope) -> String {
    var output = JSONOutput(capacity: 256)
    write(envelope, into: &output)
    return output.text
  }

  package static func write(_ envelope: ServerEnvelope, into output: inout JSONOutput) {
    output.append("{\"op\":")
    output.write(envelope.message.operation)
    if let id = envelope.eventID {
      output.append(",\"client-event-id\":")
      output.write(id)
    }
    write(envelope.message, into: &output)
    output.append("}")
  }

  /// Writes the members of a message. The name of the message precedes them.
  private static func write(_ message: ServerMessage, into output: inout JSONOutput) {
    switch message {
    case .started(let info): write(info, into: &output)
    case .queryAdded(let query, let result, let processed):
      member("q", query, into: &output)
      write(processed: processed, into: &output)
      write(result, key: "result", into: &output)
    case .queryExists(let query), .queryRemoved(let query): member("q", query, into: &output)
    case .refreshed(let refresh): write(refresh, into: &output)
    case .transacted(let id):
      member("tx-id", .integer(Int64(id)), into: &output)
      member("isn", .null, into: &output)
    case .failed(let error): write(error, into: &output)
    case .appStatusChanged(let status): member("status", .text(status.rawValue), into: &output)
    case .roomJoined(let room), .roomLeft(let room), .presenceSet(let room):
      member("room-id", .text(room), into: &output)
    case .presence(let room, let peers):
      member("room-id", .text(room), into: &output)
      member("data", .object(peers), into: &output)
    case .broadcastDone(let broadcast), .broadcast(let broadcast):
      member("room-id", .text(broadcast.room), into: &output)
      member("topic", .text(broadcast.topic), into: &output)
      member("data", broadcast.data, into: &output)
    case .other: break
    }
  }

  private static func write(_ info: SessionInfo, into output: inout JSONOutput) {
    member("session-id", .text(info.sessionID), into: &output)
    var app: JSONObject = ["id": .text(info.appID)]
    app["title"] = info.appTitle.map(Value.text)
    var auth: JSONObject = ["app": .object(app), "user": info.user ?? .null]
    if info.isAdmin { auth["admin?"] = true }
    member("auth", .object(auth), into: &output)
    member("app-status", ["status": .text(info.status.rawValue)], into: &output)
    write(info.attributes, into: &output)
  }

  private static func write(_ refresh: Refresh, into output: inout JSONOutput) {
    write(processed: refresh.processed, into: &output)
    output.append(",\"computations\":[")
    for (place, computation) in refresh.computations.enumerated() {
      if place > 0 { output.append(",") }
      output.append("{\"instaql-query\":")
      output.write(computation.query)
      write(computation.result, key: "instaql-result", into: &output)
      member("result-changed?", true, into: &output)
      output.append("}")
    }
    output.append("]")
    if let attributes = refresh.attributes { write(attributes, into: &output) }
  }

  private static func write(_ error: ServerError, into output: inout JSONOutput) {
    member("status", .integer(Int64(error.status)), into: &output)
    if let type = error.type { member("type", .text(type), into: &output) }
    member("message", .text(error.message), into: &output)
    if let hint = error.hint { member("hint", hint, into: &output) }
    if let text = error.originalText {
      output.append(",\"original-event\":")
      output.append(raw: text)
    } else if let original = error.original {
      member("original-event", original, into: &output)
    }
  }

  private static func write(_ attributes: [Attribute], into output: inout JSONOutput) {
    output.append(",\"attrs\":[")
    for (place, attribute) in attributes.enumerated() {
      if place > 0 { output.append(",") }
      output.write(attribute.json)
    }
    output.append("]")
  }

  private static func write(processed: Int?, into output: inout JSONOutput) {
    member("processed-tx-id", processed.map { .integer(Int64($0)) } ?? .null, into: &output)
    member("processed-isn", .null, into: &output)
  }

  // MARK: Results

  private static func write(_ result: QueryResult, key: String, into output: inout JSONOutput) {
    output.append(",")
    output.write(key)
    output.append(":")
    switch result {
    case .written(let written):
      output.append(raw: written.result)
      output.append(",\"result-meta\":")
      output.append(raw: written.meta ?? "null")
    case .joinRows(let rows):
      output.append("[{\"data\":{\"datalog-result\":{\"join-rows\":[[")
      for (place, row) in rows.rows.enumerated() {
        if place > 0 { output.append(",") }
        write(row, into: &output)
      }
      output.append("]]}")
      if !rows.pages.isEmpty { member("page-info", json(rows.pages), into: &output) }
      member("aggregate", json(rows.counts), into: &output)
      output.append("},\"child-nodes\":[]}],\"result-meta\":null")
    case .tree(let tree):
      output.write(.object(tree.data))
      member(
        "result-meta", ["page-info": json(tree.pages), "aggregate": json(tree.counts)],
        into: &output)
    }
  }

  private static func write(_ row: JoinRows.Row, into output: inout JSONOutput) {
    output.append("[")
    output.write(row.entity.text)
    output.append(",")
    output.write(row.attribute.text)
    output.append(",")
    output.write(row.value)
    output.append(",")
    output.write(row.createdAt)
    output.append("]")
  }

  static func json(_ pages: [String: PageInfo]) -> Value {
    .object(
      JSONObject(
        pages.sorted { $0.key < $1.key }.map {
          JSONObject.Member(key: $0.key, value: json($0.value))
        }))
  }

  private static func json(_ page: PageInfo) -> Value {
    [
      "start-cursor": page.start?.json ?? .null, "end-cursor": page.end?.json ?? .null,
      "has-next-page?": .bool(page.hasNext), "has-previous-page?": .bool(page.hasPrevious),
    ]
  }

  static func json(_ counts: [String: Int]) -> Value {
    .object(
      JSONObject(
        counts.sorted { $0.key < $1.key }.map {
          JSONObject.Member(key: $0.key, value: ["count": .integer(Int64($0.value))])
        }))
  }

  private static func member(_ key: String, _ value: Value, into output: inout JSONOutput) {
    output.append(",")
    output.write(key)
    output.append(":")
    output.write(value)
  }
}

extension JSONOutput {
  /// Appends a text that is already valid JSON.
  mutating func append(raw json: String) {
    var json = json
    json.withUTF8 { append($0) }
  }
}
