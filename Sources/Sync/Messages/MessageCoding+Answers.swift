import InstaQL
import Triples

/// Parses a server's messages.
extension MessageCoding {
  /// Parses a server's text: one message, or an array of several.
  ///
  /// Unknown messages become `other`. Invalid attributes are skipped, so that the valid attributes
  /// can be used.
  ///
  /// - Throws: An error if the text is not JSON, or if a known message lacks a required member.
  package static func serverMessages(in text: String) throws(MessageFault) -> [ServerEnvelope] {
    try JSONReader.withRoot(
      of: Array(text.utf8), options: answerOptions,
      failure: { MessageFault(reason: $0.description) }
    ) { root throws(MessageFault) in
      guard root.kind == .array else { return [try ServerMessageReader(node: root).envelope()] }
      var envelopes: [ServerEnvelope] = []
      var node = root.first
      for _ in 0..<root.count {
        envelopes.append(try ServerMessageReader(node: node).envelope())
        node = node.next
      }
      return envelopes
    }
  }
}

/// Reads the members of one message.
private struct ServerMessageReader {
  let node: JSONNode

  func envelope() throws(MessageFault) -> ServerEnvelope {
    guard node.kind == .object else { throw MessageFault(reason: "it is not a JSON object") }
    guard let operation = text("op") else { throw MessageFault(reason: "it has no 'op'") }
    return ServerEnvelope(try message(operation), eventID: text("client-event-id"))
  }

  private func message(_ name: String) throws(MessageFault) -> ServerMessage {
    guard let operation = ServerOperation(rawValue: name) else { return .other(name) }
    switch operation {
    case .started: return .started(try info())
    case .queryAdded:
      return .queryAdded(
        try value("q", operation), try result(in: node, "result"), processed: processed)
    case .queryExists: return .queryExists(try value("q", operation))
    case .queryRemoved: return .queryRemoved(try value("q", operation))
    case .refreshed: return .refreshed(try refresh())
    case .transacted:
      guard let id = node.member("tx-id")?.value.count else {
        throw lacks("tx-id", operation)
      }
      return .transacted(transactionID: id)
    case .failed: return .failed(error())
    case .appStatusChanged:
      return .appStatusChanged(text("status").flatMap(AppStatus.init(rawValue:)) ?? .active)
    case .roomJoined: return .roomJoined(try room(operation))
    case .roomLeft: return .roomLeft(try room(operation))
    case .presenceSet: return .presenceSet(try room(operation))
    case .presence:
      guard case .object(let peers)? = node.member("data")?.value else {
        throw lacks("data", operation)
      }
      return .presence(try room(operation), peers)
    case .broadcastDone: return .broadcastDone(try broadcast(operation))
    case .broadcast: return .broadcast(try broadcast(operation))
    }
  }

  private func lacks(_ key: String, _ operation: ServerOperation) -> MessageFault {
    MessageFault(reason: "its member '\(key)' is missing or invalid ('\(operation.rawValue)')")
  }

  private func text(_ key: StaticString) -> String? {
    guard let found = node.member(key), found.kind == .text else { return nil }
    return found.text
  }

  private func value(_ key: StaticString, _ operation: ServerOperation) throws(MessageFault)
    -> Value
  {
    guard let found = node.member(key) else { throw lacks("\(key)", operation) }
    return found.value
  }

  private func room(_ operation: ServerOperation) throws(MessageFault) -> String {
    guard let room = text("room-id") else { throw lacks("room-id", operation) }
    return room
  }

  private var processed: Int? { node.member("processed-tx-id")?.value.count }

  private func broadcast(_ operation: ServerOperation) throws(MessageFault) -> Broadcast {
    guard let topic = text("topic") else { throw lacks("topic", operation) }
    return Broadcast(
      room: try room(operation), topic: topic, data: node.member("data")?.value ?? .null)
  }

  private func error() -> ServerError {
    ServerError(
      status: node.member("status")?.value.wholeNumber ?? 500, type: text("type"),
      text("message") ?? "The server gave no reason.", hint: node.member("hint")?.value,
      original: node.member("original-event")?.value)
  }

  private func info() throws(MessageFault) -> SessionInfo {
    guard let session = text("session-id") else { throw lacks("session-id", .started) }
    let auth = node.member("auth")
    let app = auth?.member("app")?.value
    var info = SessionInfo(sessionID: session, appID: "")
    if case .object(let app)? = app {
      info.appID = app.text("id") ?? ""
      info.appTitle = app.text("title")
    }
    info.isAdmin = auth?.member("admin?")?.value == .bool(true)
    if let user = auth?.member("user")?.value, user != .null { info.user = user }
    if let status = node.member("app-status")?.member("status"), status.kind == .text {
      info.status = AppStatus(rawValue: status.text) ?? .active
    }
    info.attributes = attributes() ?? []
    return info
  }

