/// The type that all fields of a CSV column have in common.
enum CSVType: Hashable {
  case boolean, number, text, date
  /// Every field is a ``CommaNumber``.
  case commaNumber
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
  /// A field and its offset.
  typealias Example = (offset: Int, text: String)

  /// Whether the file may contain decimal commas, because commas do not separate its fields.
  let allowsCommas: Bool
  private(set) var numbers = 0
  private(set) var booleans = 0
  private(set) var texts = 0
  private(set) var missing = 0
  /// The number of fields that are numbers only with a decimal comma or grouped digits.
  private(set) var commaNumbers = 0
  /// The number of fields that are numbers only with a decimal point: `1.5`.
  private var pointNumbers = 0
  /// What the numbers of this column show about decimal commas.
  private var commas: DecimalCommas = []
  private var hasComma = false
  /// Whether a field has grouped digits and no comma: `1.234`.
  private var hasGroups = false
  /// The first text in the column.
  private(set) var firstText: Example?
  /// The first text in the column that denotes a missing value.
  private(set) var firstMissing: Example?
  /// The first number with a decimal comma or grouped digits.
  private(set) var firstCommaNumber: Example?
  /// Whether any field of the column was quoted.
  private(set) var isQuoted = false

  /// A text column counts as nearly typed if at most one in this many fields is text.
  private static let rarity = 20

  init(allowsCommas: Bool) { self.allowsCommas = allowsCommas }

  var total: Int { numbers + commaNumbers + booleans + texts + missing }

  /// Whether the column is certainly text, so that its remaining fields need not be counted.
  var isText: Bool { texts > 1_000 && texts > numbers + commaNumbers + booleans }

  mutating func count(_ bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool, at offset: Int) {
    if isQuoted { self.isQuoted = true }
    func example() -> Example { (offset, String(decoding: bytes.prefix(40), as: UTF8.self)) }
    if CSVType.isNumber(bytes) {
      numbers += 1
      guard allowsCommas, bytes.contains(UInt8(ascii: ".")) else { return }
      if let number = CommaNumber(bytes) {
        count(number, example())
      } else {
        pointNumbers += 1
      }
    } else if CSVType.boolean(bytes) != nil {
      booleans += 1
    } else if CSVType.isMissing(bytes) {
      missing += 1
      if firstMissing == nil { firstMissing = example() }
    } else if allowsCommas, let number = CommaNumber(bytes) {
      commaNumbers += 1
      count(number, example())
    } else {
      texts += 1
      if firstText == nil { firstText = example() }
    }
  }

  private mutating func count(_ number: CommaNumber, _ example: @autoclosure () -> Example) {
    if firstCommaNumber == nil { firstCommaNumber = example() }
    guard number.hasComma else {
      hasGroups = true
      return
    }
    hasComma = true
    if !number.hasDoubtfulComma { commas.insert(.exist) }
    if number.isGrouped { commas.insert(.areWithGroups) }
  }

  /// Returns what this column shows about the decimal commas of its file.
  func decimalCommas(trustsQuotes: Bool) -> DecimalCommas {
    let isOfNumbers = texts + booleans + pointNumbers == 0 && !(isQuoted && trustsQuotes)
    return isOfNumbers ? commas : []
  }

  /// Returns the type of all fields that are not missing.
  ///
  /// - Parameters:
  ///   - trustsQuotes: Whether quoted fields are text.
  ///   - file: What the columns of the file show about its decimal commas.
  /// - Returns: Nil if the fields are numbers whose decimal separator is ambiguous.
  func type(trustsQuotes: Bool, _ file: DecimalCommas) -> CSVType? {
    if texts > 0 || isQuoted && trustsQuotes { return .text }
    switch (numbers + commaNumbers, booleans) {
    case (1..., 0): return numberType(file)
    case (0, 1...): return .boolean
    default: return .text
    }
  }

  /// Returns the type of the fields that are numbers.
  ///
  /// - Returns: Nil if their decimal separator is ambiguous.
  func numberType(_ file: DecimalCommas) -> CSVType? {
    guard hasComma || hasGroups else { return .number }
    if pointNumbers > 0 { return commaNumbers == 0 ? .number : nil }
    if hasComma { return file.contains(.exist) ? .commaNumber : nil }
    // The digits are grouped, unless the dots are decimal points.
    if file.contains(.areWithGroups) { return .commaNumber }
    if file.contains(.exist) { return nil }
    return commaNumbers == 0 ? .number : .text
  }

  /// Returns the type of the other fields if only a few fields of the column are text; otherwise
  /// nil.
  func nearlyType(trustsQuotes: Bool) -> CheckedType? {
    guard texts > 0, texts * Self.rarity <= total, !(isQuoted && trustsQuotes) else { return nil }
    return booleans == 0 ? .number : numbers + commaNumbers == 0 ? .boolean : nil
  }
}
