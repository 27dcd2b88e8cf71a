import Triples

/// A comparison by the rules of InstantDB's client, with JavaScript's conversions.
///
/// Null counts as 0, lists are compared as texts, and dates are equal only if their texts are
/// equal.
struct ReferenceTest: Sendable {
  enum Question: Sendable {
    case compare(Comparison, Value)
    case isIn([Value])
  }

  let attribute: Attribute
  let question: Question
  /// Whether dates are JavaScript objects, which equal no value in a query.
  let hasDateObjects: Bool

  /// Returns whether any value of the entity passes the test.
  func holds(for entity: EntityHandle, in store: TripleStore) -> Bool {
    store.values(entity, attribute.id).contains { holds($0) }
  }

  private var isDate: Bool { attribute.checkedType == .date }

  private func holds(_ stored: Value) -> Bool {
    switch question {
    case .isIn(let values): return values.contains { isEqual(stored, $0) }
    case .compare(.equal, let wanted): return isEqual(stored, wanted)
    case .compare(.notEqual, let wanted): return !isEqual(stored, wanted)
    case .compare(.like, let pattern): return matches(stored, pattern, ignoringCase: false)
    case .compare(.ilike, let pattern): return matches(stored, pattern, ignoringCase: true)
    case .compare(let comparison, let wanted):
      guard let order = order(stored, wanted) else { return false }
      switch comparison {
      case .less: return order < 0
      case .lessOrEqual: return order <= 0
      case .greater: return order > 0
      case .greaterOrEqual: return order >= 0
      case .equal, .notEqual, .like, .ilike, .matches: return false
      }
    }
  }

  private func isEqual(_ stored: Value, _ wanted: Value) -> Bool {
    if isDate && hasDateObjects && stored != .null { return false }
    switch (stored, wanted) {
    case (.array, _), (.object, _), (_, .array), (_, .object): return false
    case (.text(let a), .text(let b)): return a.utf8.elementsEqual(b.utf8)
    default: return stored.isSameJSON(as: wanted)
    }
  }

  /// Returns a negative number, zero or a positive number, like a comparison function for sorting.
  /// Nil if the values cannot be ordered.
  private func order(_ stored: Value, _ wanted: Value) -> Int? {
    if isDate {
      guard let a = instant(stored), let b = instant(wanted) else { return nil }
      return a < b ? -1 : a > b ? 1 : 0
    }
    if attribute.checkedType == .string && (stored == .null || wanted == .null) { return nil }
    let a = stored.asPrimitive
    let b = wanted.asPrimitive
    if case .text(let a) = a, case .text(let b) = b { return SortValue.compareCodeUnits(a, b) }
    guard let a = a.asNumber, let b = b.asNumber else { return nil }
    return a < b ? -1 : a > b ? 1 : 0
  }

  private func instant(_ value: Value) -> Int64? {
    switch value {
    case .null: 0
    case .integer(let number): Instant(milliseconds: number)?.milliseconds
    case .double(let number): Instant(milliseconds: number)?.milliseconds
    case .text(let text): Instant(text)?.milliseconds
    case .bool, .array, .object: nil
    }
  }

  private func matches(_ stored: Value, _ pattern: Value, ignoringCase: Bool) -> Bool {
    if isDate && hasDateObjects { return false }
    guard case .text(let text) = stored, case .text(let pattern) = pattern else { return false }
    return ReferencePattern(pattern, ignoringCase: ignoringCase).matches(text)
  }
}

extension Value {
  /// The value as a JavaScript primitive. A list or an object becomes text.
  fileprivate var asPrimitive: Value {
    switch self {
    case .array(let list):
      .text(list.map { $0 == .null ? "" : $0.asJavaScriptText }.joined(separator: ","))
    case .object: .text("[object Object]")
    default: self
    }
  }

  private var asJavaScriptText: String {
    switch asPrimitive {
    case .text(let text): text
    case .bool(let value): value ? "true" : "false"
    case .integer(let number): "\(number)"
    case .double(let number):
      Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .null, .array, .object: "null"
    }
  }

  /// The value as a JavaScript number; nil for NaN. An empty text and null are 0.
  fileprivate var asNumber: Double? {
    switch self {
    case .null: 0
    case .bool(let value): value ? 1 : 0
    case .integer(let number): Double(number)
    case .double(let number): number.isNaN ? nil : number
    case .text(let text):
      text.allSatisfy(\.isWhitespace)
        ? 0
        : text.allSatisfy { $0.isNumber || "+-.eE".contains($0) } ? Double(text) : nil
    case .array, .object: nil
    }
  }
}

/// A `like` pattern of InstantDB's client. In it, `_` matches one UTF-16 code unit, and nothing can
/// be escaped.
struct ReferencePattern {
  private let units: [UInt16]
  private let ignoresCase: Bool

  init(_ text: String, ignoringCase: Bool) {
    ignoresCase = ignoringCase
    units = Self.units(text, ignoringCase)
  }

  private static func units(_ text: String, _ ignoringCase: Bool) -> [UInt16] {
    guard ignoringCase else { return Array(text.utf16) }
    return text.unicodeScalars.flatMap { scalar -> [UInt16] in
      let upper = scalar.properties.uppercaseMapping.unicodeScalars
      guard upper.count == 1, let capital = upper.first, scalar.isASCII || !capital.isASCII,
        scalar.value < 0x10000
      else { return Array(String(scalar).utf16) }
      return Array(String(capital).utf16)
    }
  }

  /// Returns whether the pattern matches the whole text.
  ///
  /// It backtracks: after a mismatch, the last `%` matches one more code unit.
  ///
  /// - Complexity: O(text × pattern) in the worst case.
  func matches(_ text: String) -> Bool {
    let text = Self.units(text, ignoresCase)
    let any = UInt16(UInt8(ascii: "%"))
    let one = UInt16(UInt8(ascii: "_"))
    var i = 0
    var j = 0
    var resume: (i: Int, j: Int)?
    while i < text.count {
      if j < units.count, units[j] == any {
        resume = (i, j + 1)
        j += 1
      } else if j < units.count, units[j] == one || units[j] == text[i] {
        i += 1
        j += 1
      } else if let back = resume {
        resume = (back.i + 1, back.j)
        i = back.i + 1
        j = back.j
      } else {
        return false
      }
    }
    while j < units.count, units[j] == any { j += 1 }
    return j == units.count
  }
}
