/// The names of the messages that clients send.
enum ClientOperation: String {
  case start = "init"
  case addQuery = "add-query"
  case removeQuery = "remove-query"
  case transact
  case joinRoom = "join-room"
  case leaveRoom = "leave-room"
  case setPresence = "set-presence"
  case broadcast = "client-broadcast"
}

/// The names of the messages that servers send.
enum ServerOperation: String {
  case started = "init-ok"
  case queryAdded = "add-query-ok"
  case queryExists = "add-query-exists"
  case queryRemoved = "remove-query-ok"
  case refreshed = "refresh-ok"
  case transacted = "transact-ok"
  case failed = "error"
  case appStatusChanged = "app-status-changed"
  case roomJoined = "join-room-ok"
  case roomLeft = "leave-room-ok"
  case presenceSet = "set-presence-ok"
  case presence = "refresh-presence"
  case broadcastDone = "client-broadcast-ok"
  case broadcast = "server-broadcast"
}

extension ClientMessage {
  /// The name of the message in the protocol.
  package var operation: String {
    let known: ClientOperation
    switch self {
    case .start: known = .start
    case .addQuery: known = .addQuery
    case .removeQuery: known = .removeQuery
    case .transact: known = .transact
    case .joinRoom: known = .joinRoom
    case .leaveRoom: known = .leaveRoom
    case .setPresence: known = .setPresence
    case .broadcast: known = .broadcast
    case .other(let name): return name
    }
    return known.rawValue
  }
}

extension ServerMessage {
  /// The name of the message in the protocol.
  package var operation: String {
    let known: ServerOperation
    switch self {
    case .started: known = .started
    case .queryAdded: known = .queryAdded
    case .queryExists: known = .queryExists
    case .queryRemoved: known = .queryRemoved
    case .refreshed: known = .refreshed
    case .transacted: known = .transacted
    case .failed: known = .failed
    case .appStatusChanged: known = .appStatusChanged
    case .roomJoined: known = .roomJoined
    case .roomLeft: known = .roomLeft
    case .presenceSet: known = .presenceSet
    case .presence: known = .presence
    case .broadcastDone: known = .broadcastDone
    case .broadcast: known = .broadcast
    case .other(let name): return name
    }
    return known.rawValue
  }
}
