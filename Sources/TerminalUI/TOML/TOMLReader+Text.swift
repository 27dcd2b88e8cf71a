/// Reads strings.
extension TOMLReader {
  /// Reads a string in single or double quotes. A string in three quotes may have several lines.
  mutating func text() throws(TOMLError) -> String {
    let (start, quote) = (line, bytes[index])
    let isLong = bytes[index...].prefix(3).count { $0 == quote } == 3
    index += isLong ? 3 : 1
    if isLong { _ = skipLineBreak() }
    var content: [UInt8] = []
    while let byte = peek {
      if byte == quote {
        // Up to two quotes at the end of the text may precede the three closing ones.
        let run = bytes[index...].prefix(isLong ? 5 : 1).prefix { $0 == quote }.count
        index += run
        if !isLong || run >= 3 {
          if isLong { content += [UInt8](repeating: quote, count: run - 3) }
          return String(decoding: content, as: UTF8.self)
        }
        content += [UInt8](repeating: quote, count: run)
      } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        index += 1
        if isLong, skipFold() { continue }
        try escape(into: &content)
      } else if skipLineBreak() {
        guard isLong else { break }
        content.append(UInt8(ascii: "\n"))
      } else {
        try refuseControl(byte)
        content.append(byte)
        index += 1
      }
    }
    throw TOMLError(line: start, reason: "a string has no closing quote")
  }

  /// Skips the line break after a backslash, and all spaces and line breaks that follow. Returns
  /// whether there was a line break.
  private mutating func skipFold() -> Bool {
    let (oldIndex, oldLine) = (index, line)
    var hasBreak = false
    while true {
      if skip(UInt8(ascii: " ")) || skip(UInt8(ascii: "\t")) { continue }
      guard skipLineBreak() else { break }
      hasBreak = true
    }
    if !hasBreak { (index, line) = (oldIndex, oldLine) }
    return hasBreak
  }

  private mutating func escape(into content: inout [UInt8]) throws(TOMLError) {
    guard let byte = peek else { return }
    index += 1
    switch byte {
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): content.append(byte)
    case UInt8(ascii: "u"): try character(digits: 4, into: &content)
    case UInt8(ascii: "U"): try character(digits: 8, into: &content)
    default:
      throw fault("a string has an unknown escape after '\\'. Write '\\\\' for a backslash")
    }
  }

  private mutating func character(
    digits count: Int, into content: inout [UInt8]
  ) throws(TOMLError) {
    let digits = bytes[index...].prefix(count)
    let number =
      digits.count == count && digits.allSatisfy(TOMLScalar.isHexadecimal)
      ? UInt32(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    guard let scalar = number.flatMap(Unicode.Scalar.init) else {
      throw fault("a string has '\\u' or '\\U' without the number of a character after it")
    }
    index = digits.endIndex
    content += Array(String(scalar).utf8)
  }
}
