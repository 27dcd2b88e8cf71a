#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The time of day, for stored timestamps. An instant keeps its meaning after a restart of the
/// program.
///
/// Users and the network can set the time of day, so it may jump. Measure durations with a
/// `ContinuousClock`.
public struct WallClock: Clock {
  /// A time on the wall clock.
  public struct Instant: InstantProtocol {
    /// The time since 1970-01-01T00:00:00Z.
    public var sinceEpoch: Duration

    /// Creates the time that is `sinceEpoch` after the beginning of 1970 in UTC.
    public init(sinceEpoch: Duration) {
      self.sinceEpoch = sinceEpoch
    }

    /// Returns the time that is later by `duration`.
    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceEpoch: sinceEpoch + duration)
    }

    /// Returns the duration from this time to `other`; negative when `other` is earlier.
    public func duration(to other: Instant) -> Duration {
      other.sinceEpoch - sinceEpoch
    }

    public static func < (left: Instant, right: Instant) -> Bool {
      left.sinceEpoch < right.sinceEpoch
    }
  }

  /// Creates the clock of the system.
  public init() {}

  /// The current time.
  public var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(
      sinceEpoch: .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec)))
  }

  /// The smallest difference that the clock can represent.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until `deadline`.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await ContinuousClock().sleep(for: now.duration(to: deadline), tolerance: tolerance)
  }
}

/// Encodes an instant as an integer: nanoseconds since 1970-01-01T00:00:00Z.
extension WallClock.Instant: Codable {
  public init(from decoder: any Decoder) throws {
    sinceEpoch = .nanoseconds(try Int64(from: decoder))
  }

  /// Encodes the instant.
  /// - Throws: An encoding error for an instant more than 292 years from 1970.
  public func encode(to encoder: any Encoder) throws {
    let (seconds, attoseconds) = sinceEpoch.components
    let (billions, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (nanoseconds, isJustTooFar) = billions.addingReportingOverflow(
      attoseconds / 1_000_000_000)
    guard !isTooFar, !isJustTooFar else {
      throw EncodingError.invalidValue(
        self,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "The date is more than 292 years before or after 1970."))
    }
    try nanoseconds.encode(to: encoder)
  }
}
