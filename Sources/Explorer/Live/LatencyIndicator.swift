/// Measures how long a query takes, and provides a notice if it is slow.
struct LatencyIndicator: Sendable, Equatable {
  private(set) var isWaiting = false
  /// The time of the first tick after the query was sent; nil before that tick.
  private var startTime: ContinuousClock.Instant?
  /// Whether the query takes longer than a user expects.
  private(set) var isSlow = false
  /// The number of whole seconds since the query was sent.
  private var seconds: Int64 = 0

  private static let timeout = Duration.milliseconds(200)

  /// Begins to wait for another query.
  mutating func begin() {
    end()
    isWaiting = true
  }

  mutating func end() { self = LatencyIndicator() }

  mutating func tick(_ now: ContinuousClock.Instant) {
    guard isWaiting else { return }
    guard let startTime else {
      self.startTime = now
      return
    }
    isSlow = now >= startTime + Self.timeout
    seconds = (now - startTime).components.seconds
  }

  /// The notice to show while waiting; nil before the query counts as slow.
  var notice: Notice? { isSlow ? .running(seconds: seconds) : nil }

  var deadline: ContinuousClock.Instant? {
    guard isWaiting, let startTime else { return nil }
    return startTime + (isSlow ? .seconds(seconds + 1) : Self.timeout)
  }
}
