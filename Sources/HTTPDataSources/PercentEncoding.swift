/// Percent-encodes parts of a URL.
enum PercentEncoding {
  /// Returns form fields as a body, sorted by name: `a=1&b=x%20y`.
  static func form(_ fields: [String: String]) -> String {
    fields.sorted { $0.key < $1.key }
      .map { encode($0.key, keeping: "") + "=" + encode($0.value, keeping: "") }
      .joined(separator: "&")
  }

  /// Returns a path with `?`, `#` and control characters encoded. Separators and existing escapes
  /// are kept.
  static func path(_ path: String) -> String {
    encode(path, keeping: "/%:@!$&'()*+,;=")
  }

  private static func encode(_ text: String, keeping kept: StaticString) -> String {
    let kept = kept.withUTF8Buffer { Array($0) }
    var encoded = ""
    for byte in text.utf8 {
      if isUnreserved(byte) || kept.contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return encoded
  }

  /// Returns whether RFC 3986 §2.3 permits the character without encoding.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
