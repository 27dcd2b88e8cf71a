/// The status of a client's connection, as far as users need to know.
package enum ConnectionStatus: Hashable, Sendable {
  /// Connecting for the first time.
  case connecting
  /// The data is up to date.
  case live
  /// The server is unreachable, since when and until the next attempt, in milliseconds of the
  /// sender's clock.
  ///
  /// `nextTry` is nil during an attempt.
  case offline(since: Int64, nextTry: Int64?, reason: String)
  /// The server rejected the session; there are no automatic attempts.
  case refused(ServerError)
}

/// Identifies a connection of a session, so that late messages of previous ones are ignored.
package struct ConnectionID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) {
    self.number = number
  }
}
