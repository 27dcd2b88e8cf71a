package import Triples

/// What a client says to a server.
///
/// - Source: the session protocol of InstantDB, client to server.
package enum ClientMessage: Hashable, Sendable {
  /// Who calls, and for which app; the first message of a session, said once.
  case start(Opening)
  /// Asks for the answer to a query, now and after each change. Equal queries are one subscription.
  case addQuery(Value, ResultForm = .joinRows)
  case removeQuery(Value)
  case transact(Transaction)
  case joinRoom(String, type: String? = nil, data: Value? = nil)
  case leaveRoom(String)
  case setPresence(String, Value)
  case broadcast(Broadcast)
  /// A message that is none of these, by its name: one of those that nobody here serves, or unknown.
  case other(String)
}

/// A message and the name under which its answer comes.
package struct ClientEnvelope: Hashable, Sendable {
  /// Made by the client; of a transaction it is the name of the mutation.
  package var eventID: String?
  package var message: ClientMessage

  package init(_ message: ClientMessage, eventID: String? = nil) {
    self.message = message
    self.eventID = eventID
  }
}

/// Who calls, and for which app.
package struct Opening: Hashable, Sendable {
  package var appID: String
  /// An end user's; nil is a guest.
  package var refreshToken: String?
  /// The app's own, which no permission rule binds.
  package var adminToken: String?
  /// Versions of the client's parts; servers choose by that of `@instantdb/core` how they speak.
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

  /// The part whose version says which dialect is spoken.
  package static let dialectPart = "@instantdb/core"

  /// The dialect that a client of ours understands: attributes only when they changed, several
  /// messages in one text.
  package static let ownVersions = [dialectPart: "v0.22.170"]
}

/// How an answer is written: as the triples it follows from, or as objects within objects.
package enum ResultForm: String, Hashable, Sendable {
  case joinRows = "join-rows"
  case tree
  /// A tree in which a relation to at most one is an object instead of a list; of the admin interface.
  case inferredTree = "inferred-tree"
}

/// Something said to all others in a room.
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
