package import DataSources
package import Triples

/// The status of a server that is offline: the start of the outage, and the next attempt to
/// connect.
package struct ReconnectStatus: Sendable, Equatable {
  /// The text about the start of the outage: the time of day, or the number of days since then.
  package let since: String
  /// The time of the next attempt to connect; nil during an attempt.
  private let nextTry: ContinuousClock.Instant?
  /// The seconds until the next attempt, as of the last tick; nil before the first tick.
  private var seconds: Int?

  package init(since: String, nextTry: ContinuousClock.Instant?) {
    self.since = since
    self.nextTry = nextTry
  }

  /// Creates the status from the freshness of a store; nil unless its server is offline.
  ///
  /// - Parameters:
  ///   - time: The current wall-clock time.
  ///   - now: The current time of the clock that `tick` uses.
  package init?(
    _ freshness: StoreSnapshot.Freshness, at time: WallClock.Instant = WallClock().now,
    _ now: ContinuousClock.Instant = .now
  ) {
    guard case .offline(let since, let nextTry, _) = freshness else { return nil }
    let began = WallClock.Instant(sinceEpoch: .milliseconds(since))
    let days = (time.sinceEpoch - began.sinceEpoch).components.seconds / 86_400
    let words =
      days < 1 ? "since " + LocalTime.text(of: began) : days == 1 ? "for a day" : "for \(days) days"
    self.init(since: words, nextTry: nextTry.map { now + (.milliseconds($0) - time.sinceEpoch) })
  }

  /// The text about the next attempt to connect, such as `reconnecting in 5 s`.
  package var outlook: String {
    guard nextTry != nil else { return "reconnecting" }
    guard let seconds, seconds > 0 else { return "reconnecting in a moment" }
    return "reconnecting in \(seconds) s"
  }

  /// The time at which the text changes next; nil if it will not change.
  package var deadline: ContinuousClock.Instant? {
    guard let nextTry, let seconds, seconds > 0 else { return nil }
    return nextTry - .seconds(seconds - 1)
  }

  /// Whether the text counts down the seconds.
  package var isTimed: Bool { nextTry != nil && seconds != 0 }

  package mutating func tick(_ now: ContinuousClock.Instant) {
    guard let nextTry else { return }
    let left = now.duration(to: nextTry).components
    seconds = max(0, Int(left.seconds) + (left.attoseconds > 0 ? 1 : 0))
  }
}
