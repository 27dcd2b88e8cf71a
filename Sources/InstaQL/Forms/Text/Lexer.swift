import Triples

/// Splits query text into tokens on demand. So an error of the parser is reported before an invalid
/// token that comes later.
struct Lexer {
  static let maxTextBytes = 64 * 1024

  let source: PredicateText
  let bytes: [UInt8]
  private(set) var position = 0
  /// Whether commas may separate groups of digits. They may not within a list of values.
  var hasCommasInNumbers = true
  /// Whether the last token was `matches`. If so, the next string is a regular expression, whose
  /// backslashes are kept.
  private var isAfterMatches = false

  init(_ source: PredicateText) throws(QueryError) {
    self.source = source
    bytes = Array(source.text.utf8)
    if bytes.count > Self.maxTextBytes {
      throw fault(
        at: 0, expected: "at most 64 KiB of text", found: "\(bytes.count) bytes")
    }
  }

  mutating func next() throws(QueryError) -> Token {
    skipBlanks()
    let start = position
    guard start < bytes.count else { return Token(kind: .end, start: start, end: start) }
    let kind: Token.Kind
    let isPattern = isAfterMatches
    isAfterMatches = false
    switch bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): kind = try quotedText(isPattern: isPattern)
    case UInt8(ascii: "`"): kind = try quotedName()
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if let date = date() { kind = date } else { kind = try number() }
    case UInt8(ascii: "-") where byte(1).isDigit || isAtFraction: kind = try number()
    case UInt8(ascii: ".") where isAtFraction: kind = try number()
    case PredicateText.mark:
      guard let bound = source.bound[start] else { throw unknown() }
      position += 1
      kind = .bound(bound)
    default:
      if let sign = sign() {
        kind = .sign(sign)
      } else if Words.begins(scalar(at: start).value) {
        let name = plainName()
        isAfterMatches = name.lowercased() == Comparison.matches.spelling
        kind = .name(name, quoted: false)
      } else {
        throw unknown()
      }
    }
    return Token(kind: kind, start: start, end: position)
  }

  /// A token, or an invalid range of the text.
  enum Piece {
    case token(Token)
    case broken(Range<Int>)

    /// The range in UTF-8 bytes.
    var range: Range<Int> {
      switch self {
      case .token(let token): token.start..<token.end
      case .broken(let range): range
      }
    }
  }

  /// Returns the next token or invalid range; nil at the end of the text.
  mutating func nextPiece() -> Piece? {
    skipBlanks()
    let start = position
    do throws(QueryError) {
      let token = try next()
      return token.kind == .end ? nil : .token(token)
    } catch {
      let opening = bytes[start]
      if "\"'`".utf8.contains(opening) {
        position = start + 1
        while position < bytes.count, bytes[position] != opening {
          position += bytes[position] == UInt8(ascii: "\\") && opening != UInt8(ascii: "`") ? 2 : 1
        }
        position += 1
      } else {
        position = max(position, start + scalar(at: start).length)
      }
      position = min(position, bytes.count)
      return .broken(start..<position)
    }
  }

  /// Skips white space, and comments: from `--` to the end of the line, or from `/*` to `*/`.
  private mutating func skipBlanks() {
    while position < bytes.count {
      if byte(0) == UInt8(ascii: "-"), byte(1) == UInt8(ascii: "-") {
        while position < bytes.count, byte(0) != 0x0A { position += 1 }
        continue
      }
      if byte(0) == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        position += 2
        while position < bytes.count, byte(0) != UInt8(ascii: "*") || byte(1) != UInt8(ascii: "/") {
          position += 1
        }
        position = min(position + 2, bytes.count)
        continue
      }
      let (scalar, length) = scalar(at: position)
      guard scalar.properties.isWhitespace else { return }
      position += length
    }
  }

  private mutating func plainName() -> String {
    let start = position
    while position < bytes.count {
      let (scalar, length) = scalar(at: position)
      guard Words.continues(scalar) else { break }
      position += length
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quotedName() throws(QueryError) -> Token.Kind {
    let start = position
    var name: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte != UInt8(ascii: "`") {
        name.append(byte)
      } else if position < bytes.count, bytes[position] == UInt8(ascii: "`") {
        name.append(byte)
        position += 1
      } else {
        return .name(String(decoding: name, as: UTF8.self), quoted: true)
      }
    }
    throw fault(at: start, expected: "a closing backquote", found: "none")
  }

  private mutating func sign() -> Token.Sign? {
    let two = String(decoding: bytes[position..<min(position + 2, bytes.count)], as: UTF8.self)
    let twoByteSigns: [String: Token.Sign] = [
      "==": .equal, "!=": .notEqual, "<>": .notEqual, "<=": .lessOrEqual, ">=": .greaterOrEqual,
      "&&": .and, "||": .or,
    ]
    if let sign = twoByteSigns[two] {
      position += 2
      return sign
    }
    let one = Character(Unicode.Scalar(bytes[position]))
    guard let sign = Token.Sign(rawValue: String(one)) else { return nil }
    position += 1
    return sign
  }

  mutating func advance() { position += 1 }

  /// Moves back to an earlier position.
  mutating func rewind(to earlier: Int) { position = earlier }

  /// Returns the byte at this distance from the current position; 0 past the end.
  func byte(_ ahead: Int) -> UInt8 {
    position + ahead < bytes.count ? bytes[position + ahead] : 0
  }

  /// Returns the scalar that starts at `offset`, and its length in bytes.
  func scalar(at offset: Int) -> (value: Unicode.Scalar, length: Int) {
    if bytes[offset] < 0x80 { return (Unicode.Scalar(bytes[offset]), 1) }
    let length = bytes[offset] < 0xE0 ? 2 : bytes[offset] < 0xF0 ? 3 : 4
    let piece = String(decoding: bytes[offset..<min(offset + length, bytes.count)], as: UTF8.self)
    return (piece.unicodeScalars.first ?? " ", length)
  }

  private func unknown() -> QueryError {
    let isTilde = bytes[position] == UInt8(ascii: "~")
    return fault(
      at: position, expected: "a field, a value or an operator",
      hint: isTilde ? "For a regular expression, write: FIELD matches \"…\"." : nil)
  }
}
