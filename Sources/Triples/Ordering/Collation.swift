#if os(Linux)
  import _FoundationICU
#else
  import Foundation
#endif

/// Orders texts as a person reading English expects: `ana`, `Ana`, `bo`, `Émile`, `Zoë`.
///
/// It is the order of the locale en-US, which is the root order of the Unicode collation (CLDR) at
/// tertiary strength: letters first by what they are, then by accent, then small before capital.
/// Texts that differ only in control characters are equal; whoever sorts breaks the tie.
/// Two texts of ASCII alone never reach the Unicode library, which is opened by the first pair
/// that needs it.
///
/// - Source: Unicode Technical Standard 10, and CLDR root as shipped with the toolchain.
public enum Collation {
  /// Negative, zero or positive as `a` stands before, beside or after `b`.
  ///
  /// - Complexity: linear in the shorter text; some 10 ns for short ASCII texts, 100 ns for others.
  public static func compare(_ a: String, _ b: String) -> Int {
    var a = a
    var b = b
    return a.withUTF8 { a in b.withUTF8 { b in compare(a, b) } }
  }

  /// The same over UTF-8 bytes, which must be valid.
  package static func compare(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Int {
    compareASCII(a, b) ?? compareUnicode(a, b)
  }

  /// Compares what can be decided by ASCII alone; nil when a character beyond ASCII has a say.
  ///
  /// A decision between two characters holds only when neither is followed by a character beyond
  /// ASCII, because that could be a mark that changes its letter.
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

  /// Whether the character here is ASCII and no mark can follow it.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>, at i: Int) -> Bool {
    text[i] < 0x80 && (i + 1 == text.count || text[i + 1] < 0x80)
  }

  /// The place of each ASCII character among the others; 0 for the control characters, which the
  /// order does not see. A capital has the place of its small letter.
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
    /// The comparison of the Unicode library, without the shortcut.
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

    /// Bytes that sort (unsigned, shorter first) as the texts do: dearer to make than one
    /// comparison, cheaper than the twenty that sorting a large set takes.
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

    /// The address of the library's collator, opened once and never closed or changed: comparing
    /// with it from several threads is safe. An address, because a pointer cannot be shared.
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
