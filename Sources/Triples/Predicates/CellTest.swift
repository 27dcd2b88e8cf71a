/// A predicate prepared for one column, with a test for each type of cell.
///
/// `matches(_:)` defines the meaning. The other tests are equivalent to it for cells of numbers,
/// bits or codes, so that scans do not create values.
package struct CellTest: Sendable {
  /// The matching integers, as ascending ranges; `doubles` has the ranges of matching doubles.
  private(set) var integers: [ClosedRange<Int64>] = []
  private(set) var doubles: [ClosedRange<Double>] = []
  private(set) var matchesFalse = false
  private(set) var matchesTrue = false
  private(set) var matchesNull = false
  private(set) var text = TextTest.never
  private(set) var matchesLists = false
  let isDate: Bool

  enum TextTest: Sendable {
    case never
    case always
    case oneOf(TextList)
    /// The text must be between the bounds, which are texts, by UTF-16 code units.
    case ordered(lower: ValuePredicate.Bound?, upper: ValuePredicate.Bound?)
    case like(LikePattern)
    case matches(RegularExpression)
    /// The text must be an instant in one of the integer ranges, or one of the texts in the list.
    case instant(or: TextList)
    /// The text must be the digits of a number that no double has, in one of the double ranges.
    case longNumber
  }

  package init(_ predicate: ValuePredicate, isDate: Bool) {
    self.isDate = isDate
    switch predicate {
    case .equal(let value): addEqual([value])
    case .oneOf(let values): addEqual(values)
    case .range(let lower, let upper): addRange(lower, upper)
    case .like(let pattern): text = .like(pattern)
    case .matches(let pattern): text = .matches(pattern)
    case .null: matchesNull = true
    case .notNull, .stored, .notEqual:
      integers = [.min ... .max]
      doubles = [-.infinity ... .infinity]
      matchesFalse = true
      matchesTrue = true
      text = .always
      matchesLists = true
      matchesNull = predicate != .notNull
    }
  }

  package func matches(_ value: Value) -> Bool {
    switch value {
    case .null: matchesNull
    case .bool(let value): value ? matchesTrue : matchesFalse
    case .integer(let value): matches(value)
    case .double(let value): matches(value)
    case .text(var text): text.withUTF8 { matches($0) }
    case .array, .object: matchesLists
    }
  }

  @inline(__always)
  func matches(_ value: Int64) -> Bool {
    if integers.count > Self.maxLinearRanges { return Self.search(integers, value) }
    for range in integers where range.contains(value) { return true }
    return false
  }

  /// The maximum number of ranges for which a linear search is used.
  private static let maxLinearRanges = 8

  /// Returns whether one of the ascending ranges contains a value.
  private static func search<Bound: Comparable>(
    _ ranges: [ClosedRange<Bound>], _ value: Bound
  ) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }

  func matches(_ value: Double) -> Bool {
    if isDate {
      guard let instant = Instant(milliseconds: value) else { return false }
      return matches(instant.milliseconds)
    }
    if doubles.count > Self.maxLinearRanges { return Self.search(doubles, value) }
    for range in doubles where range.contains(value) { return true }
    return false
  }

  func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch text {
    case .never: return false
    case .always: return true
    case .oneOf(let list): return list.contains(bytes)
    case .like(let pattern): return pattern.matches(bytes)
    case .matches(let pattern): return pattern.matches(bytes)
    case .ordered(let lower, let upper):
      return Self.holds(lower, isLower: true, bytes) && Self.holds(upper, isLower: false, bytes)
    case .instant(let list):
      if list.contains(bytes) { return true }
      let instant = Instant(String(decoding: bytes, as: UTF8.self))
      return instant.map { matches($0.milliseconds) } ?? false
    case .longNumber:
      let digits = String(decoding: bytes, as: UTF8.self)
      guard case .text? = Value(exactNumber: digits), let number = Double(digits) else {
        return false
      }
      return matches(number)
    }
  }

  // MARK: Preparing

  private mutating func addEqual(_ values: [Value]) {
    var texts: [String] = []
    for value in values {
      switch value {
      case .null: matchesNull = true
      case .bool(false): matchesFalse = true
      case .bool(true): matchesTrue = true
      case .integer(let number):
        integers.append(number...number)
        if let double = Double(exactly: number) { doubles.append(double...double) }
      case .double(let number):
        if number.isNaN { continue }
        doubles.append(number...number)
        if isDate {
          if let instant = Instant(milliseconds: number)?.milliseconds {
            integers.append(instant...instant)
          }
        } else if let integer = Int64(exactly: number) {
          integers.append(integer...integer)
        }
      case .text(let value):
        texts.append(value)
        if isDate, let instant = Instant(value)?.milliseconds { integers.append(instant...instant) }
      case .array, .object: break
      }
    }
    integers.sort { $0.lowerBound < $1.lowerBound }
    doubles.sort { $0.lowerBound < $1.lowerBound }
    if isDate {
      text = .instant(or: TextList(texts))
    } else if !texts.isEmpty {
      text = .oneOf(TextList(texts))
    }
  }

  private mutating func addRange(_ lower: ValuePredicate.Bound?, _ upper: ValuePredicate.Bound?) {
    if isDate {
      addNumbers(lower.map(Self.asInstant), upper.map(Self.asInstant))
      text = .instant(or: TextList([]))
      return
    }
    // Only values of the bounds' type are between them.
    switch (lower?.value ?? upper?.value, upper?.value ?? lower?.value) {
    case (.text, .text): text = .ordered(lower: lower, upper: upper)
    case (.bool, .bool):
      matchesFalse = Self.holds(lower, upper, false)
      matchesTrue = Self.holds(lower, upper, true)
    case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double):
      addNumbers(lower, upper)
      text = .longNumber
    default: break
    }
  }

  /// Adds the ranges of numbers between two bounds. A bound that is not a number matches nothing.
  private mutating func addNumbers(_ lower: ValuePredicate.Bound?, _ upper: ValuePredicate.Bound?) {
    var low = Int64.min
    var high = Int64.max
    var least = -Double.infinity
    var most = Double.infinity
    if let lower {
      guard let number = Self.number(lower.value) else { return }
      least = lower.isInclusive ? number : number.nextUp
      if case .integer(let exact) = lower.value {
        if !lower.isInclusive && exact == .max { return }
        low = lower.isInclusive ? exact : exact + 1
      } else {
        let rounded = number.rounded(.up)
        guard rounded < 0x1p63 else { return addDoubles(least, most) }
        low = Int64(clamped: rounded)
        if !lower.isInclusive && rounded == number { low += 1 }
      }
    }
    if let upper {
      guard let number = Self.number(upper.value) else { return }
      most = upper.isInclusive ? number : number.nextDown
      if case .integer(let exact) = upper.value {
        if !upper.isInclusive && exact == .min { return }
        high = upper.isInclusive ? exact : exact - 1
      } else {
        let rounded = number.rounded(.down)
        let isBelow = !upper.isInclusive && rounded == number
        // No integer is below the minimum, so only doubles can match.
        guard isBelow ? rounded > -0x1p63 : rounded >= -0x1p63 else {
          return addDoubles(least, most)
        }
        high = Int64(clamped: rounded)
        if isBelow { high -= 1 }
      }
    }
    if low <= high { integers = [low...high] }
    addDoubles(least, most)
  }

  private mutating func addDoubles(_ least: Double, _ most: Double) {
    if least <= most { doubles = [least...most] }
  }

  private static func asInstant(_ bound: ValuePredicate.Bound) -> ValuePredicate.Bound {
    var bound = bound
    if case .text(let text) = bound.value, DateLiteral.isInfinite(text) {
      bound.value = .integer(text.hasPrefix("-") ? .min : .max)
      return bound
    }
    bound.value = Instant(bound.value).map { .integer($0.milliseconds) } ?? .null
    return bound
  }

  private static func number(_ value: Value) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number.isNaN ? nil : number
    case .null, .bool, .text, .array, .object: nil
    }
  }

  /// Returns whether a boolean is between two bounds, which are booleans. False comes before true.
  private static func holds(
    _ lower: ValuePredicate.Bound?, _ upper: ValuePredicate.Bound?, _ flag: Bool
  ) -> Bool {
    func order(_ bound: ValuePredicate.Bound) -> Int {
      (flag ? 1 : 0) - (bound.value == .bool(true) ? 1 : 0)
    }
    return (lower.map { order($0) >= ($0.isInclusive ? 0 : 1) } ?? true)
      && (upper.map { order($0) <= ($0.isInclusive ? 0 : -1) } ?? true)
  }

  private static func holds(
    _ bound: ValuePredicate.Bound?, isLower: Bool, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let bound else { return true }
    guard case .text(var limit) = bound.value else { return false }
    let order = limit.withUTF8 { Bytes.compareAsUTF16(bytes, $0) }
    if order == 0 { return bound.isInclusive }
    return isLower ? order > 0 : order < 0
  }
}

extension Int64 {
  /// Converts a double to the nearest integer in range. The double must be integral.
  fileprivate init(clamped number: Double) {
    self = number >= 0x1p63 ? .max : number < -0x1p63 ? .min : Int64(number)
  }
}

extension Instant {
  /// Creates the instant of a date attribute's value; nil if the value is not a date.
  init?(_ value: Value) {
    switch value {
    case .integer(let number): self.init(milliseconds: number)
    case .double(let number): self.init(milliseconds: number)
    case .text(let text): self.init(text)
    case .null, .bool, .array, .object: return nil
    }
  }
}
