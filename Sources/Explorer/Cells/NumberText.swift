import Triples

enum NumberText {
  /// The rule for which numbers have their digits grouped.
  enum Grouping: Sendable, Hashable {
    /// Groups numbers of five or more digits: `2138551` becomes `2,138,551`, `1985` is unchanged.
    case long
    /// Groups all numbers of four or more digits, so that they align with longer numbers.
    case all
  }

  /// The rule for how many decimals are shown.
  enum Decimals: Sendable, Hashable {
    case all
    /// All decimals, and at least this number of them, with trailing zeros.
    case atLeast(Int)
    /// At most six decimals, without trailing zeros. The mark `…` replaces further ones.
    case few
    /// This number of decimals, with trailing zeros. The mark `…` follows if there are more.
    case equal(Int)
    /// The same, but also for numbers that are exact with a few more decimals.
    case cut(Int)

    /// The same rule for a place with enough space for all decimals.
    var whole: Decimals {
      switch self {
      case .equal(let count), .atLeast(let count): .atLeast(count)
      case .all, .few, .cut: .all
      }
    }
  }

  /// Returns a number with its noun, such as `1 row` or `12,500 rows`.
  ///
  /// - Parameter many: The plural of the noun; nil to append an `s`.
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// The maximum number of decimals that all numbers of a column get. With more, the zeros would
  /// suggest a precision that the values do not have.
  private static let maxEqualDecimals = 3

  /// Returns the rule for decimals of a column with these values: as many for each number as the
  /// one with the most decimals has, if these are few.
  static func decimals(of values: some Sequence<Value>) -> Decimals {
    var most = 0
    for case .double(let number) in values {
      let text = shortened(number).description
      guard !text.contains("e"), let point = text.firstIndex(of: ".") else { continue }
      most = max(most, text.distance(from: point, to: text.endIndex) - 1)
      if most > maxEqualDecimals { return .few }
    }
    return most == 0 ? .few : .equal(most)
  }

  /// Returns the rule for decimals of a column of averages: two if the averaged values have at most
  /// two.
  ///
  /// An average below 1 keeps its decimals, and with it the whole column.
  ///
  /// - Parameter parts: Some of the averaged values; empty for a column of other numbers.
  static func decimals(of values: [Value], averaging parts: [Value]) -> Decimals {
    let usual = decimals(of: values)
    let numbers = values.compactMap { if case .double(let number) = $0 { number } else { nil } }
    if case .equal(let count) = usual, count <= maxAverageDecimals { return usual }
    guard !parts.isEmpty, parts.allSatisfy({ $0 == .null || hasFewDecimals($0) }),
      numbers.allSatisfy({ $0 == 0 || (1..<1e15).contains($0.magnitude) }),
      numbers.contains(where: { $0 != $0.rounded() })
    else { return usual }
    return .cut(maxAverageDecimals)
  }

  private static let maxAverageDecimals = 2

  private static func hasFewDecimals(_ value: Value) -> Bool {
    if case .integer = value { return true }
    guard case .double(let number) = value else { return false }
    let text = number.description
    guard !text.contains("e"), let point = text.firstIndex(of: ".") else { return false }
    return text.distance(from: point, to: text.endIndex) - 1 <= maxAverageDecimals
  }

  /// The maximum number of decimals in a table on the screen.
  private static let maxDecimals = 6

  /// Returns a number as a table on the screen shows it. All its digits are those of the number, and
  /// the mark `…` stands for digits that are left out.
  static func text(_ number: Double, _ grouping: Grouping, _ decimals: Decimals) -> String {
    let all = grouped(number, grouping)
    let isCut = if case .cut = decimals { true } else { shortened(number) != number }
    guard decimals != decimals.whole, isCut,
      let point = all.utf8.lastIndex(of: UInt8(ascii: "."))
    else { return all }
    let exponent = all.utf8.firstIndex(of: UInt8(ascii: "e")) ?? all.endIndex
    let digits = all[all.index(after: point)..<exponent]
    var count = maxDecimals - 1
    switch decimals {
    case .equal(let equal), .cut(let equal): count = equal
    case .few where number.magnitude < 0.1: count += digits.prefix { $0 == "0" }.count
    case .all, .atLeast, .few: break
    }
    guard digits.count > count else { return all }
    return "\(all[...point])\(digits.prefix(count))…\(all[exponent...])"
  }

