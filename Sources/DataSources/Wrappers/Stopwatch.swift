/// Measures how much time has passed since it was made, by a monotonic clock: for waits and rates.
///
/// A time of day cannot say how long something took, since people and networks change it.
package struct Stopwatch: Sendable {
  private let read: @Sendable () -> Duration

  package init(_ clock: some Clock<Duration>) {
    let start = clock.now
    read = { start.duration(to: clock.now) }
  }

  package var elapsed: Duration { read() }

  /// Whole milliseconds.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = read().components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
