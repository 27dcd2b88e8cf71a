/// An action that happens some time after the next tick, unless it is canceled before.
struct Delay: Sendable, Equatable {
  private let duration: Duration
  private(set) var isAwaited = false
  /// The time of the action; nil before the first tick.
  private(set) var deadline: ContinuousClock.Instant?

  init(_ duration: Duration) { self.duration = duration }

  /// Begins to wait. If it already waits, starts again.
  mutating func begin() { (isAwaited, deadline) = (true, nil) }

  mutating func cancel() {
    if isAwaited { (isAwaited, deadline) = (false, nil) }
  }

  /// Advances the time. Returns true once, when the action is due.
  mutating func tick(_ now: ContinuousClock.Instant) -> Bool {
    guard isAwaited else { return false }
    guard let deadline else {
      self.deadline = now + duration
      return false
    }
    guard now >= deadline else { return false }
    cancel()
    return true
  }
}
