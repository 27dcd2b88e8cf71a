extension JSONReader {
  /// Returns whether the text of a JSON value contains a number that no double represents exactly.
  package static func roundsNumbers(of json: String) -> Bool {
    var isRounded = false
    findInexactNumbers(in: Array(json.utf8)) { _ in
      isRounded = true
      return false
    }
    return isRounded
  }

  /// Returns JSON text with a string of digits in place of each number that no double represents
  /// exactly; nil if there is no such number.
  static func quotingInexactNumbers(in json: [UInt8]) -> [UInt8]? {
    let quote = UInt8(ascii: "\"")
    var quoted: [UInt8] = []
    var end = 0
    findInexactNumbers(in: json) { place in
      quoted += json[end..<place.lowerBound] + [quote] + json[place] + [quote]
      end = place.upperBound
      return true
    }
    return end == 0 ? nil : quoted + json[end...]
  }

  /// Calls `body` with the place of each number that no double represents exactly, until it returns
  /// false.
  private static func findInexactNumbers(in json: [UInt8], _ body: (Range<Int>) -> Bool) {
    var (isString, isEscaped) = (false, false)
    var start: Int?
    for (place, byte) in (json + [UInt8(ascii: " ")]).enumerated() {
      if isString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        start = start ?? place
      default:
        // A double represents shorter numbers exactly.
        if let start, place - start > 15,
          case .text? = Value(exactNumber: String(decoding: json[start..<place], as: UTF8.self)),
          !body(start..<place)
        {
          return
        }
        start = nil
        isString = byte == UInt8(ascii: "\"")
      }
    }
  }

  /// Returns whether a text is a JSON array or object with a number that no double represents
  /// exactly. In a database column of JSON, such a value is read and written as its text.
  package static func isExactDocument(_ text: String) -> Bool {
    let first = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["), roundsNumbers(of: text) else {
      return false
    }
    let options = JSONOptions(largeIntegers: .doubles, hugeNumbers: .null)
    return (try? value(of: text, options: options)) != nil
  }
}
