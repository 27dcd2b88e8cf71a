/// The status of a client's connection for display.
package enum ConnectionStatus: Hashable, Sendable {
  /// The client is connecting for the first time.
  case connecting
  /// The data is up to date.
  case live
  /// The server is unreachable.
  ///
  /// `since` is the time when the outage began, and `nextTry` is the time of the next attempt to
  /// connect. Both are in milliseconds of the session's clock. While the client is connecting,
  /// `nextTry` is nil.
  case offline(since: Int64, nextTry: Int64?, reason: String)
  /// The server rejected the session, so the client does not reconnect automatically.
  case refused(ServerError)
}

/// Identifies a connection of a session, so that late messages of earlier connections are ignored.
package struct ConnectionID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) {
    self.number = number
  }
}
