import Notebooks

/// What the screen shows first: the query on the command line, or else the view of the last
/// session.
///
/// The screen waits a short time for the session to be restored.
package struct StartupView: Sendable, Equatable {
  /// The query as typed, kept until a schema is available to check it.
  let query: String?
  /// The view of the answer; nil stands for the view of the last session, or a table if there is
  /// none.
  let form: AnswerForm?
  /// Whether the screen stays empty until the session is restored.
  private(set) var isAwaited: Bool
  /// The time when the screen stops waiting for the session; nil before the first tick and after
  /// the session arrived.
  private(set) var deadline: ContinuousClock.Instant?
  /// The view of the last session; nil before it is restored and after it was shown.
  private var view: LastView?

  private static let timeout = Duration.milliseconds(500)

  /// Creates the state at startup.
  ///
  /// - Parameters:
  ///   - query: The query of the command line; nil restores the session or shows the first
  ///     namespace.
  ///   - form: The view of the answer; nil restores the session's view or shows a table.
  ///   - recalls: Whether to wait for `Event.sessionRestored`.
  package init(query: String? = nil, form: AnswerForm? = nil, recalls: Bool = false) {
    self.query = query
    self.form = form
    isAwaited = recalls
  }

  /// Stores the last view of the session, and ends the wait for it.
  mutating func setLastView(_ view: LastView) {
    self.view = view
    isAwaited = false
    deadline = nil
  }

  /// Advances the time.
  ///
  /// - Returns: Whether the time to wait for the session is over.
  mutating func tick(_ now: ContinuousClock.Instant) -> Bool {
    guard isAwaited else { return false }
    guard let deadline else {
      self.deadline = now + Self.timeout
      return false
    }
    return now >= deadline
  }

  /// Returns the last view of the session on the first call, and nil on later calls.
  mutating func consumeLastView() -> LastView? {
    defer { view = nil }
    return view
  }
}
