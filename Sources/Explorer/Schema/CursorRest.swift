/// Measures how long the cursor of a list stays where the user moved it.
struct CursorRest: Sendable, Equatable {
  private(set) var isAwaited = false
  /// The time of the first tick after the cursor moved; nil before that tick.
  private var startTime: ContinuousClock.Instant?

  /// The time after which the user no longer merely passes an item.
  private static let delay = Duration.milliseconds(100)

  /// Begins to wait. If it already waits, starts again.
  mutating func begin() { (isAwaited, startTime) = (true, nil) }

  mutating func cancel() {
    if isAwaited { self = CursorRest() }
  }

  /// Advances the time. Returns true once, when the cursor has stayed long enough.
  mutating func tick(_ now: ContinuousClock.Instant) -> Bool {
    guard isAwaited else { return false }
    guard let startTime else {
      self.startTime = now
      return false
    }
    guard now >= startTime + Self.delay else { return false }
    cancel()
    return true
  }

  var deadline: ContinuousClock.Instant? { startTime.map { $0 + Self.delay } }
}
