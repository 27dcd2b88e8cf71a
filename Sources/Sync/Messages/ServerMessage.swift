package import Triples

/// What a server says to a client.
///
/// - Source: the session protocol of InstantDB, server to client.
package enum ServerMessage: Hashable, Sendable {
  case started(SessionInfo)
  case queryAdded(Value, QueryResult, processed: Int?)
  /// The same query was asked before in this session; its answer came or comes with that.
  case queryExists(Value)
  case queryRemoved(Value)
  case refreshed(Refresh)
  case transacted(transactionID: Int)
  case failed(ServerError)
  case appStatusChanged(AppStatus)
  case roomJoined(String)
  case roomLeft(String)
  case presenceSet(String)
  /// Everybody in a room, by session.
  case presence(String, JSONObject)
  case broadcastDone(Broadcast)
  case broadcast(Broadcast)
  /// A message that is none of these, by its name; clients pass over it.
  case other(String)
}

/// A message and the name of what it answers; nil when nobody asked.
package struct ServerEnvelope: Hashable, Sendable {
  package var eventID: String?
  package var message: ServerMessage

  package init(_ message: ServerMessage, eventID: String? = nil) {
    self.message = message
    self.eventID = eventID
  }
}

/// What a server says of a session when it begins.
package struct SessionInfo: Hashable, Sendable {
  package var sessionID: String
  package var appID: String
  package var appTitle: String?
  package var isAdmin: Bool
  /// The person whom the refresh token names; nil for guests.
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

/// What an app allows at present.
package enum AppStatus: String, Hashable, Sendable {
  case active
  case readOnly = "read-only"
  case disabled
}

/// New answers to subscribed queries, and new attributes when those changed.
package struct Refresh: Hashable, Sendable {
  package struct Computation: Hashable, Sendable {
    package var query: Value
    package var result: QueryResult

    package init(_ query: Value, _ result: QueryResult) {
      self.query = query
      self.result = result
    }
  }

  /// Every transaction up to this one is in the answers; nil when the server has seen none.
  package var processed: Int?
  package var computations: [Computation]
  /// All attributes, in place of those known before; nil when they are as they were.
  package var attributes: [Attribute]?

  package init(
    processed: Int?, computations: [Computation] = [], attributes: [Attribute]? = nil
  ) {
    self.processed = processed
    self.computations = computations
    self.attributes = attributes
  }
}
