/// Decides whether a failed call of ``PostgresConnection`` runs again.
struct PostgresRetries {
  /// The maximum number of attempts to run a transaction that conflicts with others.
  static let maxAttempts = 3

  private var conflicts = 0
  private var hasReconnected = false

  /// Returns whether to run again after an error.
  ///
  /// - Parameters:
  ///   - isKnown: Whether the session was open before the attempt.
  ///   - isTransaction: Whether the call is a write transaction.
  ///   - isLate: Whether the error is a cancellation that was meant for an earlier call.
  mutating func runsAgain(
    after error: PostgresError, isKnown: Bool, isTransaction: Bool, isLate: Bool = false
  ) -> Bool {
    if error.isConnectionLost {
      // The server may have closed an idle session, so the call is repeated once in a new session.
      defer { hasReconnected = true }
      return isKnown && !hasReconnected
    }
    if error.isCancelled { return isLate }
    guard error.isConflict, isTransaction else { return false }
    conflicts += 1
    return conflicts < Self.maxAttempts
  }
}

/// The cancellations that a session has sent and whose effect is unknown.
///
/// A cancellation that the server receives after the end of its statement ends the next one.
struct SentCancellations {
  /// The cancellations that no statement has reported.
  private var unreported = 0
  /// The cancellations that the server has not acknowledged.
  private var unacknowledged = 0

  mutating func send() {
    unreported += 1
    unacknowledged += 1
  }

  mutating func acknowledge() { unacknowledged -= 1 }

  /// Assigns the cancellation of a statement to a sent one.
  ///
  /// - Returns: Whether there is one; otherwise another client has canceled the statement.
  mutating func report() -> Bool {
    guard unreported > 0 else { return false }
    unreported -= 1
    return true
  }

  /// Notes that a call has succeeded. The server has then handled what it had acknowledged before.
  mutating func succeed() {
    if unacknowledged == 0 { unreported = 0 }
  }

  /// Notes that a new session has begun, which earlier cancellations cannot reach.
  mutating func startSession() { unreported = 0 }
}
