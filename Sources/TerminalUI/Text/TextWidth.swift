/// Measures the width of text in columns, and defines how text is displayed. All code measures text
/// with this type.
///
/// Terminals disagree about the width of emoji sequences, new characters and control characters.
/// Such text is replaced, so that every terminal displays the same width and no line is shifted:
/// - A scalar of width 1 or 2 begins a cell. Up to four zero-width scalars that follow it are added
///   to the same cell.
/// - The parts of a joined emoji are displayed next to each other, a skin tone as a shade after its
///   emoji (`👍▒`), and a flag as its two letters. Joiners, tags and variation selectors are
///   dropped.
/// - Control characters become symbols (␛ for escape). Unknown scalars, and those that change the
///   direction of text, become U+FFFD.
package enum TextWidth {
  /// The maximum number of zero-width scalars on a cell, as in ncurses.
  package static let maxMarks = 4

  /// Returns the number of columns that `text` takes.
  ///
  /// - Complexity: O(bytes); about a nanosecond per byte for ASCII.
  package static func columns(of text: String) -> Int {
    if isPlain(text.utf8) { return text.utf8.count }
    var total = 0
    var glyphs = GlyphReader()
    for scalar in text.unicodeScalars { total += glyphs.read(scalar).columnsAdded }
    return total
  }

  /// Returns the longest prefix of `text` that fits in `columns`. If the text is cut, `…` is the
  /// last character.
  package static func truncated(_ text: String, to columns: Int) -> String {
    if columns <= 0 { return "" }
    if self.columns(of: text) <= columns { return text }
    return prefix(of: text, columns: columns - 1) + "…"
  }

  /// Returns the longest prefix of `text` that fits in `columns`.
  private static func prefix(of text: String, columns: Int) -> String {
    if isPlain(text.utf8) { return String(Substring(text.utf8.prefix(columns))) }
    var room = columns
    return String(
      text.prefix { character in
        room -= self.columns(of: String(character))
        return room >= 0
      })
  }

  /// Returns the longest suffix of `text` that fits in `columns`.
  private static func suffix(of text: String, columns: Int) -> String {
    if isPlain(text.utf8) { return String(Substring(text.utf8.suffix(columns))) }
    var room = columns
    let reversed = text.reversed().prefix { character in
      room -= self.columns(of: String(character))
      return room >= 0
    }
    return String(reversed.reversed())
  }

  /// Returns the beginning and the end of a long text, with `…` between them. This suits names that
  /// differ at their ends.
  package static func shortened(_ text: String, to columns: Int) -> String {
    guard columns > 2, self.columns(of: text) > columns else { return truncated(text, to: columns) }
    let head = truncated(text, to: (columns + 1) / 2)
    return head + suffix(of: text, columns: columns - self.columns(of: head))
  }

  /// Returns the number of columns of a scalar according to the table: 0, 1 or 2. Nil if the scalar
  /// cannot be displayed.
  package static func columns(of scalar: Unicode.Scalar) -> Int? {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? nil : 1 }
    if value >= 0x4E00, value <= 0x9FFF { return 2 }
    // The lines of boxes, which a screen has many of.
    if value >= 0x2500, value <= 0x259F { return 1 }
    var low = 0
    var high = widthRuns.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if widthRuns[middle] >> 2 <= value { low = middle } else { high = middle }
    }
    let width = Int(widthRuns[low] & 3)
    return width == 3 ? nil : width
  }

  /// Returns the number of bytes at the start that are printable ASCII. Each is one column wide.
  static func plainPrefix(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    isPlain(bytes) ? bytes.count : bytes.firstIndex { $0 &- 0x20 >= 0x5F } ?? bytes.count
  }

  /// Returns whether every byte is printable ASCII and thus one column wide.
  static func isPlain(_ bytes: String.UTF8View) -> Bool {
    bytes.withContiguousStorageIfAvailable { isPlain($0) }
      ?? bytes.allSatisfy { $0 &- 0x20 < 0x5F }
  }

  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var odd: UInt8 = 0
    for byte in bytes { odd |= byte &- 0x20 < 0x5F ? 0 : 1 }
    return odd == 0
  }
}
