#if os(Linux)
  import _FoundationICU
#else
  import Foundation
#endif

/// Sorts texts as readers of English expect: `ana`, `Ana`, `bo`, `Émile`, `Zoë`.
///
/// This is the order of the locale en-US, the root order of the Unicode collation (CLDR) at
/// tertiary strength: by letters, then by accents, then lower case before upper case. Texts that
/// differ only in control characters are equal; the caller decides their order. ASCII texts are
/// compared without the Unicode library. It is loaded for the first pair of texts that needs it.
///
/// - Source: Unicode Technical Standard 10, and CLDR root as shipped with the toolchain.
public enum Collation {
  /// Returns a negative number, zero or a positive number when `a` is before, equal to or after
  /// `b`.
  ///
  /// - Complexity: O(length of the shorter text); about 10 ns for short ASCII texts, 100 ns for
  ///   others.
  public static func compare(_ a: String, _ b: String) -> Int {
    var a = a
    var b = b
    return a.withUTF8 { a in b.withUTF8 { b in compare(a, b) } }
  }

  /// Compares UTF-8 bytes, which must be valid.
  package static func compare(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Int {
    compareASCII(a, b) ?? compareUnicode(a, b)
  }

  /// Compares texts only by ASCII characters; nil when a non-ASCII character matters.
  ///
  /// A difference between two characters counts only if neither is followed by a non-ASCII
  /// character, which could be a combining mark.
  package static func compareASCII(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    var i = 0
    var j = 0
    var byCase = 0
    while true {
      while i < a.count, a[i] < 0x80, weights[Int(a[i])] == 0 { i += 1 }
      while j < b.count, b[j] < 0x80, weights[Int(b[j])] == 0 { j += 1 }
      guard i < a.count else {
        if j == b.count { return byCase }
        return isPlain(b, at: j) ? -1 : nil
      }
      guard j < b.count else { return isPlain(a, at: i) ? 1 : nil }
      let x = a[i]
      let y = b[j]
      guard x < 0x80, y < 0x80 else { return nil }
      if x != y {
        let left = weights[Int(x)]
        let right = weights[Int(y)]
        if left != right {
          return isPlain(a, at: i) && isPlain(b, at: j) ? (left < right ? -1 : 1) : nil
        }
        if byCase == 0 { byCase = x > y ? -1 : 1 }
      }
      i += 1
      j += 1
    }
  }

  /// Returns whether a character is ASCII and is not followed by a character that may be a
  /// combining mark.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>, at i: Int) -> Bool {
    text[i] < 0x80 && (i + 1 == text.count || text[i + 1] < 0x80)
  }

  /// The rank of each ASCII character; 0 for control characters, which are ignored. Upper and
  /// lower case letters have the same rank.
  static let weights: [UInt8] = {
    var weights = [UInt8](repeating: 0, count: 128)
    let order =
      "\t\n\u{b}\u{c}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
    for (place, character) in order.utf8.enumerated() { weights[Int(character)] = UInt8(place + 1) }
    for capital in UInt8(ascii: "A")...UInt8(ascii: "Z") {
      weights[Int(capital)] = weights[Int(capital | 0x20)]
    }
    return weights
  }()
}

#if os(Linux)
  extension Collation {
    /// Compares texts by the Unicode library only.
    package static func compareUnicode(
      _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
    ) -> Int {
      var status = U_ZERO_ERROR
      let result = a.withMemoryRebound(to: CChar.self) { a in
        b.withMemoryRebound(to: CChar.self) { b in
          swift_ucol_strcollUTF8(
            OpaquePointer(bitPattern: collator), a.baseAddress ?? empty, Int32(clamping: a.count),
            b.baseAddress ?? empty, Int32(clamping: b.count), &status)
        }
      }
      return Int(result.rawValue)
    }

    /// Returns a sort key: bytes that sort (unsigned, shorter first) like the texts.
    ///
    /// Creating a key takes longer than one comparison. But sorting a large set needs about twenty
    /// comparisons per text, which take longer than one key.
    package static func sortKey(_ text: String) -> [UInt8] {
      let units = Array(text.utf16)
      var key = [UInt8](repeating: 0, count: units.count * 4 + 16)
      let collator = OpaquePointer(bitPattern: collator)
      let needed = swift_ucol_getSortKey(
        collator, units, Int32(clamping: units.count), &key, Int32(clamping: key.count))
      if Int(needed) > key.count {
        key = [UInt8](repeating: 0, count: Int(needed))
        _ = swift_ucol_getSortKey(
          collator, units, Int32(clamping: units.count), &key, Int32(clamping: key.count))
      }
      key.removeSubrange(Int(needed)...)
      return key
    }

    /// The address of the library's collator, which is created once and never changed, so that any
    /// thread may use it. It is an address because pointers are not Sendable.
    private static let collator: UInt = {
      var status = U_ZERO_ERROR
      let collator = swift_ucol_open("en_US", &status)
      precondition(collator != nil, "The Unicode library has no collation data for en_US.")
      return UInt(bitPattern: collator)
    }()

    private static var empty: UnsafePointer<CChar> { UnsafePointer(bitPattern: 1)! }
  }
#else
  extension Collation {
    package static func compareUnicode(
      _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
    ) -> Int {
      let left = String(decoding: a, as: UTF8.self)
      let right = String(decoding: b, as: UTF8.self)
      return left.compare(right, locale: Locale(identifier: "en_US")).rawValue
    }
  }
#endif
