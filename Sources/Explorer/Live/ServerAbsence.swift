package import DataSources
package import Triples

/// How long a server has been away, and when it is called again.
package struct ServerAbsence: Sendable, Equatable {
  /// Since when, as it is told: the time of day, or for how many days.
  package let since: String
  /// When it is called next; nil while it is being called.
  private let nextTry: ContinuousClock.Instant?
  /// How many seconds it is until then, at the last tick; nil before the first.
  private var seconds: Int?

  package init(since: String, nextTry: ContinuousClock.Instant?) {
    self.since = since
    self.nextTry = nextTry
  }

  /// Nil when no server is away.
  ///
  /// - Parameters:
  ///   - time: The time of day.
  ///   - now: The same moment by the clock of ticks.
  package init?(
    _ freshness: StoreSnapshot.Freshness, at time: WallClock.Instant = WallClock().now,
    _ now: ContinuousClock.Instant = .now
  ) {
    guard case .offline(let since, let nextTry, _) = freshness else { return nil }
    let began = WallClock.Instant(sinceEpoch: .milliseconds(since))
    let days = (time.sinceEpoch - began.sinceEpoch).components.seconds / 86_400
    let words =
      days < 1 ? "since " + LocalTime.text(of: began) : days == 1 ? "for a day" : "for \(days) days"
    self.init(
      since: words,
      nextTry: nextTry.map { now + (.milliseconds($0) - time.sinceEpoch) })
  }

  /// What is told of the next try.
  package var outlook: String {
    guard nextTry != nil else { return "calling it now" }
    guard let seconds, seconds > 0 else { return "next try in a moment" }
    return "next try in \(seconds) s"
  }

  /// When the words are others; nil when they stay.
  package var deadline: ContinuousClock.Instant? {
    guard let nextTry, let seconds, seconds > 0 else { return nil }
    return nextTry - .seconds(seconds - 1)
  }

  /// Whether the time is still to be told.
  package var isTimed: Bool { nextTry != nil && seconds != 0 }

  package mutating func tick(_ now: ContinuousClock.Instant) {
    guard let nextTry else { return }
    let left = now.duration(to: nextTry).components
    seconds = max(0, Int(left.seconds) + (left.attoseconds > 0 ? 1 : 0))
  }
}
