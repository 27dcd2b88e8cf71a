/// A number with a decimal comma, and possibly with grouped digits: `1.234,56` or `1 234,56`.
///
/// Spreadsheets write such numbers, and semicolons or tabs between them, in the locales of most
/// European countries.
struct CommaNumber {
  /// The number in JSON syntax.
  let plain: [UInt8]
  /// Whether groups of three digits are separated by dots or spaces.
  let isGrouped: Bool
  /// The number of digits after the comma; nil if there is no comma.
  private let decimals: Int?
  private let wholeDigits: Int

  /// Whether the number has a comma, which may as well separate a group of digits: `1,234`.
  var hasDoubtfulComma: Bool {
    decimals == 3 && !isGrouped && wholeDigits <= 3
      && plain.first { $0 != UInt8(ascii: "-") } != UInt8(ascii: "0")
  }

  var hasComma: Bool { decimals != nil }

  /// Parses a number; nil if `bytes` have another form.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count <= 64 else { return nil }
    var plain: [UInt8] = []
    var place = 0
    func isDigit(_ place: Int) -> Bool {
      place < bytes.count && bytes[place] &- UInt8(ascii: "0") <= 9
    }
    if bytes.first == UInt8(ascii: "-") {
      plain.append(UInt8(ascii: "-"))
      place = 1
    }
    let sign = plain.count
    var separator: ArraySlice<UInt8>?
    // The number of digits after the last separator of groups.
    var run = 0
    while place < bytes.count {
      if isDigit(place) {
        plain.append(bytes[place])
        run += 1
        place += 1
        continue
      }
      guard let next = Self.groupSeparator(bytes, at: place), next == separator ?? next,
        separator == nil ? 1...3 ~= run : run == 3
      else { break }
      separator = next
      run = 0
      place += next.count
    }
    guard separator == nil || run == 3 else { return nil }
    wholeDigits = plain.count - sign
    isGrouped = separator != nil
    var decimals: Int?
    if place < bytes.count, bytes[place] == UInt8(ascii: ",") {
      plain.append(UInt8(ascii: "."))
      place += 1
      let start = plain.count
      while isDigit(place) {
        plain.append(bytes[place])
        place += 1
      }
      decimals = plain.count - start
    }
    // What follows can only be an exponent.
    guard place == bytes.count || separator == nil && bytes[place] | 0x20 == UInt8(ascii: "e")
    else { return nil }
    plain += bytes[place...]
    guard plain.withUnsafeBufferPointer(CSVType.isNumber) else { return nil }
    self.plain = plain
    self.decimals = decimals
  }

  /// Returns the separator of groups at an offset: a dot, or an ordinary, no-break or narrow
  /// no-break space.
  private static func groupSeparator(
    _ bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> ArraySlice<UInt8>? {
    for separator: ArraySlice<UInt8> in [[0x2E], [0x20], [0xC2, 0xA0], [0xE2, 0x80, 0xAF]]
    where bytes[place...].starts(with: separator) {
      return separator
    }
    return nil
  }
}

/// What the columns of a CSV file show about its decimal commas.
struct DecimalCommas: OptionSet {
  let rawValue: UInt8

  /// A column has decimal commas: `0,5`.
  static let exist = DecimalCommas(rawValue: 1)
  /// A column has decimal commas and grouped digits: `1.234,56`.
  static let areWithGroups = DecimalCommas(rawValue: 2)
}
