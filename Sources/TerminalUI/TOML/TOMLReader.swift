/// Parses the statements of a TOML text: headers, and keys with their values.
struct TOMLReader {
  let bytes: [UInt8]
  var index = 0
  var line = 1
  private var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // The text may begin with a byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  mutating func document() throws(TOMLError) -> TOMLTable {
    var builder = TOMLBuilder()
    while true {
      try skipBlank()
      let start = line
      guard let byte = peek else { return builder.table }
      if byte == UInt8(ascii: "[") {
        let isArray = bytes[index...].starts(with: [byte, byte])
        index += isArray ? 2 : 1
        let key = try key("the name of a TOML table after '['")
        for _ in 0..<(isArray ? 2 : 1) { try expect(UInt8(ascii: "]"), "']'") }
        try builder.open(key, isArray: isArray, line: start)
      } else {
        let (key, value) = try pair()
        try builder.add(value, at: key, line: start)
      }
      try endLine()
    }
  }

  // MARK: Keys

  private mutating func pair() throws(TOMLError) -> (key: [String], value: TOMLValue) {
    let key = try key("a name")
    try expect(UInt8(ascii: "="), "'='")
    skipSpaces()
    return (key, try value())
  }

  /// Reads a key, or several keys separated by dots, and the spaces around them.
  private mutating func key(_ expected: String) throws(TOMLError) -> [String] {
    var parts: [String] = []
    while true {
      skipSpaces()
      switch peek {
      case let quote? where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
        guard !bytes[index...].starts(with: [quote, quote, quote]) else {
          throw fault("a key cannot be in triple quotes")
        }
        parts.append(try text())
      case let byte?
      where Self.isBare(byte): parts.append(word { Self.isBare($0) })
      default: throw unexpected(parts.isEmpty ? expected : "a name after '.'")
      }
      skipSpaces()
      guard peek == UInt8(ascii: ".") else { return parts }
      guard parts.count < TOMLTable.maxKeyParts else {
        throw fault("a dotted key has more than \(TOMLTable.maxKeyParts) parts")
      }
      index += 1
    }
  }

  // MARK: Values

  private mutating func value() throws(TOMLError) -> TOMLValue {
    switch peek {
    case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: return .text(try text())
    case UInt8(ascii: "[")?: return try nested(Self.array)
    case UInt8(ascii: "{")?: return try nested(Self.inlineTable)
    case let byte? where TOMLScalar.isPart(byte): return try scalar()
    default: throw unexpected("a value")
    }
  }

  private mutating func nested(
    _ read: (inout TOMLReader) throws(TOMLError) -> TOMLValue
  ) throws(TOMLError) -> TOMLValue {
    guard depth < TOMLTable.maxDepth else {
      throw fault("values are nested more than \(TOMLTable.maxDepth) levels deep")
    }
    depth += 1
    defer { depth -= 1 }
    index += 1
    return try read(&self)
  }

  private static func array(_ reader: inout TOMLReader) throws(TOMLError) -> TOMLValue {
    var items: [TOMLValue] = []
    while true {
      try reader.skipBlank()
      if reader.skip(UInt8(ascii: "]")) { return .array(items) }
      items.append(try reader.value())
      try reader.skipBlank()
      if reader.skip(UInt8(ascii: "]")) { return .array(items) }
      try reader.expect(UInt8(ascii: ","), "',' or ']'")
    }
  }

  private static func inlineTable(_ reader: inout TOMLReader) throws(TOMLError) -> TOMLValue {
    var builder = TOMLBuilder(isInline: true, line: reader.line)
    reader.skipSpaces()
    if reader.skip(UInt8(ascii: "}")) { return .table(builder.table) }
    while true {
      let start = reader.line
      let (key, value) = try reader.pair()
      try builder.add(value, at: key, line: start)
      reader.skipSpaces()
      if reader.skip(UInt8(ascii: "}")) { return .table(builder.table) }
      try reader.expect(UInt8(ascii: ","), "',' or '}'")
    }
  }

  /// Reads a number, a date, true or false.
  private mutating func scalar() throws(TOMLError) -> TOMLValue {
    var written = word(TOMLScalar.isPart)
    // The space may separate a date from a time.
    if TOMLScalar.isDate(written), index + 1 < bytes.count, bytes[index] == UInt8(ascii: " "),
      TOMLScalar.isDigit(bytes[index + 1])
    {
      index += 1
      written += " " + word(TOMLScalar.isPart)
    }
    guard let value = TOMLScalar.value(written) else {
      throw fault("'\(written)' is not a value. Strings need quotes")
    }
    return value
  }

  // MARK: Bytes

  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func word(_ isPart: (UInt8) -> Bool) -> String {
    let part = bytes[index...].prefix(while: isPart)
    index = part.endIndex
    return String(decoding: part, as: UTF8.self)
  }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ byte: UInt8, _ name: String) throws(TOMLError) {
    guard skip(byte) else { throw unexpected(name) }
  }

  private mutating func skipSpaces() {
    while let byte = peek, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
  }

  /// Skips spaces, line breaks and comments.
  private mutating func skipBlank() throws(TOMLError) {
    repeat {
      skipSpaces()
      try skipComment()
    } while skipLineBreak()
  }

  private mutating func endLine() throws(TOMLError) {
    skipSpaces()
    try skipComment()
    guard peek == nil || skipLineBreak() else { throw unexpected("the end of the line") }
  }

  private mutating func skipComment() throws(TOMLError) {
    guard peek == UInt8(ascii: "#") else { return }
    while let byte = peek, byte != UInt8(ascii: "\n") {
      try refuseControl(byte)
      index += 1
    }
  }

  mutating func skipLineBreak() -> Bool {
    let isPair = bytes[index...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
    guard isPair || peek == UInt8(ascii: "\n") else { return false }
    index += isPair ? 2 : 1
    line += 1
    return true
  }

  /// Throws if the byte is a control character. A tab, and a carriage return before a line feed,
  /// are allowed.
  func refuseControl(_ byte: UInt8) throws(TOMLError) {
    let isBreak = bytes[index...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
    guard byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") || isBreak else {
      throw fault("unexpected control character (U+\(hexadecimal(byte)))")
    }
  }

  private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  func fault(_ reason: String) -> TOMLError { TOMLError(line: line, reason: reason) }

  private func unexpected(_ expected: String) -> TOMLError {
    guard let byte = peek else { return fault("expected \(expected), but the file ends") }
    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
      return fault("expected \(expected), but the line ends")
    }
    guard byte >= 0x20, byte != 0x7F else {
      return fault("unexpected control character (U+\(hexadecimal(byte)))")
    }
    let found = String(decoding: bytes[index...].prefix(16), as: UTF8.self).prefix(1)
    return fault("expected \(expected), but found '\(found)'")
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
