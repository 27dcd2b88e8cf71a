package import Triples

/// A message from a client to a server.
///
/// - Source: the session protocol of InstantDB, client to server.
package enum ClientMessage: Hashable, Sendable {
  /// Opens the session with the app and the credentials. It is the first message, and is sent only
  /// once.
  case start(Opening)
  /// Subscribes to a query. The server sends the query's answer now, and again after each change.
  /// Equal queries share one subscription.
  case addQuery(Value, ResultForm = .joinRows)
  case removeQuery(Value)
  case transact(Transaction)
  case joinRoom(String, type: String? = nil, data: Value? = nil)
  case leaveRoom(String)
  case setPresence(String, Value)
  case broadcast(Broadcast)
  /// A message with this name that is unknown or not supported.
  case other(String)
}

/// A message together with its id. The server's answer repeats the id.
package struct ClientEnvelope: Hashable, Sendable {
  /// The id of the message, which the client chooses. For a transaction, it is the mutation's id.
  package var eventID: String?
  package var message: ClientMessage

  package init(_ message: ClientMessage, eventID: String? = nil) {
    self.message = message
    self.eventID = eventID
  }
}

/// The credentials of a client, and the app to which it connects.
package struct Opening: Hashable, Sendable {
  package var appID: String
  /// The token of an end user; nil for a guest.
  package var refreshToken: String?
  /// The app's admin token, which bypasses permission rules.
  package var adminToken: String?
  /// The versions of the client's packages. The server derives the client's dialect from the
  /// version of `@instantdb/core`.
  package var versions: [String: String]
  /// What to say if the server rejects the token, with advice; nil for general advice. It is not
  /// sent.
  package var rejection: String?

  package init(
    appID: String, refreshToken: String? = nil, adminToken: String? = nil,
    versions: [String: String] = Opening.ownVersions
  ) {
    self.appID = appID
    self.refreshToken = refreshToken
    self.adminToken = adminToken
    self.versions = versions
  }

  /// The package whose version determines the dialect.
  package static let dialectPart = "@instantdb/core"

  /// The versions that this client sends. They select a dialect in which attributes are sent only
  /// after they change, and in which a text may contain several messages.
  package static let ownVersions = [dialectPart: "v0.22.170"]
}

/// The form in which the server sends an answer: triples, from which the client computes the
/// answer, or nested objects.
package enum ResultForm: String, Hashable, Sendable {
  case joinRows = "join-rows"
  case tree
  /// Nested objects for the admin interface. In them, a to-one relation is an object instead of a
  /// list.
  case inferredTree = "inferred-tree"
}

/// A message that a client sends to all other members of a room.
package struct Broadcast: Hashable, Sendable {
  package var room: String
  package var type: String?
  package var topic: String
  package var data: Value

  package init(room: String, type: String? = nil, topic: String, data: Value) {
    self.room = room
    self.type = type
    self.topic = topic
    self.data = data
  }
}
