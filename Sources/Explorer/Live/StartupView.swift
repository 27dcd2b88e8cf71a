import Notebooks

/// The initial view: the query on the command line, or else the restored session.
///
/// The session is awaited for a short time.
struct StartupView: Sendable, Equatable {
  /// The query as typed, kept until a schema is available to check it.
  let query: String?
  /// The view of the query's answer; nil for that of the session, or else a table.
  let form: AnswerForm?
  /// Whether nothing is shown until the session is restored.
  private(set) var isAwaited: Bool
  /// The time when the session is no longer awaited; nil before the first tick and after it
  /// arrived.
  private(set) var deadline: ContinuousClock.Instant?
  /// The session's last view, until it is shown.
  private var view: LastView?

  private static let timeout = Duration.milliseconds(500)

  /// Starts with a query or the last view.
  ///
  /// - Parameter recalls: Whether to wait for the session.
  init(query: String?, form: AnswerForm?, recalls: Bool) {
    self.query = query
    self.form = form
    isAwaited = recalls
  }

  /// Receives the last view.
  mutating func receive(_ view: LastView) {
    self.view = view
    isAwaited = false
    deadline = nil
  }

  /// Advances the time.
  ///
  /// - Returns: Whether the session is no longer awaited.
  mutating func tick(_ now: ContinuousClock.Instant) -> Bool {
    guard isAwaited else { return false }
    guard let deadline else {
      self.deadline = now + Self.timeout
      return false
    }
    return now >= deadline
  }

  /// Returns the last view once.
  mutating func takeView() -> LastView? {
    defer { view = nil }
    return view
  }
}
