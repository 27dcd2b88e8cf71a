/// An id derived from a text, so that equal texts always have equal ids.
///
/// It is a UUID of version 8 that contains the text's 128-bit FNV-1a hash, except in the bits of
/// version and variant.
///
/// - Source: RFC 9562, section 5.8; the FNV page of its authors for basis and prime.
struct DerivedID {
  private var high: UInt64 = 0x6C62_272E_07BB_0142
  private var low: UInt64 = 0x62B8_2175_6295_C58D

  init(_ text: String = "") {
    for byte in text.utf8 { add(byte) }
  }

  /// Creates an id from two numbers that are already hashes.
  init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    low ^= UInt64(byte)
    // The prime is 2^88 + 0x13B.
    let product = low.multipliedFullWidth(by: 0x13B)
    high = high &* 0x13B &+ product.high &+ low &<< 24
    low = product.low
  }

  @inline(__always)
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes { add(byte) }
  }

  /// The two halves of the UUID, most significant first.
  var bits: UUIDBits {
    UUIDBits(high: high & ~0xF000 | 0x8000, low: low & ~0 >> 2 | 1 << 63)
  }

  var text: String { UUIDText.text(high: bits.high, low: bits.low) }
}

/// A UUID as two numbers, most significant first.
struct UUIDBits: Hashable {
  var high: UInt64
  var low: UInt64
}

extension EntityID {
  /// Returns the id derived from a text.
  package static func derived(from text: String) -> EntityID {
    let bits = DerivedID(text).bits
    return EntityID(high: bits.high, low: bits.low)
  }
}
