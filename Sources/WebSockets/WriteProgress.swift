import NIOCore

/// Measures how many written bytes have been sent to the reader, at regular checks.
///
/// A reader that slowly receives a long message is alive, although it cannot answer a ping in the
/// meantime.
struct WriteProgress {
  /// The minimum number of bytes that must be sent between two checks, so that the reader counts as
  /// alive.
  static let minBytes = 64 << 10
  /// The minimum while the memory budget for slow readers is exceeded. A check with fewer bytes is
  /// slow.
  private static let minBytesUnderPressure = 1 << 20
  /// The number of consecutive slow checks after which a connection is closed, while the budget is
  /// exceeded.
  private static let maxSlowChecks = 2

  private var left = 0
  private var slowChecks = 0

  /// Returns the number of bytes sent since the previous call.
  ///
  /// - Parameter written: The total number of bytes written so far.
  mutating func progress(of channel: any Channel, written: Int) -> Int {
    let buffered = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let now = max(left, written - buffered)
    defer { left = now }
    return now - left
  }

  /// Returns whether to close the connection, because a slow reader takes memory that others need.
  /// Call it at each check.
  mutating func isTooSlow(_ progress: Int, unsent: Int, _ budget: ByteBudget) -> Bool {
    guard budget.isExceeded, unsent > Self.minBytesUnderPressure,
      progress < Self.minBytesUnderPressure
    else {
      slowChecks = 0
      return false
    }
    slowChecks += 1
    return slowChecks >= Self.maxSlowChecks
  }
}