  private func attributes() -> [Attribute]? {
    guard case .array(let items)? = node.member("attrs")?.value else { return nil }
    // Queries cannot use an invalid attribute, so it is skipped.
    return items.compactMap { try? Attribute(json: $0) }
  }

  private func refresh() throws(MessageFault) -> Refresh {
    var refresh = Refresh(processed: processed, attributes: attributes())
    guard let list = node.member("computations"), list.kind == .array else { return refresh }
    var item = list.first
    for _ in 0..<list.count {
      guard let query = item.member("instaql-query") else {
        throw lacks("instaql-query", .refreshed)
      }
      refresh.computations.append(
        .init(query.value, try result(in: item, "instaql-result")))
      item = item.next
    }
    return refresh
  }

  // MARK: Results

  private func result(in node: JSONNode, _ key: StaticString) throws(MessageFault) -> QueryResult {
    guard let found = node.member(key) else { throw MessageFault(reason: "it has no '\(key)'") }
    switch found.kind {
    case .array:
      var reader = JoinRowsReader()
      try reader.read(nodes: found)
      return .joinRows(reader.result)
    case .object:
      guard case .object(let data) = found.value else { return .tree(Tree(JSONObject())) }
      let meta = node.member("result-meta")
      return .tree(
        Tree(
          data, pages: JoinRowsReader.pages(meta?.member("page-info")),
          counts: JoinRowsReader.counts(meta?.member("aggregate"))))
    case .null, .bool, .small, .large, .double, .text:
      throw MessageFault(reason: "'\(key)' is neither a list of rows nor an object")
    }
  }
}

/// Collects the rows of a result from its nodes, which are nested to any depth.
private struct JoinRowsReader {
  var result = JoinRows()

  /// Adds the rows of nodes and, recursively, of their child nodes to `result`.
  ///
  /// - Parameter nodes: An array. The JSON parser limits its depth, and so the depth of the
  ///   recursion.
  mutating func read(nodes: JSONNode, isTop: Bool = true) throws(MessageFault) {
    guard nodes.kind == .array else { return }
    var node = nodes.first
    for place in 0..<nodes.count {
      if let data = node.member("data") {
        if let lists = data.member("datalog-result")?.member("join-rows") { try read(lists: lists) }
        if isTop && place == 0 {
          result.pages = Self.pages(data.member("page-info"))
          result.counts = Self.counts(data.member("aggregate"))
        }
      }
      if let children = node.member("child-nodes") { try read(nodes: children, isTop: false) }
      node = node.next
    }
  }

  private mutating func read(lists: JSONNode) throws(MessageFault) {
    guard lists.kind == .array else { return }
    var list = lists.first
    for _ in 0..<lists.count {
      guard list.kind == .array else { throw Self.unsound }
      result.rows.reserveCapacity(result.rows.count + list.count)
      var row = list.first
      for _ in 0..<list.count {
        result.rows.append(try Self.row(row))
        row = row.next
      }
      list = list.next
    }
  }

  private static let unsound = MessageFault(
    reason: "a triple is not a list of an entity, an attribute, a value and a time")

  private static func row(_ node: JSONNode) throws(MessageFault) -> JoinRows.Row {
    guard node.kind == .array, node.count == 3 || node.count == 4 else { throw unsound }
    let entity = node.first
    let attribute = entity.next
    guard entity.kind == .text, attribute.kind == .text else { throw unsound }
    let value = attribute.next
    return JoinRows.Row(
      EntityID(entity.text), AttributeID(attribute.text), value.value,
      createdAt: node.count == 4 ? Int64(value.next.value.wholeNumber ?? 0) : 0)
  }

  static func pages(_ node: JSONNode?) -> [String: PageInfo] {
    guard case .object(let object)? = node?.value else { return [:] }
    var pages: [String: PageInfo] = [:]
    for member in object.members {
      guard case .object(let page) = member.value else { continue }
      pages[member.key] = PageInfo(
        start: page["start-cursor"].flatMap(Cursor.init(json:)),
        end: page["end-cursor"].flatMap(Cursor.init(json:)),
        hasNext: page["has-next-page?"] == .bool(true),
        hasPrevious: page["has-previous-page?"] == .bool(true))
    }
    return pages
  }

  static func counts(_ node: JSONNode?) -> [String: Int] {
    guard case .object(let object)? = node?.value else { return [:] }
    var counts: [String: Int] = [:]
    for member in object.members {
      guard case .object(let aggregate) = member.value else { continue }
      counts[member.key] = aggregate["count"]?.count
    }
    return counts
  }
}
