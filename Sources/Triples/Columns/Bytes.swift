#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Comparisons of byte buffers with functions of the C library.
enum Bytes {
  @inline(__always)
  static func equal(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    return a.isEmpty || memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0
  }

  /// Compares unsigned bytes. The result is negative, zero or positive; a prefix comes before the
  /// longer text.
  static func compare(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
    let common = min(a.count, b.count)
    if common > 0 {
      let order = memcmp(a.baseAddress!, b.baseAddress!, common)
      if order != 0 { return Int(order) }
    }
    return a.count - b.count
  }

  /// Returns the first position of `part` in `text` at or after `start`; nil if there is none.
  static func find(
    _ part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int = 0
  ) -> Int? {
    guard let first = part.first else { return start }
    var position = start
    while position + part.count <= text.count {
      let base = text.baseAddress! + position
      guard let hit = memchr(base, Int32(first), text.count - part.count - position + 1) else {
        return nil
      }
      let place = UnsafeRawPointer(hit) - UnsafeRawPointer(text.baseAddress!)
      if memcmp(hit, part.baseAddress!, part.count) == 0 { return place }
      position = place + 1
    }
    return nil
  }

  /// Returns whether the bytes need no escapes in a JSON string.
  static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(text)
    var position = 0
    while position + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if needsEscape(word) != 0 { return false }
      position += 8
    }
    while position < raw.count {
      let byte = raw[position]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return false }
      position += 1
    }
    return true
  }

  /// Returns a word whose high bits mark the bytes that need an escape: control bytes, quotes and
  /// backslashes.
  ///
  /// The lowest mark is always right, but bytes above it may be marked by mistake. The result is
  /// zero exactly if no byte needs an escape.
  @inline(__always)
  private static func needsEscape(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    let quotes = word ^ (ones &* 0x22)
    let slashes = word ^ (ones &* 0x5C)
    let control = (word &- ones &* 0x20) & ~word
    return (control | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)) & high
  }
}

extension Bytes {
  /// Compares texts by UTF-16 code units, as JavaScript does.
  ///
  /// The result differs from a comparison of bytes only if a character beyond U+FFFF is compared
  /// with a character from U+E000 to U+FFFF.
  static func compareAsUTF16(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Int {
    for place in 0..<min(a.count, b.count) where a[place] != b[place] {
      let x = a[place]
      let y = b[place]
      if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) { return x >= 0xF0 ? -1 : 1 }
      return x < y ? -1 : 1
    }
    return a.count - b.count
  }
}
