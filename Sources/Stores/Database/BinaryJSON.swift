import Triples

/// JSONB, the binary form of JSON in SQLite 3.45 and later: each element is a header with its kind
/// and size, and then its text or its elements.
///
/// - Source: "The SQLite JSONB Format", https://sqlite.org/jsonb.html
enum BinaryJSON {
  private enum Kind: UInt8 {
    case null, yes, no
    case integer, hexInteger, float, shortFloat
    case text, escapedText, longEscapedText, rawText
    case array, object

    var isText: Bool {
      switch self {
      case .text, .escapedText, .longEscapedText, .rawText: true
      case .null, .yes, .no, .integer, .hexInteger, .float, .shortFloat, .array, .object: false
      }
    }
  }

  /// The maximum nesting depth, which the parser of the resulting text does not exceed either.
  private static let maxDepth = 256

  // MARK: Reading

  /// Returns the JSON text of a BLOB; nil if the BLOB is not JSONB.
  ///
  /// The text may be invalid if the texts of numbers within the BLOB are.
  static func text(of blob: [UInt8]) -> String? {
    var text: [UInt8] = []
    text.reserveCapacity(blob.count + blob.count / 4)
    guard append(blob[...], depth: 0, to: &text) == blob.count else { return nil }
    return String(validating: text, as: UTF8.self)
  }

  /// Appends the text of the first element. Returns the place behind the element; nil if it is
  /// invalid.
  private static func append(
    _ bytes: ArraySlice<UInt8>, depth: Int, to text: inout [UInt8]
  ) -> Int? {
    guard depth <= maxDepth, let (kind, content) = element(bytes) else { return nil }
    switch kind {
    case .null, .yes, .no:
      guard content.isEmpty else { return nil }
      text += (kind == .null ? "null" : kind == .yes ? "true" : "false").utf8
    case .integer, .float:
      guard !content.isEmpty, content.allSatisfy(isOfNumber) else { return nil }
      text += content
    case .hexInteger, .shortFloat:
      guard let number = plainNumber(content) else { return nil }
      text += number.utf8
    case .text, .escapedText, .longEscapedText, .rawText:
      guard let string = string(content, kind) else { return nil }
      text += JSONWriter.bytes(.text(string))
    case .array, .object:
      guard append(elements: content, kind, depth: depth, to: &text) else { return nil }
    }
    return content.endIndex
  }

  private static func append(
    elements: ArraySlice<UInt8>, _ kind: Kind, depth: Int, to text: inout [UInt8]
  ) -> Bool {
    var rest = elements
    var count = 0
    text.append(UInt8(ascii: kind == .array ? "[" : "{"))
    while !rest.isEmpty {
      let isKey = kind == .object && count.isMultiple(of: 2)
      if isKey, element(rest)?.kind.isText != true { return false }
      if count > 0 { text.append(UInt8(ascii: kind == .object && !isKey ? ":" : ",")) }
      guard let end = append(rest, depth: depth + 1, to: &text) else { return false }
      rest = rest[end...]
      count += 1
    }
    text.append(UInt8(ascii: kind == .array ? "]" : "}"))
    return kind == .array || count.isMultiple(of: 2)
  }

