/// Makes untrusted text safe for a terminal. Control and bidirectional characters become visible.
enum TerminalSanitizer {
  /// Returns the text with harmful characters replaced. Line ends and tabs are kept.
  static func text(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar.value {
      case 0x09, 0x0A: result.append(scalar)
      case 0x0D where rest.first == "\n": result.append(scalar)
      case 0..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "?")
      case 0x7F: result.append("␡")
      case 0x80..<0xA0, 0x2028...0x202E, 0x2066...0x2069: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns the text with harmful characters, line ends and tabs replaced, for use within one
  /// line.
  static func line(_ text: String) -> String {
    var result = ""
    for scalar in Self.text(text).unicodeScalars {
      result.unicodeScalars.append(
        scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? "?" : scalar)
    }
    return result
  }

  /// Returns UTF-8 text with harmful characters replaced, or the same bytes if there are none.
  static func bytes(_ bytes: [UInt8]) -> [UInt8] {
    // All harmful characters beyond ASCII begin with one of these two bytes.
    let isSuspicious = bytes.contains { byte in
      (byte < 0x20 && byte != 0x0A && byte != 0x09) || byte == 0x7F || byte == 0xC2 || byte == 0xE2
    }
    return isSuspicious ? Array(text(String(decoding: bytes, as: UTF8.self)).utf8) : bytes
  }
}
