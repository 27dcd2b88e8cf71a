import NIOCore

/// How much of what was written to a connection has left it: a reader who takes a long message slowly
/// is there, although nothing else can be sent to it or heard from it.
struct Outflow {
  /// A reader who takes fewer bytes than this between two looks is not reading.
  static let minBytes = 64 << 10
  /// The same while the server holds as much for slow readers as it may.
  private static let minBytesUnderPressure = 1 << 20
  /// So many looks in a row that find too little end a connection under pressure.
  private static let maxSlowLooks = 2

  private var left = 0
  private var slowLooks = 0

  /// The bytes that have left since this was called before.
  ///
  /// - Parameter written: All bytes that were written so far.
  mutating func progress(of channel: any Channel, written: Int) -> Int {
    let buffered = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let now = max(left, written - buffered)
    defer { left = now }
    return now - left
  }

  /// Whether a reader holds up too much memory for what it takes. To be asked at each look.
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
