import Notebooks

/// What the screen begins with: the query that was typed, or else the view that was remembered, for
/// which it waits a moment.
struct Beginning: Sendable, Equatable {
  /// As it was typed, until a schema says whether it can be asked.
  let query: String?
  /// How its answer is shown; nil as it was the last time, else as a table.
  let form: AnswerForm?
  /// Whether nothing is shown before it is known where one was the last time.
  private(set) var isAwaited: Bool
  /// When it is awaited no longer; nil before the first tick, and when it has come.
  private(set) var deadline: ContinuousClock.Instant?
  /// Where one was the last time, until that is shown.
  private var view: LastView?

  private static let patience = Duration.milliseconds(500)

  /// - Parameter recalls: Whether a remembered view is to be awaited.
  init(query: String?, form: AnswerForm?, recalls: Bool) {
    self.query = query
    self.form = form
    isAwaited = recalls
  }

  /// Takes in what was remembered.
  mutating func receive(_ view: LastView) {
    self.view = view
    isAwaited = false
    deadline = nil
  }

  /// Notes the time.
  /// - Returns: Whether it has been waited long enough.
  mutating func tick(_ now: ContinuousClock.Instant) -> Bool {
    guard isAwaited else { return false }
    guard let deadline else {
      self.deadline = now + Self.patience
      return false
    }
    return now >= deadline
  }

  /// Where one was the last time, once.
  mutating func takeView() -> LastView? {
    defer { view = nil }
    return view
  }
}
