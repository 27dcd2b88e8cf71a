/// Parses numbers, dates, true and false.
enum TOMLScalar {
  /// Returns whether a byte may be part of a number, a date, true or false.
  static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: ":"):
      true
    default: isDigit(byte)
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
  }

  /// Returns the value that a text denotes; nil if the text is not a number, a date, true or false.
  static func value(_ written: String) -> TOMLValue? {
    switch written {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "inf", "+inf": return .double(.infinity)
    case "-inf": return .double(-.infinity)
    case "nan", "+nan", "-nan": return .double(.nan)
    default: return prefixed(written) ?? decimal(written) ?? date(written)
    }
  }

  // MARK: Numbers

  private static func prefixed(_ written: String) -> TOMLValue? {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where written.hasPrefix(prefix) {
      let digits = written.dropFirst(2)
      guard let first = digits.utf8.first, isHexadecimal(first), let plain = joined(digits) else {
        return nil
      }
      return Int64(plain, radix: radix).map(TOMLValue.integer)
    }
    return nil
  }

  private static func decimal(_ written: String) -> TOMLValue? {
    let digits =
      written.utf8.first.map { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") } == true
      ? written.dropFirst() : written[...]
    guard let first = digits.utf8.first, isDigit(first), let plain = joined(digits) else {
      return nil
    }
    let whole = plain.utf8.prefix(while: isDigit)
    guard whole.count == 1 || first != UInt8(ascii: "0") else { return nil }
    let sign = written.hasPrefix("-") ? "-" : ""
    if whole.count == plain.utf8.count { return Int64(sign + plain).map(TOMLValue.integer) }
    var rest = plain.utf8.dropFirst(whole.count)
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(1 + fraction.count)
    }
    if let exponent = rest.first, exponent | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard !rest.isEmpty else { return nil }
      rest = rest.drop(while: isDigit)
    }
    guard rest.isEmpty else { return nil }
    return Double(sign + plain).map(TOMLValue.double)
  }

  /// Returns the digits without underscores. Nil if an underscore is not between two digits.
  private static func joined(_ written: Substring) -> String? {
    let parts = written.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    for (left, right) in zip(parts, parts.dropFirst()) {
      guard let last = left.last, let first = right.first, isHexadecimal(last),
        isHexadecimal(first)
      else { return nil }
    }
    return String(decoding: parts.joined(), as: UTF8.self)
  }

  // MARK: Dates

  static func isDate(_ written: String) -> Bool {
    matches(written, "dddd-dd-dd") && isDay(Array(written.utf8))
  }

  private static func date(_ written: String) -> TOMLValue? {
    if isTime(written) || isDate(written) { return .date(written) }
    guard written.utf8.count > 11, isDate(String(written.prefix(10))) else { return nil }
    let separator = written.utf8[written.utf8.index(written.utf8.startIndex, offsetBy: 10)]
    guard separator | 0x20 == UInt8(ascii: "t") || separator == UInt8(ascii: " ") else {
      return nil
    }
    var time = written.dropFirst(11)
    if time.hasSuffix("Z") || time.hasSuffix("z") {
      time = time.dropLast()
    } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let offset = String(time[sign...].dropFirst())
      guard matches(offset, "dd:dd"), isTime(offset + ":00") else { return nil }
      time = time[..<sign]
    }
    return isTime(String(time)) ? .date(written) : nil
  }

  private static func isTime(_ written: String) -> Bool {
    let parts = written.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard matches(String(parts[0]), "dd:dd:dd") else { return false }
    if parts.count == 2, parts[1].isEmpty || !parts[1].utf8.allSatisfy(isDigit) { return false }
    let digits = Array(written.utf8)
    return number(digits[0..<2]) < 24 && number(digits[3..<5]) < 60 && number(digits[6..<8]) <= 60
  }

  private static func isDay(_ digits: [UInt8]) -> Bool {
    1...12 ~= number(digits[5..<7]) && 1...31 ~= number(digits[8..<10])
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    digits.reduce(0) { $0 * 10 + Int($1) - 48 }
  }

  /// Returns whether a text matches a shape, in which `d` stands for any digit.
  private static func matches(_ written: String, _ shape: String) -> Bool {
    written.utf8.count == shape.utf8.count
      && zip(written.utf8, shape.utf8).allSatisfy { byte, form in
        form == UInt8(ascii: "d") ? isDigit(byte) : byte == form
      }
  }
}
