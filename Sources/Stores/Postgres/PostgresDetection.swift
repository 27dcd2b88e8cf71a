/// How a session detects changes of other programs.
struct PostgresDetection: Sendable, Equatable {
  enum Method: Sendable, Equatable {
    case notices, polling
    case decoding(PostgresDecoding)
  }

  var method: Method
  /// The reason why the requested logical decoding is not used; nil if it is used or was not
  /// requested.
  var refusal: String?

  /// The method as a text for the header.
  var text: String {
    switch method {
    case .notices: "NOTIFY" + reason
    case .polling: "polling every second" + reason
    case .decoding: "decoding every second"
    }
  }

  private var reason: String { refusal.map { ": \($0)" } ?? "" }

  /// A sentence about a request that is not met; nil if it is.
  var remark: String? {
    refusal.map { refusal in
      let substitute =
        method == .notices ? "triggers report changes" : "the database is polled every second"
      return "Logical decoding is not possible: \(refusal). Instead, \(substitute)."
    }
  }

  var decoding: PostgresDecoding? {
    if case .decoding(let decoding) = method { decoding } else { nil }
  }

  /// Chooses the method for a session, and prepares the session for it.
  ///
  /// - Parameter refusal: The reason why logical decoding is not used, if it was tried before.
  static func begin(
    _ content: PostgresContent, _ mode: PostgresLiveMode, _ session: PostgresSession,
    refusal: String? = nil
  ) throws -> PostgresDetection {
    if refusal == nil, case .decoding(let maxHeldBytes) = mode {
      return try decoding(content, session, maxHeldBytes: maxHeldBytes)
    }
    return try withoutDecoding(content, session, because: refusal)
  }

  private static func decoding(
    _ content: PostgresContent, _ session: PostgresSession, maxHeldBytes: Int
  ) throws -> PostgresDetection {
    guard content == .tables else {
      return PostgresDetection(
        method: .polling, refusal: "apps of an Instant server cannot be decoded")
    }
    let refusal: String
    do throws(PostgresError) {
      let decoding = try PostgresDecoding(session, maxHeldBytes: maxHeldBytes)
      return PostgresDetection(method: .decoding(decoding))
    } catch {
      if error.isConnectionLost || error.isCancelled { throw error }
      refusal = PostgresDecoding.refusal(error)
    }
    return try withoutDecoding(content, session, because: refusal)
  }

  private static func withoutDecoding(
    _ content: PostgresContent, _ session: PostgresSession, because refusal: String?
  ) throws -> PostgresDetection {
    let hasNotices = try content == .tables && PostgresWatching.listen(session)
    return PostgresDetection(method: hasNotices ? .notices : .polling, refusal: refusal)
  }
}
