import NIOCore

/// Measures how much of the written data left a connection. A reader that takes a long message
/// slowly is alive, although nothing else can be sent to it.
struct WriteProgress {
  /// The minimum number of bytes between two checks for a reader that is alive.
  static let minBytes = 64 << 10
  /// The minimum number of bytes between two checks while the memory for slow readers is exhausted.
  private static let minBytesUnderPressure = 1 << 20
  /// The number of consecutive slow checks after which a connection is closed under memory
  /// pressure.
  private static let maxSlowLooks = 2

  private var left = 0
  private var slowLooks = 0

  /// Returns the number of bytes that left since the previous call.
  ///
  /// - Parameter written: All bytes written so far.
  mutating func progress(of channel: any Channel, written: Int) -> Int {
    let buffered = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let now = max(left, written - buffered)
    defer { left = now }
    return now - left
  }

  /// Whether a reader holds too much memory for its speed. Called at each check.
  mutating func isTooSlow(_ progress: Int, unsent: Int, _ budget: ByteBudget) -> Bool {
    guard budget.isExceeded, unsent > Self.minBytesUnderPressure,
      progress < Self.minBytesUnderPressure
    else {
      slowLooks = 0
      return false
    }
    slowLooks += 1
    return slowLooks >= Self.maxSlowLooks
  }
}
