/// How a client stands with its server, in what a person wants to know.
package enum ConnectionStatus: Hashable, Sendable {
  /// The server is being called, and was never reached before.
  case connecting
  /// What is shown is true now.
  case live
  /// The server cannot be reached: since when, and when it is tried again, in milliseconds by the
  /// sender's clock; `nextTry` is nil while it is tried right now.
  case offline(since: Int64, nextTry: Int64?, reason: String)
  /// The server said no to the session itself; it is not tried again by itself.
  case refused(ServerError)
}

/// Names one connection of a session, so that what comes late from an old one is known for it.
package struct ConnectionID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) {
    self.number = number
  }
}
