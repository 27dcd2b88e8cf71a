import TerminalUI

/// A text to search for, ignoring case.
package struct TextPattern: Sendable, Equatable {
  /// The text in lowercase. It is empty if there is no search.
  package let text: String
  /// The scalars of the text.
  package let letters: [Unicode.Scalar]
  private let bytes: [UInt8]
  private let isASCII: Bool

  package init(_ text: String = "") {
    self.text = text.lowercased()
    letters = Array(self.text.unicodeScalars)
    bytes = Array(self.text.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  /// The pattern that matches nothing.
  package static let none = TextPattern()

  package var isEmpty: Bool { bytes.isEmpty }

  /// Whether the pattern can only occur in text values, and not in a number, date, boolean or size.
  ///
  /// A database can then search by comparing texts only, ignoring ASCII case.
  package var isShownByTextsAlone: Bool {
    guard isASCII, !isEmpty else { return false }
    let letters = text.filter { !$0.isNumber && !" .,:+-".contains($0) }
    let others = ["", "e", "t", "z", "tz", "inf", "nan", "infinity"]
    return !others.contains(letters)
      && !["true", "false", "{\"bytes\":}", "infinity"].contains { $0.contains(letters) }
  }

  /// Returns whether `other` contains the pattern. An empty pattern matches nothing.
  ///
  /// - Complexity: O(bytes of `other`), without allocations, if the pattern is ASCII.
  package func isIn(_ other: String) -> Bool {
    guard !isEmpty else { return false }
    // The length of letters beyond ASCII can change with their case.
    guard isASCII else { return other.lowercased().contains(text) }
    return other.utf8.withContiguousStorageIfAvailable { isIn($0) }
      ?? Array(other.utf8).withUnsafeBufferPointer { isIn($0) }
  }

  /// Returns a text whose first `columns` columns show the match. If necessary, `…` replaces the
  /// start of the text.
  package func part(of other: String, within columns: Int) -> String {
    guard columns > Self.lead, TextWidth.columns(of: other) > columns,
      !isIn(TextWidth.truncated(other, to: columns)), isIn(other)
    else { return other }
    // A binary search for the last start after which the text still contains the match.
    var (start, end) = (0, other.count)
    while end - start > 1 {
      let middle = (start + end) / 2
      if isIn(String(other.dropFirst(middle))) { start = middle } else { end = middle }
    }
    return "…" + other.dropFirst(max(0, start - Self.lead))
  }

  /// The number of characters to show between `…` and the match.
  private static let lead = 3

  /// Searches for an ASCII pattern, which is never a part of another letter in UTF-8.
  private func isIn(_ haystack: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      guard haystack.count >= bytes.count else { return false }
      let first = bytes[0]
      let capital = (0x61...0x7A).contains(first) ? first & ~0x20 : first
      // Most places are excluded by their first letter.
      for start in 0...(haystack.count - bytes.count)
      where haystack[start] == first || haystack[start] == capital {
        var length = 1
        while length < bytes.count, Self.small(haystack[start + length]) == bytes[length] {
          length += 1
        }
        if length == bytes.count { return true }
      }
      return false
    }
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

extension TextPattern {
  /// Returns the next line that contains the pattern, wrapping around at the ends. Nil if no line
  /// contains it.
  ///
  /// - Parameter step: The direction, 1 or -1; 0 searches downwards and includes the line `start`.
  package func line(from start: Int, step: Int, of count: Int, text: (Int) -> String) -> Int? {
    guard count > 0 else { return nil }
    let distances = step == 0 ? 0..<count : 1..<(count + 1)
    return distances.lazy
      .map { ((start + $0 * (step < 0 ? -1 : 1)) % count + count) % count }
      .first { isIn(text($0)) }
  }
}
