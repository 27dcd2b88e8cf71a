extension JSONReader {
  /// Returns whether the text of a JSON value contains a number that no double represents exactly.
  package static func roundsNumbers(of json: String) -> Bool {
    var (isString, isEscaped) = (false, false)
    var digits: [UInt8] = []
    for byte in Array(json.utf8) + [UInt8(ascii: " ")] {
      if isString {
        if !isEscaped, byte == UInt8(ascii: "\"") { isString = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        digits.append(byte)
      default:
        // A double represents shorter numbers exactly.
        if digits.count > 15, case .text = Value(number: String(decoding: digits, as: UTF8.self)) {
          return true
        }
        digits.removeAll(keepingCapacity: true)
        isString = byte == UInt8(ascii: "\"")
      }
    }
    return false
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

extension Value {
  /// Reads a number of a database. It is a text if neither an integer nor a double represents it
  /// exactly.
  package init(number text: String) {
    if let whole = Int64(text) {
      self = .integer(whole)
    } else if let number = Double(text), number.isFinite,
      let exact = ExactNumber(text), exact == ExactNumber(number.description)
    {
      self = .double(number)
    } else {
      self = .text(text)
    }
  }
}
