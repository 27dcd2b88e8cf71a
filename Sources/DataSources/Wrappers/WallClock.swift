#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The time of day, for timestamps that are stored: its instants mean the same after a restart.
///
/// People and networks set it, so it may jump; measure durations with a `ContinuousClock`.
public struct WallClock: Clock {
  public struct Instant: InstantProtocol, Codable {
    /// Since 1970-01-01T00:00:00Z.
    public var sinceEpoch: Duration

    public init(sinceEpoch: Duration) {
      self.sinceEpoch = sinceEpoch
    }

    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceEpoch: sinceEpoch + duration)
    }

    public func duration(to other: Instant) -> Duration {
      other.sinceEpoch - sinceEpoch
    }

    public static func < (left: Instant, right: Instant) -> Bool {
      left.sinceEpoch < right.sinceEpoch
    }
  }

  public init() {}

  public var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(
      sinceEpoch: .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec)))
  }

  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await ContinuousClock().sleep(for: now.duration(to: deadline), tolerance: tolerance)
  }
}
