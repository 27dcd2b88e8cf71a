package import Triples

/// A message from a client to a server.
///
/// - Source: the session protocol of InstantDB, client to server.
package enum ClientMessage: Hashable, Sendable {
  /// The credentials and the app; the first message of a session, sent once.
  case start(Opening)
  /// Subscribes to a query, for its answer now and after each change. Equal queries are one
  /// subscription.
  case addQuery(Value, ResultForm = .joinRows)
  case removeQuery(Value)
  case transact(Transaction)
  case joinRoom(String, type: String? = nil, data: Value? = nil)
  case leaveRoom(String)
  case setPresence(String, Value)
  case broadcast(Broadcast)
  /// An unsupported or unknown message, by its name.
  case other(String)
}

/// A message with the id for its answer.
package struct ClientEnvelope: Hashable, Sendable {
  /// The id of the message, chosen by the client; for a transaction it is the mutation's id.
  package var eventID: String?
  package var message: ClientMessage

  package init(_ message: ClientMessage, eventID: String? = nil) {
    self.message = message
    self.eventID = eventID
  }
}

/// The credentials of a client and the app it connects to.
package struct Opening: Hashable, Sendable {
  package var appID: String
  /// The token of an end user; nil for a guest.
  package var refreshToken: String?
  /// The app's admin token, which bypasses permission rules.
  package var adminToken: String?
  /// The versions of the client's packages; servers choose the dialect by that of
  /// `@instantdb/core`.
  package var versions: [String: String]

  package init(
    appID: String, refreshToken: String? = nil, adminToken: String? = nil,
    versions: [String: String] = Opening.ownVersions
  ) {
    self.appID = appID
    self.refreshToken = refreshToken
    self.adminToken = adminToken
    self.versions = versions
  }

  /// The package whose version selects the dialect.
  package static let dialectPart = "@instantdb/core"

  /// The dialect of this client: attributes only after changes, several messages in one text.
  package static let ownVersions = [dialectPart: "v0.22.170"]
}

/// The form of an answer: the triples that it follows from, or nested objects.
package enum ResultForm: String, Hashable, Sendable {
  case joinRows = "join-rows"
  case tree
  /// A tree in which a to-one relation is an object instead of a list; used by the admin interface.
  case inferredTree = "inferred-tree"
}

/// A message to all other members of a room.
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
