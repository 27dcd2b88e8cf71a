extension JSONParser {
  /// Parses a string. The position moves from its opening quote to after its closing quote.
  @inline(__always)
  mutating func parseText() throws(JSONError) {
    let start = position + 1
    var place = start
    var isEscaped = false
    while true {
      place = skipPlain(place)
      guard place < length else { throw fault(.ends(expected: "'\"'"), at: length) }
      let byte = source[place]
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        place = try skipEscape(place)
      } else if byte < 0x20 {
        throw fault(.controlByte(byte), at: place)
      } else {
        place = try skipScalars(place)
      }
    }
    let flag = isEscaped ? JSONNode.escapedFlag : 0
    append(JSONNode.word(.text, UInt64(place - start) | flag))
    append(UInt64(start))
    position = place + 1
  }

  /// Finds the next quote, backslash, control byte or non-ASCII byte, searching eight bytes at a
  /// time.
  @inline(__always)
  private func skipPlain(_ start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    let raw = UnsafeRawPointer(source)
    var place = start
    while place + 8 <= length {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let quotes = word ^ (ones &* 0x22)
      let slashes = word ^ (ones &* 0x5C)
      // The lowest mark is always correct, since a borrow affects only bits above a correct mark.
      let marks =
        (((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
          | ((word &- ones &* 0x20) & ~word) | word) & high
      if marks != 0 { return place + marks.trailingZeroBitCount >> 3 }
      place += 8
    }
    while place < length {
      let byte = source[place]
      if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { return place }
      place += 1
    }
    return place
  }

  /// Skips an escape.
  private func skipEscape(_ start: Int) throws(JSONError) -> Int {
    guard start + 1 < length else { throw fault(.ends(expected: "an escape"), at: length) }
    let kind = source[start + 1]
    if JSONEscapes.simple(kind) != 0 { return start + 2 }
    guard kind == UInt8(ascii: "u") else {
      throw fault(.unknownEscape(excerpt(start, 2)), at: start)
    }
    let unit = try codeUnit(start)
    switch unit {
    case 0xD800..<0xDC00:
      guard start + 8 <= length, source[start + 6] == UInt8(ascii: "\\"),
        source[start + 7] == UInt8(ascii: "u"),
        try codeUnit(start + 6) & 0xFC00 == 0xDC00
      else { throw fault(.loneSurrogate, at: start) }
      return start + 12
    case 0xDC00..<0xE000: throw fault(.loneSurrogate, at: start)
    default: return start + 6
    }
  }

  private func codeUnit(_ start: Int) throws(JSONError) -> UInt16 {
    guard start + 6 <= length else { throw fault(.ends(expected: "four hex digits"), at: length) }
    guard let unit = JSONEscapes.codeUnit(source + start + 2) else {
      throw fault(.unknownEscape(excerpt(start, 6)), at: start)
    }
    return unit
  }

  private func excerpt(_ start: Int, _ count: Int) -> String {
    var end = min(start + count, length)
    while end < length, end < start + count + 3, source[end] & 0xC0 == 0x80 { end += 1 }
    let bytes = UnsafeBufferPointer(start: source + start, count: end - start)
    // Control characters and quotes are omitted from the message.
    return String(decoding: bytes.prefix { $0 >= 0x20 && $0 != 0x22 }, as: UTF8.self)
  }

  /// Skips and validates a run of non-ASCII scalars.
  private func skipScalars(_ start: Int) throws(JSONError) -> Int {
    var place = start
    while place < length, source[place] >= 0x80 {
      let width = Self.soundScalar(source + place, available: length - place)
      guard width > 0 else { throw fault(.invalidUTF8, at: place) }
      place += width
    }
    return place
  }

  /// Returns the number of bytes of the scalar at the position; 0 when it is invalid UTF-8.
  ///
  /// - Source: table 3-7 of the Unicode Standard.
  @inline(__always)
  static func soundScalar(_ bytes: UnsafePointer<UInt8>, available: Int) -> Int {
    let first = bytes[0]
    switch first {
    case 0xC2...0xDF:
      return available >= 2 && bytes[1] & 0xC0 == 0x80 ? 2 : 0
    case 0xE0...0xEF:
      guard available >= 3, bytes[1] & 0xC0 == 0x80, bytes[2] & 0xC0 == 0x80 else { return 0 }
      if first == 0xE0 && bytes[1] < 0xA0 || first == 0xED && bytes[1] > 0x9F { return 0 }
      return 3
    case 0xF0...0xF4:
      guard available >= 4, bytes[1] & 0xC0 == 0x80, bytes[2] & 0xC0 == 0x80,
        bytes[3] & 0xC0 == 0x80
      else { return 0 }
      if first == 0xF0 && bytes[1] < 0x90 || first == 0xF4 && bytes[1] > 0x8F { return 0 }
      return 4
    default: return 0
    }
  }
}
