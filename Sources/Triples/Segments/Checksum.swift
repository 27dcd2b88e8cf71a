/// A 64-bit checksum of bytes and words, computed incrementally.
///
/// It detects damage, but not forgery: different inputs have equal checksums with a probability of
/// about 1 in 10¹⁹.
///
/// - Source: Wang Yi's wyhash; each step multiplies to 128 bits and combines the two halves.
package struct Checksum: Sendable {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init() {}

  @inline(__always)
  package mutating func mix(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    state = (product.high ^ product.low) &+ 0xE703_7ED1_A0B4_28DB
  }

  /// Adds the number of bytes and the bytes.
  package mutating func mix(_ bytes: UnsafeRawBufferPointer) {
    mix(UInt64(bytes.count))
    let whole = bytes.count & ~7
    for place in stride(from: 0, to: whole, by: 8) {
      mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
    }
    if whole == bytes.count { return }
    var rest: UInt64 = 0
    for place in whole..<bytes.count { rest = rest << 8 | UInt64(bytes[place]) }
    mix(rest)
  }

  package mutating func mix(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { mix($0) }
  }

  /// The checksum of everything added so far.
  package var value: UInt64 {
    var end = self
    end.mix(0x8EBC_6AF0_9C88_C6E3)
    return end.state
  }

  package static func of(_ bytes: [UInt8]) -> UInt64 {
    var checksum = Checksum()
    checksum.mix(bytes)
    return checksum.value
  }
}
