/// A hash table of 32-bit numbers, such as rows or text codes; the caller stores their keys.
///
/// It uses open addressing and is stored in chunks, so that a copy with one insertion shares all
/// but one chunk.
///
/// A slot stores 32 bits of the hash next to the number. Most wrong candidates are therefore
/// rejected without comparing keys, and growing does not need the hashes of keys.
///
///     slot  [ hash, upper 32 bits | number + 1 ]      0 = free
struct HashTable: Sendable {
  private static let chunkShift = 9
  private static let chunkMask = 511
  private static let tagBits: UInt64 = 0xFFFF_FFFF_0000_0000

  private var chunks: PersistentArray<[UInt64]>
  private var mask: Int
  private(set) var count = 0

  init() {
    mask = 15
    chunks = Self.free(slots: 16)
  }

  /// Returns the number that was inserted with this hash and for which `matches` returns true; nil
  /// if there is none.
  @inline(__always)
  func find(_ hash: UInt64, _ matches: (UInt32) -> Bool) -> UInt32? {
    let tag = hash & Self.tagBits
    var position = Int(truncatingIfNeeded: hash >> 32) & mask
    while true {
      let slot = chunks.with(position >> Self.chunkShift) {
        $0.pointee[position & Self.chunkMask]
      }
      if slot == 0 { return nil }
      if slot & Self.tagBits == tag {
        let number = UInt32(truncatingIfNeeded: slot) &- 1
        if matches(number) { return number }
      }
      position = (position &+ 1) & mask
    }
  }

  /// Inserts a number that is not in the table yet.
  mutating func insert(_ number: UInt32, hash: UInt64) {
    if (count &+ 1) &* 4 > (mask &+ 1) &* 3 { grow(slots: (mask + 1) * 2) }
    place(hash & Self.tagBits | UInt64(number &+ 1))
    count &+= 1
  }

  /// Reserves space for this many numbers; a loader knows the count in advance.
  mutating func reserve(_ numbers: Int) {
    var slots = mask + 1
    while numbers * 4 > slots * 3 { slots *= 2 }
    if slots > mask + 1 { grow(slots: slots) }
  }

  @inline(__always)
  private func isFree(_ position: Int) -> Bool {
    chunks.with(position >> Self.chunkShift) { $0.pointee[position & Self.chunkMask] == 0 }
  }

  @inline(__always)
  private mutating func place(_ slot: UInt64) {
    var position = Int(truncatingIfNeeded: slot >> 32) & mask
    while !isFree(position) {
      position = (position &+ 1) & mask
    }
    chunks[position >> Self.chunkShift][position & Self.chunkMask] = slot
  }

  private mutating func grow(slots: Int) {
    let old = chunks
    let oldSlots = mask + 1
    chunks = Self.free(slots: slots)
    mask = slots - 1
    for first in stride(from: 0, to: oldSlots, by: Self.chunkMask + 1) {
      for slot in old[first >> Self.chunkShift] where slot != 0 { place(slot) }
    }
  }

  private static func free(slots: Int) -> PersistentArray<[UInt64]> {
    var chunks = PersistentArray<[UInt64]>(blank: [])
    let chunkSize = min(slots, chunkMask + 1)
    for position in 0..<(slots / chunkSize) {
      chunks[position] = [UInt64](repeating: 0, count: chunkSize)
    }
    return chunks
  }
}

/// Computes hashes of keys. The seed is random for each process, so that attackers cannot prepare
/// collisions.
enum KeyHash {
  private static let seed = UInt64.random(in: .min ... .max)
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let wide = a.multipliedFullWidth(by: b)
    return wide.high ^ wide.low
  }

  @inline(__always)
  static func of(_ high: UInt64, _ low: UInt64) -> UInt64 {
    fold(fold(high ^ seed, multiplier) ^ low, 0xD6E8_FEB8_6659_FD93)
  }

  static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = seed ^ UInt64(bytes.count)
    var rest = UnsafeRawBufferPointer(bytes)[...]
    while rest.count >= 8 {
      let word = UnsafeRawBufferPointer(rebasing: rest).loadUnaligned(as: UInt64.self)
      hash = fold(hash ^ word, multiplier)
      rest = rest.dropFirst(8)
    }
    var last: UInt64 = 0
    for byte in rest { last = last << 8 | UInt64(byte) }
    return fold(hash ^ last, 0xD6E8_FEB8_6659_FD93)
  }
}
