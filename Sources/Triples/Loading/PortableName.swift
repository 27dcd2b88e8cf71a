/// Converts namespaces to names of files and archive entries. Names that are invalid or would leave
/// a folder are percent-encoded.
package enum PortableName {
  /// Returns the file name of a namespace. Names that are valid file names stay unchanged.
  ///
  /// - Parameter reserved: The names that other files have.
  package static func encoded(_ name: String, avoiding reserved: Set<String> = []) -> String {
    if name.isEmpty { return "%" }
    let bytes = Array(name.utf8)
    var result = ""
    for (place, byte) in bytes.enumerated() {
      let isFirst = place == 0 && (byte == UInt8(ascii: ".") || reserved.contains(name))
      if isFirst || isUnsafe(byte) || byte == UInt8(ascii: "%") && isEscape(bytes, at: place) {
        result += escape(byte)
      } else {
        // The bytes of non-ASCII characters are combined to characters at the end.
        result.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return String(decoding: result.unicodeScalars.map { UInt8($0.value) }, as: UTF8.self)
  }

  /// Returns the namespace of an encoded file name; nil when the text is not encoded.
  package static func decoded(_ text: String, avoiding reserved: Set<String> = []) -> String? {
    if text == "%" { return "" }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "%"), let byte = value(bytes, at: place) {
        result.append(byte)
        place += 3
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    guard let name = String(validating: result, as: UTF8.self), name != text,
      encoded(name, avoiding: reserved) == text
    else { return nil }
    return name
  }

  private static func isUnsafe(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }

  /// Returns whether a percent sign must be encoded: if it looks like an escape, or is the whole
  /// name.
  private static func isEscape(_ bytes: [UInt8], at place: Int) -> Bool {
    bytes.count == 1 || value(bytes, at: place) != nil
  }

  private static func value(_ bytes: [UInt8], at place: Int) -> UInt8? {
    guard place + 2 < bytes.count else { return nil }
    return UInt8(String(decoding: bytes[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
  }

  private static func escape(_ byte: UInt8) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var text = "%"
    text.unicodeScalars.append(digits[Int(byte >> 4)])
    text.unicodeScalars.append(digits[Int(byte & 15)])
    return text
  }
}
