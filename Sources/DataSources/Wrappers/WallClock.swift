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
  public struct Instant: InstantProtocol {
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

/// Written as a number: nanoseconds since 1970-01-01T00:00:00Z, as the clock tells them.
extension WallClock.Instant: Codable {
  public init(from decoder: any Decoder) throws {
    sinceEpoch = .nanoseconds(try Int64(from: decoder))
  }

  /// - Throws: An encoding error for an instant more than 292 years from 1970.
  public func encode(to encoder: any Encoder) throws {
    let (seconds, attoseconds) = sinceEpoch.components
    let (billions, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (nanoseconds, isJustTooFar) = billions.addingReportingOverflow(
      attoseconds / 1_000_000_000)
    guard !isTooFar, !isJustTooFar else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "Too far from 1970."))
    }
    try nanoseconds.encode(to: encoder)
  }
}