  /// Splits the first element into its kind and its content.
  private static func element(
    _ bytes: ArraySlice<UInt8>
  ) -> (kind: Kind, content: ArraySlice<UInt8>)? {
    guard let first = bytes.first, let kind = Kind(rawValue: first & 0xF) else { return nil }
    var start = bytes.startIndex + 1
    var size = UInt64(first >> 4)
    if size > 11 {
      // The size follows in 1, 2, 4 or 8 bytes.
      let count = 1 << Int(size - 12)
      guard bytes.endIndex - start >= count else { return nil }
      size = bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) }
      start += count
    }
    guard size <= UInt64(bytes.endIndex - start) else { return nil }
    return (kind, bytes[start..<start + Int(size)])
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
  }

  /// Returns a number of JSON5, such as `0x1F` or `.5`, as JSON; nil if it is not a number.
  private static func plainNumber(_ content: ArraySlice<UInt8>) -> String? {
    var digits = String(decoding: content, as: UTF8.self)[...]
    let isNegative = digits.first == "-"
    if isNegative || digits.first == "+" { digits.removeFirst() }
    let sign = isNegative ? "-" : ""
    if digits.lowercased().hasPrefix("0x") {
      guard digits.count > 2, digits.dropFirst(2).allSatisfy(\.isHexDigit),
        let number = UInt64(digits.dropFirst(2), radix: 16)
      else { return nil }
      return sign + String(number)
    }
    guard !digits.isEmpty, digits.utf8.allSatisfy(isOfNumber) else { return nil }
    let exponent = digits.firstIndex { $0 == "e" || $0 == "E" } ?? digits.endIndex
    var number = String(digits[..<exponent])
    if number.hasPrefix(".") { number = "0" + number }
    if number.hasSuffix(".") { number += "0" }
    return sign + number + digits[exponent...]
  }

  private static func string(_ content: ArraySlice<UInt8>, _ kind: Kind) -> String? {
    if kind == .text || kind == .rawText { return String(validating: content, as: UTF8.self) }
    let isLong = kind == .longEscapedText
    var quoted = [UInt8(ascii: "\"")]
    var rest = content
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        // JSON5 allows control characters in texts, and quotes of the other kind.
        let needsEscape = byte < 0x20 || byte == UInt8(ascii: "\"")
        if needsEscape, !isLong { return nil }
        quoted += needsEscape ? escape(of: byte) : [byte]
        continue
      }
      guard let next = rest.popFirst() else { return nil }
      quoted += isLong ? plainEscape(next, &rest) : [byte, next]
    }
    return try? JSONReader.value(of: quoted + [UInt8(ascii: "\"")]).textValue
  }

  private static func escape(of byte: UInt8) -> [UInt8] {
    Array(("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)).utf8)
  }

  /// Returns an escape of JSON5 as JSON. The first byte after the backslash is `byte`.
  private static func plainEscape(_ byte: UInt8, _ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "'"): return [byte]
    case UInt8(ascii: "v"): return Array("\\u000b".utf8)
    case UInt8(ascii: "0"): return Array("\\u0000".utf8)
    case UInt8(ascii: "x"):
      defer { rest = rest.dropFirst(2) }
      return Array("\\u00".utf8) + rest.prefix(2)
    case 0x0D:
      // A line break after a backslash is not a part of the text.
      if rest.first == 0x0A { rest = rest.dropFirst() }
      return []
    case 0x0A: return []
    case 0xE2:
      // U+2028 and U+2029 are line breaks, too.
      rest = rest.dropFirst(2)
      return []
    default: return [UInt8(ascii: "\\"), byte]
    }
  }

  // MARK: Writing

  /// Returns a value as JSONB.
  static func blob(of value: Value) -> [UInt8] {
    var blob: [UInt8] = []
    append(value, to: &blob)
    return blob
  }

  private static func append(_ value: Value, to blob: inout [UInt8]) {
    switch value {
    case .null: append(.null, [], to: &blob)
    case .bool(let flag): append(flag ? .yes : .no, [], to: &blob)
    case .integer: append(.integer, JSONWriter.bytes(value), to: &blob)
    case .double(let number):
      append(
        number.isFinite ? .float : .null, number.isFinite ? JSONWriter.bytes(value) : [], to: &blob)
    case .text(let text): append(text, to: &blob)
    case .array(let values):
      var content: [UInt8] = []
      for value in values { append(value, to: &content) }
      append(.array, content, to: &blob)
    case .object(let object):
      var content: [UInt8] = []
      for member in object.members {
        append(member.key, to: &content)
        append(member.value, to: &content)
      }
      append(.object, content, to: &blob)
    }
  }

  private static func append(_ text: String, to blob: inout [UInt8]) {
    let needsEscapes = text.utf8.contains {
      $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
    }
    append(needsEscapes ? .rawText : .text, Array(text.utf8), to: &blob)
  }

  private static func append(_ kind: Kind, _ content: [UInt8], to blob: inout [UInt8]) {
    let size = content.count
    if size <= 11 {
      blob.append(UInt8(size) << 4 | kind.rawValue)
    } else {
      // The codes 12 to 15 stand for a size in 1, 2, 4 or 8 bytes.
      let code: UInt8 = size <= 0xFF ? 12 : size <= 0xFFFF ? 13 : size <= 0xFFFF_FFFF ? 14 : 15
      blob.append(code << 4 | kind.rawValue)
      for place in (0..<1 << (code - 12)).reversed() {
        blob.append(UInt8(truncatingIfNeeded: size >> (8 * place)))
      }
    }
    blob += content
  }
}
