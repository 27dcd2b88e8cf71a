import Triples

extension Lexer {
  /// Reads a string in single or double quotes.
  ///
  /// - Parameter isPattern: Whether the string is a regular expression, whose backslashes are kept,
  ///   except before the quote.
  mutating func quotedText(isPattern: Bool = false) throws(QueryError) -> Token.Kind {
    let start = position
    let quote = bytes[start]
    var content: [UInt8] = []
    var wildcard: Int?
    advance()
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case quote:
        advance()
        return .text(String(decoding: content, as: UTF8.self), wildcard: wildcard)
      case UInt8(ascii: "\\") where isPattern:
        if self.byte(1) != quote { content.append(byte) }
        advance()
        guard position < bytes.count else { break }
        content.append(bytes[position])
        advance()
      case UInt8(ascii: "\\"): try escape(into: &content, &wildcard)
      case PredicateText.mark where source.bound[position] != nil:
        throw fault(
          at: position, expected: "an interpolated value without quotes",
          found: "one in quotes")
      default:
        content.append(byte)
        advance()
      }
    }
    throw fault(at: start, expected: "a closing quote", found: "none")
  }

  private mutating func escape(
    into content: inout [UInt8], _ wildcard: inout Int?
  ) throws(QueryError) {
    let start = position
    let letter = byte(1)
    switch letter {
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): content.append(letter)
    case UInt8(ascii: "n"): content.append(10)
    case UInt8(ascii: "r"): content.append(13)
    case UInt8(ascii: "t"): content.append(9)
    case UInt8(ascii: "%"), UInt8(ascii: "_"):
      if wildcard == nil { wildcard = start }
      content += [UInt8(ascii: "\\"), letter]
    case UInt8(ascii: "u"):
      advance()
      advance()
      content += Array(String(Character(try scalarInBraces(start))).utf8)
      return
    default: throw unknownEscape(start)
    }
    advance()
    advance()
  }

  private mutating func scalarInBraces(_ start: Int) throws(QueryError) -> Unicode.Scalar {
    guard byte(0) == UInt8(ascii: "{") else { throw unknownEscape(start) }
    advance()
    let digits = position
    while byte(0) != UInt8(ascii: "}") {
      guard position < bytes.count, position - digits < 8 else { throw unknownEscape(start) }
      advance()
    }
    let hex = String(decoding: bytes[digits..<position], as: UTF8.self)
    guard !hex.hasPrefix("+"), let number = UInt32(hex, radix: 16),
      let scalar = Unicode.Scalar(number)
    else { throw unknownEscape(start) }
    advance()
    return scalar
  }

  private func unknownEscape(_ offset: Int) -> QueryError { Self.unknownEscape(in: self, offset) }

  static func unknownEscape(in lexer: Lexer, _ offset: Int) -> QueryError {
    lexer.fault(
      at: offset, expected: "a known escape",
      hint: #"Use \\ \" \' \n \r \t or \u{1F600}; after like, also \% or \_."#)
  }
}
