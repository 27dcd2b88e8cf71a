package import Triples

/// A server's side of a session with one client.
///
/// It enforces the order and the limits of the protocol, and returns the actions that the server
/// must perform for each message.
///
/// - Source: InstantDB's session protocol; order of messages and errors.
package struct ServerSession: Sendable {
  package enum Action: Equatable, Sendable {
    case send(ServerEnvelope)
    /// Open the session. The server adds its attributes to the answer.
    case open(appID: String, isAdmin: Bool, eventID: String?)
    case subscribe(SubscriptionKey, eventID: String?, original: Value)
    /// Confirm that the query is already subscribed. The first subscription must be answered before
    /// that.
    case subscribeAgain(SubscriptionKey, eventID: String?, original: Value)
    case unsubscribe(SubscriptionKey)
    case transact(Transaction, eventID: String?, original: Value)
    case enter(room: String, data: Value, eventID: String?)
    case leave(room: String, eventID: String?)
    case setPresence(room: String, data: Value, eventID: String?)
    case broadcast(Broadcast, eventID: String?)
    /// Send the error for a missing or wrong token, after a delay.
    case refuseToken(ServerEnvelope, isMissing: Bool)
    /// Close the connection.
    case end(reason: String)
  }

  package let id: String
  private let access: AccessRule
  private let limits: ServerLimits
  private var allowance: MessageAllowance
  private var refusals = 0
  private var wrongTokens = 0
  private var lastRefusal = Int64.min
  private let openedAt: Int64
  package private(set) var isOpen = false
  /// Whether each refresh must contain the attributes, because the client is an old version.
  package private(set) var wantsAttributes = false
  /// The subscribed queries, and the form in which to send their answers.
  private var queries: [Value: ResultForm] = [:]
  /// The size of all subscribed queries, in bytes of JSON.
  private(set) var queryBytes = 0
  /// For each room, the size of the client's presence data in it, in bytes of JSON.
  private var rooms: [String: Int] = [:]

  /// Creates a session.
  ///
  /// - Parameter now: The time in milliseconds of a monotonic clock. All methods use the same
  ///   clock.
  package init(id: String, access: AccessRule, limits: ServerLimits = ServerLimits(), at now: Int64)
  {
    self.id = id
    self.access = access
    self.limits = limits
    openedAt = now
    allowance = MessageAllowance(limits, at: now)
  }

  /// The client's subscriptions.
  package var subscriptions: [SubscriptionKey] {
    queries.map { SubscriptionKey(query: $0.key, form: $0.value) }
  }

  /// Returns whether the client has exceeded the timeout for opening its session.
  package func isOverdue(at now: Int64) -> Bool {
    !isOpen && now - openedAt >= limits.openingTime
  }

  /// Opens the session of a client that was authenticated elsewhere.
  package mutating func openTrusted() { isOpen = true }

  /// Processes a message of the client.
  package mutating func received(_ received: ReceivedMessage, at now: Int64) -> [Action] {
    let original = received.original
    guard allowance.consumeMessage(at: now) else { return refuse(received, at: now) }
    let message: ClientMessage
    switch received.message {
    case .failure(let error): return [failure(error, received)]
    case .success(let value): message = value
    }
    if case .start(let opening) = message { return start(opening, received) }
    guard isOpen else { return [failure(.notStarted(original), received)] }
    switch message {
    case .start: return []
    case .addQuery(let query, let form): return add(query, form, received)
    case .removeQuery(let query): return remove(query, received)
    case .transact(let transaction):
      guard access.allowsWriting else { return [failure(.readOnly(original), received)] }
      return [.transact(transaction, eventID: received.eventID, original: original)]
    case .joinRoom, .leaveRoom, .setPresence, .broadcast: return room(message, received)
    case .other(let name): return [failure(.unknownOperation(name, original), received)]
    }
  }

  /// Processes a text that is not a valid message.
  package mutating func faulted(_ error: ServerError, at now: Int64) -> [Action] {
    guard allowance.consumeMessage(at: now) else { return [.end(reason: "too many messages")] }
    let answer = Action.send(ServerEnvelope(.failed(error)))
    return isRefusalTooMany(at: now) ? [answer, .end(reason: "unreadable messages")] : [answer]
  }

  /// Records that the client could not enter a room, because the room was full.
  package mutating func rejected(from room: String) { rooms[room] = nil }

  /// Records that the first evaluation of a query failed. The client may then send the query again.
  package mutating func dropped(_ query: Value) { _ = forget(query) }

  private mutating func forget(_ query: Value) -> ResultForm? {
    guard let form = queries.removeValue(forKey: query) else { return nil }
    queryBytes -= QuerySize.bytes(of: query)
    return form
  }

  private func failure(_ error: ServerError, _ received: ReceivedMessage) -> Action {
    .send(ServerEnvelope(.failed(error), eventID: received.eventID))
  }

  /// Counts an error, and returns whether there were too many recent errors. Old errors do not
  /// count, since a session may last for months.
  private mutating func isRefusalTooMany(at now: Int64) -> Bool {
    if lastRefusal < now - limits.refusalTime { refusals = 0 }
    lastRefusal = now
    refusals += 1
    return refusals > limits.refusals
  }

  private mutating func refuse(_ received: ReceivedMessage, at now: Int64) -> [Action] {
    let error = ServerError.tooManyMessages(limit: limits.messageRate, received.original)
    let answer = failure(error, received)
    return isRefusalTooMany(at: now) ? [answer, .end(reason: "too many messages")] : [answer]
  }

  // MARK: Opening

  private mutating func start(_ opening: Opening, _ received: ReceivedMessage) -> [Action] {
    if isOpen { return [failure(.startedBefore(received.original), received)] }
    let token = opening.adminToken ?? opening.refreshToken
    guard access.accepts(token) else {
      let record = opening.refreshToken == nil ? "app-admin-token" : "app-user"
      // The error may be logged, so its original message must not contain the credentials.
      let original: Value = ["op": "init", "app-id": .text(opening.appID)]
      let refusal = ServerEnvelope(
        .failed(.wrongToken(record, original)), eventID: received.eventID)
      let action = Action.refuseToken(refusal, isMissing: token?.isEmpty ?? true)
      wrongTokens += 1
      return wrongTokens < limits.wrongTokens
        ? [action] : [action, .end(reason: "\(wrongTokens) wrong tokens")]
    }
    isOpen = true
    wantsAttributes = !Self.canMissAttributes(opening.versions[Opening.dialectPart])
    return [
      .open(
        appID: opening.appID, isAdmin: opening.adminToken != nil, eventID: received.eventID)
    ]
  }

  /// Returns whether a version such as `v0.22.1` is higher than 0.20.4.
  private static func canMissAttributes(_ version: String?) -> Bool {
    guard let version else { return false }
    let digits = version.hasPrefix("v") ? version.dropFirst() : version[...]
    let plain = digits.prefix { $0 != "-" && $0 != "+" }
    let numbers = plain.split(separator: ".").map { Int($0) }
    guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2]
    else { return false }
    return (major, minor, patch) > (0, 20, 4)
  }

  // MARK: Queries

  private mutating func add(
    _ query: Value, _ form: ResultForm, _ received: ReceivedMessage
  ) -> [Action] {
    if let form = queries[query] {
      return [
        .subscribeAgain(
          SubscriptionKey(query: query, form: form), eventID: received.eventID,
          original: received.original)
      ]
    }
    guard queries.count < limits.subscriptions else {
      return [
        failure(.tooManySubscriptions(limit: limits.subscriptions, received.original), received)
      ]
    }
    let bytes = QuerySize.bytes(of: query)
    guard queryBytes + bytes <= limits.subscriptionBytes else {
      return [
        failure(.queriesTooLarge(limit: limits.subscriptionBytes, received.original), received)
      ]
    }
    queryBytes += bytes
    queries[query] = form
    return [
      .subscribe(
        SubscriptionKey(query: query, form: form), eventID: received.eventID,
        original: received.original)
    ]
  }

  private mutating func remove(_ query: Value, _ received: ReceivedMessage) -> [Action] {
    let answer = Action.send(ServerEnvelope(.queryRemoved(query), eventID: received.eventID))
    guard let form = forget(query) else { return [answer] }
    return [.unsubscribe(SubscriptionKey(query: query, form: form)), answer]
  }

  // MARK: Rooms

  private mutating func room(
    _ message: ClientMessage, _ received: ReceivedMessage
  ) -> [Action] {
    let (original, eventID) = (received.original, received.eventID)
    switch message {
    case .joinRoom(let room, _, let data):
      guard room.utf8.count <= limits.roomNameBytes else {
        return [failure(.roomNameTooLong(limit: limits.roomNameBytes), received)]
      }
      guard rooms[room] != nil || rooms.count < limits.rooms else {
        return [
          failure(.tooManyRooms(limit: limits.rooms, entering: room, original), received)
        ]
      }
      if let refusal = show(data ?? [:], in: room, received) { return [refusal] }
      return [.enter(room: room, data: data ?? [:], eventID: eventID)]
    case .leaveRoom(let room):
      guard rooms.removeValue(forKey: room) != nil else {
        return [failure(.notInRoom(original), received)]
      }
      return [.leave(room: room, eventID: eventID)]
    case .setPresence(let room, let data):
      guard rooms[room] != nil else { return [failure(.notInRoom(original), received)] }
      if let refusal = show(data, in: room, received) { return [refusal] }
      return [.setPresence(room: room, data: data, eventID: eventID)]
    case .broadcast(let broadcast):
      guard rooms[broadcast.room] != nil else {
        return [failure(.notInRoom(original), received)]
      }
      let bytes = JSONWriter.bytes(broadcast.data).count
      if let refusal = tooLarge(bytes, broadcast.room, received) { return [refusal] }
      return [.broadcast(broadcast, eventID: eventID)]
    case .start, .addQuery, .removeQuery, .transact, .other: return []
    }
  }

  /// Records the client's presence data in a room.
  ///
  /// - Returns: The action that rejects the data if it is too large; otherwise nil.
  private mutating func show(
    _ data: Value, in room: String, _ received: ReceivedMessage
  ) -> Action? {
    let bytes = JSONWriter.bytes(data).count
    if let refusal = tooLarge(bytes, room, received) { return refusal }
    let others = rooms.reduce(0) { $0 + ($1.key == room ? 0 : $1.value) }
    guard others + bytes <= limits.connectionPresenceBytes else {
      return failure(
        .presenceTooLarge(others + bytes, limit: limits.connectionPresenceBytes), received)
    }
    rooms[room] = bytes
    return nil
  }

  /// Returns the action that rejects presence data that is too large; nil if its size is within the
  /// limit.
  private func tooLarge(_ bytes: Int, _ room: String, _ received: ReceivedMessage) -> Action? {
    if bytes <= limits.presenceBytes { return nil }
    return failure(
      .roomMessageTooLarge(bytes, to: room, limit: limits.presenceBytes), received)
  }
}

/// The key of a subscription on a server. Subscribers share a subscription if their queries are
/// equal and have the same form of answer.
package struct SubscriptionKey: Hashable, Sendable {
  package let query: Value
  package let form: ResultForm

  package init(query: Value, form: ResultForm = .joinRows) {
    self.query = query
    self.form = form
  }
}
