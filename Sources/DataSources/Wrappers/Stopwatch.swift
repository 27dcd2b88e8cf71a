/// Measures the time since its creation with a monotonic clock, for waits and rates.
///
/// The time of day is not suitable for this, because users and the network change it.
package struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    read = { start.duration(to: clock.now) }
  }

  package var elapsed: Duration { read() }

  /// The elapsed time in whole milliseconds.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = read().components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
