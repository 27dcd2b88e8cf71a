import TerminalUI

/// A text that is looked for, whatever the case of its letters.
struct TextPattern: Sendable, Equatable {
  /// In small letters; empty when nothing is looked for.
  let text: String
  private let bytes: [UInt8]
  private let isASCII: Bool

  init(_ text: String = "") {
    self.text = text.lowercased()
    bytes = Array(self.text.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Whether nothing but a text that a database compares by the letters of ASCII can show the pattern:
  /// no number, moment, truth value, or size of what is no text.
  var isShownByTextsAlone: Bool {
    guard isASCII, !isEmpty else { return false }
    let letters = text.filter { !$0.isNumber && !" .,:+-".contains($0) }
    let others = ["", "e", "t", "z", "tz", "inf", "nan", "infinity"]
    return !others.contains(letters)
      && !["true", "false", "{\"bytes\":}", "infinity"].contains { $0.contains(letters) }
  }

  /// Whether the pattern is somewhere in `other`; an empty one is nowhere.
  func isIn(_ other: String) -> Bool {
    guard !isEmpty else { return false }
    var other = other
    let found = other.withUTF8 { haystack -> Bool? in
      isASCII && haystack.allSatisfy { $0 < 0x80 } ? isIn(haystack) : nil
    }
    // Letters beyond ASCII change their length with their case: rare enough to be copied.
    return found ?? other.lowercased().contains(text)
  }

  /// The part of a text that shows where the pattern is, where its beginning in `columns` columns does
  /// not; the text itself where it does, or the pattern is not there.
  func part(of other: String, within columns: Int) -> String {
    guard columns > Self.lead, TextWidth.columns(of: other) > columns,
      !isIn(TextWidth.truncated(other, to: columns)), isIn(other)
    else { return other }
    // The last letter from which on it is still there.
    var (start, end) = (0, other.count)
    while end - start > 1 {
      let middle = (start + end) / 2
      if isIn(String(other.dropFirst(middle))) { start = middle } else { end = middle }
    }
    return "…" + other.dropFirst(max(0, start - Self.lead))
  }

  /// Letters before the pattern that are shown with it, and the sign that there are more.
  private static let lead = 3

  private func isIn(_ haystack: UnsafeBufferPointer<UInt8>) -> Bool {
    guard haystack.count >= bytes.count else { return false }
    for start in 0...(haystack.count - bytes.count) {
      var length = 0
      while length < bytes.count, Self.small(haystack[start + length]) == bytes[length] {
        length += 1
      }
      if length == bytes.count { return true }
    }
    return false
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
