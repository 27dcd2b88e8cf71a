/// Decides whether a failed call of ``PostgresConnection`` runs again.
struct PostgresRetries {
  /// The maximum number of attempts to run a transaction that conflicts with others.
  static let maxAttempts = 3

  private var conflicts = 0
  private var hasReconnected = false
  private var wasCanceled = false

  /// Returns whether to run again after an error.
  ///
  /// - Parameters:
  ///   - isKnown: Whether the session was open before the attempt.
  ///   - isTransaction: Whether the call is a write transaction.
  mutating func runsAgain(
    after error: PostgresError, isKnown: Bool, isTransaction: Bool
  ) -> Bool {
    if error.isConnectionLost {
      // The server may have closed an idle session, so the call is repeated once in a new session.
      defer { hasReconnected = true }
      return isKnown && !hasReconnected
    }
    if error.isCancelled {
      // The cancellation was meant for the previous statement of the session. An administrator who
      // cancels a statement does so again.
      defer { wasCanceled = true }
      return !wasCanceled
    }
    guard error.isConflict, isTransaction else { return false }
    conflicts += 1
    wasCanceled = false
    return conflicts < Self.maxAttempts
  }
}
