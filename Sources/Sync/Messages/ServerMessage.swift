package import Triples

/// A message from a server to a client.
///
/// - Source: the session protocol of InstantDB, server to client.
package enum ServerMessage: Hashable, Sendable {
  case started(SessionInfo)
  case queryAdded(Value, QueryResult, processed: Int?)
  /// The session has already subscribed to the query. Its answer serves both subscriptions.
  case queryExists(Value)
  case queryRemoved(Value)
  case refreshed(Refresh)
  case transacted(transactionID: Int)
  case failed(ServerError)
  case appStatusChanged(AppStatus)
  case roomJoined(String)
  case roomLeft(String)
  case presenceSet(String)
  /// The presence data of all sessions in a room, keyed by session id.
  case presence(String, JSONObject)
  case broadcastDone(Broadcast)
  case broadcast(Broadcast)
  /// An unknown message with this name, which clients ignore.
  case other(String)
}

/// A message with the id of the client's message that it answers. The id is nil if it answers no
/// message.
package struct ServerEnvelope: Hashable, Sendable {
  package var eventID: String?
  package var message: ServerMessage

  package init(_ message: ServerMessage, eventID: String? = nil) {
    self.message = message
    self.eventID = eventID
  }
}

/// The server's description of a new session.
package struct SessionInfo: Hashable, Sendable {
  package var sessionID: String
  package var appID: String
  package var appTitle: String?
  package var isAdmin: Bool
  /// The user to whom the refresh token belongs; nil for a guest.
  package var user: Value?
  package var status: AppStatus
  package var attributes: [Attribute]

  package init(
    sessionID: String, appID: String, appTitle: String? = nil, isAdmin: Bool = false,
    user: Value? = nil, status: AppStatus = .active, attributes: [Attribute] = []
  ) {
    self.sessionID = sessionID
    self.appID = appID
    self.appTitle = appTitle
    self.isAdmin = isAdmin
    self.user = user
    self.status = status
    self.attributes = attributes
  }
}

/// Whether an app currently allows reading and writing, only reading, or neither.
package enum AppStatus: String, Hashable, Sendable {
  case active
  case readOnly = "read-only"
  case disabled
}

/// The content of a `refresh-ok` message: new answers to subscribed queries, and the attributes if
/// they changed.
package struct Refresh: Hashable, Sendable {
  package struct Computation: Hashable, Sendable {
    package var query: Value
    package var result: QueryResult

    package init(_ query: Value, _ result: QueryResult) {
      self.query = query
      self.result = result
    }
  }

  /// The newest transaction that the answers include. Nil if the server has no transactions.
  package var processed: Int?
  package var computations: [Computation]
  /// All attributes, which replace the previous ones. Nil if no attribute has changed.
  package var attributes: [Attribute]?

  package init(
    processed: Int?, computations: [Computation] = [], attributes: [Attribute]? = nil
  ) {
    self.processed = processed
    self.computations = computations
    self.attributes = attributes
  }
}
