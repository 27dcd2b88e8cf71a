/// The type that all fields of a CSV column have in common.
enum CSVType: Hashable {
  case boolean, number, text, date
  /// Every field is JSON, as `schema.json` declares.
  case json

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

  /// Returns whether `bytes` denote a missing value in a column that is not text.
  static func isMissing(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch bytes.count {
    case 1: bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "?")
    case 2: spells(bytes, "na") || spells(bytes, "--")
    case 3:
      spells(bytes, "n/a") || spells(bytes, "nan")
        || bytes[0] == UInt8(ascii: "#")
          && spells(UnsafeBufferPointer(rebasing: bytes.dropFirst()), "na")
    case 4:
      spells(bytes, "null") || spells(bytes, "none")
        || bytes[0] == UInt8(ascii: "#")
          && spells(UnsafeBufferPointer(rebasing: bytes.dropFirst()), "n/a")
    default: false
    }
  }

  /// Returns whether `bytes` are a number in JSON syntax. `007` and `+1` are not, so they are text.
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

  /// Parses the number in `bytes`, for which `isNumber` must be true.
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
    // Only a double has a negative zero.
    if isNegative, value == 0 { return .double(-0.0) }
    return .integer(isNegative ? 0 &- value : value)
  }
}

/// Counts of the types of a column's fields.
struct CSVTally {
  private(set) var numbers = 0
  private(set) var booleans = 0
  private(set) var texts = 0
  private(set) var missing = 0
  /// The first text in the column and its offset.
  private(set) var firstText: (offset: Int, text: String)?
  /// The first text in the column that denotes a missing value, and its offset.
  private(set) var firstMissing: (offset: Int, text: String)?
  /// Whether any field of the column was quoted.
  private(set) var isQuoted = false

  /// A text column counts as nearly typed if at most one in this many fields is text.
  private static let rarity = 20

  var total: Int { numbers + booleans + texts + missing }

  /// Whether the column is certainly text, so that its remaining fields need not be counted.
  var isText: Bool { texts > 1_000 && texts > numbers + booleans }

  mutating func count(_ bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool, at offset: Int) {
    if isQuoted { self.isQuoted = true }
    if CSVType.isNumber(bytes) {
      numbers += 1
    } else if CSVType.boolean(bytes) != nil {
      booleans += 1
    } else if CSVType.isMissing(bytes) {
      missing += 1
      if firstMissing == nil {
        firstMissing = (offset, String(decoding: bytes, as: UTF8.self))
      }
    } else {
      texts += 1
      if firstText == nil {
        firstText = (offset, String(decoding: bytes.prefix(40), as: UTF8.self))
      }
    }
  }

  /// Returns the type of all fields that are not missing.
  ///
  /// - Parameter trustsQuotes: Whether quoted fields are text.
  func type(trustsQuotes: Bool) -> CSVType {
    if texts > 0 || isQuoted && trustsQuotes { return .text }
    switch (numbers, booleans) {
    case (1..., 0): return .number
    case (0, 1...): return .boolean
    default: return .text
    }
  }

  /// Returns the type of the other fields if only a few fields of the column are text; otherwise
  /// nil.
  func nearlyType(trustsQuotes: Bool) -> CheckedType? {
    guard texts > 0, texts * Self.rarity <= total, !(isQuoted && trustsQuotes) else { return nil }
    return booleans == 0 ? .number : numbers == 0 ? .boolean : nil
  }
}
