/// What the fields of a column of CSV spell, all of them.
enum CSVType {
  case boolean, number, text

  /// The narrowest type that `bytes` and all fields before them are of.
  static func joining(_ type: CSVType?, _ bytes: UnsafeBufferPointer<UInt8>) -> CSVType {
    switch type {
    case .text: .text
    case .boolean: boolean(bytes) != nil ? .boolean : .text
    case .number: isNumber(bytes) ? .number : .text
    case nil: boolean(bytes) != nil ? .boolean : isNumber(bytes) ? .number : .text
    }
  }

  static func boolean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    if spells(bytes, "true") { return true }
    if spells(bytes, "false") { return false }
    return nil
  }

  private static func spells(_ bytes: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard bytes.count == word.utf8CodeUnitCount else { return false }
    for place in 0..<bytes.count where bytes[place] | 0x20 != word.utf8Start[place] {
      return false
    }
    return true
  }

  /// Whether `bytes` are a number as JSON writes it: `007` and `+1` are texts.
  static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = 0
    func digits() -> Int {
      let start = place
      while place < bytes.count, bytes[place] &- UInt8(ascii: "0") <= 9 { place += 1 }
      return place - start
    }
    if place < bytes.count, bytes[place] == UInt8(ascii: "-") { place += 1 }
    let first = place
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[first] != UInt8(ascii: "0") else { return false }
    var isInteger = true
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place += 1
      isInteger = false
      guard digits() > 0 else { return false }
    }
    if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
      place += 1
      isInteger = false
      if place < bytes.count, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-")
      {
        place += 1
      }
      guard digits() > 0 else { return false }
    }
    guard place == bytes.count, bytes.count <= 64 else { return false }
    if isInteger, whole <= 18 { return true }
    let text = String(decoding: bytes, as: UTF8.self)
    return isInteger ? Int64(text) != nil : Double(text)?.isFinite == true
  }

  /// The number that `bytes` spell, which `isNumber` has seen.
  static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> DatasetScalar {
    if bytes.count > 18, let value = Int64(String(decoding: bytes, as: UTF8.self)) {
      return .integer(value)
    }
    var value: Int64 = 0
    let isNegative = bytes[0] == UInt8(ascii: "-")
    for byte in bytes.dropFirst(isNegative ? 1 : 0) {
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else {
        return .double(Double(String(decoding: bytes, as: UTF8.self)) ?? 0)
      }
      value = value &* 10 &+ Int64(digit)
    }
    return .integer(isNegative ? 0 &- value : value)
  }
}
