#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Instant {
  /// The current time of the system's clock, in milliseconds since 1970.
  public static var nowInMilliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension EntityID {
  /// Creates a new id: a random UUID of version 4.
  public static func random() -> EntityID {
    var generator = SystemRandomNumberGenerator()
    return random(using: &generator)
  }

  /// Creates a new id from a generator: a UUID of version 4.
  public static func random(using generator: inout some RandomNumberGenerator) -> EntityID {
    let high = generator.next() & ~0xF000 | 0x4000
    let low = generator.next() & ~(3 << 62) | 1 << 63
    return EntityID(high: high, low: low)
  }
}
