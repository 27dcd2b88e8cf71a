/// Splits JSON text into spans for syntax highlighting, even if the JSON is invalid.
///
/// The key of an object is a span of kind `name`; other spans have the kind of their value.
enum JSONSpans {
  static func spans(of bytes: [UInt8]) -> [QuerySpan] {
    var spans: [QuerySpan] = []
    var place = 0
    while place < bytes.count {
      let start = place
      switch bytes[place] {
      case 0x20, 0x09, 0x0A, 0x0D: place += 1
      case UInt8(ascii: "\""):
        let isClosed = skipText(bytes, &place)
        let kind: QuerySpan.Kind =
          isClosed ? (isMember(bytes, after: place) ? .name : .string) : .error
        spans.append(QuerySpan(kind, start..<place))
      case let byte where "{}[]:,".utf8.contains(byte):
        place += 1
        spans.append(QuerySpan(.punctuation, start..<place))
      default:
        place += 1
        while place < bytes.count, !ends(bytes[place]) { place += 1 }
        spans.append(QuerySpan(kind(of: bytes[start..<place]), start..<place))
      }
    }
    return spans
  }

  /// Moves `place` past the string that begins there. Returns false if its closing quote is
  /// missing.
  private static func skipText(_ bytes: [UInt8], _ place: inout Int) -> Bool {
    place += 1
    while place < bytes.count {
      let byte = bytes[place]
      place += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return true }
    }
    place = bytes.count
    return false
  }

  private static func isMember(_ bytes: [UInt8], after place: Int) -> Bool {
    bytes[place...].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
      == UInt8(ascii: ":")
  }

  private static func ends(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "{}[]:,\"".utf8.contains(byte)
  }

  private static func kind(of bytes: ArraySlice<UInt8>) -> QuerySpan.Kind {
    switch String(decoding: bytes, as: UTF8.self) {
    case "true", "false": .boolean
    case "null": .null
    case let word: Double(word) != nil ? .number : .error
    }
  }
}
