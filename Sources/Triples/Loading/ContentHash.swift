/// A hash of a row's values that does not depend on their order.
///
/// - Source: Wang Yi's wyhash; each step multiplies to 128 bits and combines the two halves.
struct ContentHash {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// Returns the hash of a label, which is combined with the hash of each value under that label.
  static func seed(of label: String) -> UInt64 {
    var label = label
    return label.withUTF8 { hash($0, seed: 0x2D35_8DCC_AA6C_78A5) }
  }

  @inline(__always)
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, under seed: UInt64) {
    let hash = Self.hash(bytes, seed: seed)
    low &+= hash
    high &+= Self.mix(hash, 0xC6A4_A793_5BD1_E995)
  }

  /// Returns the id of a row with this content; `occurrence` is the number of earlier rows with the
  /// same content.
  func identity(in namespace: DerivedID, occurrence: Int) -> UUIDBits {
    let start = namespace.bits
    let first = Self.mix(high ^ start.high, 0x8BB8_4B93_962E_ACC9 ^ UInt64(occurrence))
    let second = Self.mix(low ^ start.low, 0x4B33_A62E_D433_D4A3 ^ first)
    return DerivedID(high: first, low: second).bits
  }

  @inline(__always)
  private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = (a ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: b | 1)
    return product.high ^ product.low
  }

  @inline(__always)
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var hash = seed &+ UInt64(raw.count)
    let whole = raw.count & ~7
    for place in stride(from: 0, to: whole, by: 8) {
      hash = mix(hash, raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) &+ hash)
    }
    var rest: UInt64 = 0
    for place in whole..<raw.count { rest = rest << 8 | UInt64(raw[place]) }
    return mix(hash, rest &+ 0xA076_1D64_78BD_642F)
  }
}
