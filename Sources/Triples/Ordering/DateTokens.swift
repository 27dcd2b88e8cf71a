/// Splits a text into the tokens of dates.
struct DateTokens {
  enum Token: Equatable {
    case number(Int, digits: Int)
    case symbol(UInt8)
    case month(Int)
    /// A half-day as its offset in hours: 0 for `am`, 12 for `pm`.
    case halfDay(Int)
    /// A time zone as the number of hours east of Greenwich.
    case zone(hours: Int, isZ: Bool)
    case timeSeparator
    case word
    case blank
    case other
    case end

    var sign: Int? {
      switch self {
      case .symbol(UInt8(ascii: "+")): 1
      case .symbol(UInt8(ascii: "-")): -1
      default: nil
      }
    }

    var isZulu: Bool { self == .zone(hours: 0, isZ: true) }

    func number(digits: Int) -> Int? {
      guard case .number(let number, digits) = self else { return nil }
      return number
    }
  }

  private let text: [UInt8]
  private var position = 0
  private(set) var peek = Token.end

  init(_ text: [UInt8]) {
    self.text = text
    peek = scan()
  }

  mutating func next() -> Token {
    let token = peek
    peek = scan()
    return token
  }

  mutating func skip(_ token: Token) -> Bool {
    guard peek == token else { return false }
    peek = scan()
    return true
  }

  /// Converts a fraction of a second, given as the integer of its digits, to milliseconds.
  static func milliseconds(_ fraction: Int, digits: Int) -> Int {
    // Numbers have at most nine digits, so further digits do not matter.
    var value = fraction
    var places = min(digits, 9)
    while places < 3 {
      value *= 10
      places += 1
    }
    while places > 3 {
      value /= 10
      places -= 1
    }
    return value
  }

  private mutating func scan() -> Token {
    guard position < text.count else { return .end }
    let byte = text[position]
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return scanNumber()
    case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: ")"):
      position += 1
      return .symbol(byte)
    case 0x20, 0x09...0x0d:
      while position < text.count, Self.isBlank(text[position]) { position += 1 }
      return .blank
    case UInt8(ascii: "("):
      skipParentheses()
      return .other
    case UInt8(ascii: "A")...: return scanWord()
    default:
      position += 1
      return .other
    }
  }

  private mutating func scanNumber() -> Token {
    let start = position
    var value = 0
    while position < text.count, case let digit = text[position] &- UInt8(ascii: "0"), digit < 10 {
      if value < 100_000_000 { value = value * 10 + Int(digit) }
      position += 1
    }
    return .number(value, digits: position - start)
  }

  private mutating func scanWord() -> Token {
    let start = position
    while position < text.count, text[position] >= UInt8(ascii: "A") { position += 1 }
    let word = text[start..<position]
    let prefix = String(decoding: word.prefix(3).map { $0 | 0x20 }, as: UTF8.self)
    if let month = Self.months.firstIndex(of: prefix) { return .month(month + 1) }
    guard word.count <= 3 else { return .word }
    switch prefix {
    case "am": return .halfDay(0)
    case "pm": return .halfDay(12)
    case "t": return .timeSeparator
    case "z": return .zone(hours: 0, isZ: true)
    case "ut", "utc", "gmt": return .zone(hours: 0, isZ: false)
    case "edt": return .zone(hours: -4, isZ: false)
    case "est", "cdt": return .zone(hours: -5, isZ: false)
    case "cst", "mdt": return .zone(hours: -6, isZ: false)
    case "mst", "pdt": return .zone(hours: -7, isZ: false)
    case "pst": return .zone(hours: -8, isZ: false)
    default: return .word
    }
  }

  private mutating func skipParentheses() {
    var depth = 0
    repeat {
      if text[position] == UInt8(ascii: "(") { depth += 1 }
      if text[position] == UInt8(ascii: ")") { depth -= 1 }
      position += 1
    } while depth > 0 && position < text.count
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
}