  /// Returns a formatted number with at least `count` decimals. A number with an exponent is
  /// unchanged.
  static func padded(_ number: String, decimals count: Int) -> String {
    guard let last = number.utf8.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last),
      !number.utf8.contains(UInt8(ascii: "e"))
    else { return number }
    let point = number.utf8.firstIndex(of: UInt8(ascii: "."))
    let own = point.map { number.utf8.distance(from: $0, to: number.endIndex) - 1 } ?? 0
    guard own < count else { return number }
    return number + (point == nil ? "." : "") + String(repeating: "0", count: count - own)
  }

  /// The smallest number whose digits the rule `long` groups.
  private static let minGrouped: UInt64 = 10_000

  /// Returns whether a value is a number whose digits the rule `long` groups.
  static func isLong(_ value: Value) -> Bool {
    switch value {
    case .integer(let number): number.magnitude >= minGrouped
    case .double(let number): number.magnitude >= Double(minGrouped)
    case .null, .bool, .text, .array, .object: false
    }
  }

  /// Returns a count with grouped digits: `5000` becomes `5,000`. Unlike a value, a count is never
  /// a year.
  static func grouped(_ count: some BinaryInteger) -> String {
    guard let count = Int64(exactly: count) else { return String(count) }
    return grouped(count, .all)
  }

  /// Returns a number that fits into 64 bits with grouped digits.
  ///
  /// This function is optimized, since each key press formats many counts.
  static func grouped(_ number: Int64, _ grouping: Grouping = .long) -> String {
    // The digits are written from the last to the first: at most 20, with 6 separators and a sign.
    String(unsafeUninitializedCapacity: 27) { bytes in
      var start = 27
      var rest = number.magnitude
      let isGrouped = grouping == .all || rest >= minGrouped
      var digits = 0
      repeat {
        if isGrouped, digits > 0, digits.isMultiple(of: 3) {
          start -= 1
          bytes[start] = UInt8(ascii: ",")
        }
        start -= 1
        bytes[start] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
        digits += 1
      } while rest > 0
      if number < 0 {
        start -= 1
        bytes[start] = UInt8(ascii: "-")
      }
      for index in start..<27 { bytes[index - start] = bytes[index] }
      return 27 - start
    }
  }

  /// Returns the shortest decimal that identifies a double, with its whole part grouped. A number
  /// with an exponent, such as `2.5e-10`, is unchanged.
  static func grouped(_ number: Double, _ grouping: Grouping = .long) -> String {
    let text = number.description
    guard number.magnitude < 1e15, number.isFinite, !text.utf8.contains(UInt8(ascii: "e")),
      let point = text.firstIndex(of: ".")
    else { return text }
    let whole = grouped(Int64(number), grouping)
    let sign = number < 0 && !whole.hasPrefix("-") ? "-" : ""
    return sign + whole + text[point...]
  }

  /// Returns the nearest number with at most six decimals. In a number below 0.1, zeros directly
  /// after the decimal point do not count as decimals.
  ///
  /// Large numbers are unchanged, since few of their digits are decimals, and so are tiny ones.
  static func shortened(_ number: Double) -> Double {
    guard (1e-16..<1e9).contains(number.magnitude) else { return number }
    var magnitude = number.magnitude
    var scale = 1e6
    // Each of these powers of ten is exact as a double.
    while magnitude < 0.1, scale < 1e22 {
      magnitude *= 10
      scale *= 10
    }
    return (number * scale).rounded() / scale
  }

  /// Returns a number of bytes in a unit that needs few digits: `950 B`, `12 kB`, `3.4 MB`.
  static func bytes(_ count: Int) -> String {
    let count = max(0, count)
    return switch count {
    case ..<1_000: "\(count) B"
    case ..<1_000_000: "\(count / 1_000) kB"
    default: "\(Double(count / 100_000) / 10) MB"
    }
  }

  /// Returns a duration in a unit that needs two or three digits.
  static func elapsed(_ duration: Duration) -> String {
    let seconds = Double(duration.components.seconds)
    let micros = seconds * 1e6 + Double(duration.components.attoseconds) / 1e12
    return switch micros {
    case ..<1_000: "\(Int(micros)) µs"
    case ..<10_000: "\(Double(Int(micros / 100)) / 10) ms"
    case ..<1_000_000: "\(Int(micros / 1_000)) ms"
    default: "\(Double(Int(micros / 100_000)) / 10) s"
    }
  }
}
