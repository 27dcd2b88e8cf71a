import InstaQL
import Triples

/// The meaning of comparisons of single values.
enum NaiveValue {
  static func equal(_ stored: Value, _ wanted: Value, _ type: CheckedType?) -> Bool {
    switch (stored, wanted) {
    case (.array, _), (.object, _), (_, .array), (_, .object): return false
    case (.text(let a), .text(let b)) where Array(a.utf8) == Array(b.utf8): return true
    case (.text, .text) where type != .date: return false
    default: break
    }
    if type == .date, let a = instant(stored), let b = instant(wanted) { return a == b }
    if case .text = stored { return false }
    return stored.isSameJSON(as: wanted)
  }

  static func holds(
    _ stored: Value, _ comparison: Comparison, _ wanted: Value, _ type: CheckedType?
  ) -> Bool {
    if stored == .null || wanted == .null { return false }
    switch comparison {
    case .equal: return equal(stored, wanted, type)
    case .notEqual: return !equal(stored, wanted, type)
    case .like, .ilike:
      guard case .text(let text) = stored, case .text(let pattern) = wanted else { return false }
      return like(scalars(text, comparison)[...], self.pattern(pattern, comparison)[...])
    case .matches:
      guard case .text(let text) = stored, case .text(let pattern) = wanted else { return false }
      return (try? RegularExpression(pattern))?.matches(text) ?? false
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let order = order(stored, wanted, type) else { return false }
      return fits(order, comparison)
    }
  }

  /// Between two fields: only numbers with numbers and texts with texts.
  static func fieldHolds(
    _ a: Value, _ comparison: Comparison, _ b: Value, _ type: CheckedType?
  ) -> Bool {
    if type == .date {
      guard let x = instant(a), let y = instant(b) else { return false }
      return fits(x < y ? -1 : x > y ? 1 : 0, comparison)
    }
    switch (a, b) {
    case (.text(let x), .text(let y)): return fits(codeUnits(x, y), comparison)
    case (.text, _), (_, .text): return false
    default:
      guard isBool(a) == isBool(b), let x = number(a), let y = number(b) else { return false }
      return fits(x < y ? -1 : x > y ? 1 : 0, comparison)
    }
  }

  private static func isBool(_ value: Value) -> Bool {
    if case .bool = value { true } else { false }
  }

  private static func fits(_ order: Int, _ comparison: Comparison) -> Bool {
    switch comparison {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .equal: order == 0
    case .notEqual: order != 0
    case .like, .ilike, .matches: false
    }
  }

  /// Nil if the values have different types, and so no order.
  private static func order(_ a: Value, _ b: Value, _ type: CheckedType?) -> Int? {
    if type == .date {
      guard let x = instant(a), let y = instant(b) else { return nil }
      return x < y ? -1 : x > y ? 1 : 0
    }
    if case .text(let x) = a, case .text(let y) = b { return codeUnits(x, y) }
    guard isBool(a) == isBool(b), let x = number(a), let y = number(b) else { return nil }
    return x < y ? -1 : x > y ? 1 : 0
  }

  static func instant(_ value: Value) -> Instant? {
    switch value {
    case .text(let text): Instant(text)
    case .integer(let number): Instant(milliseconds: number)
    case .double(let number): Instant(milliseconds: number)
    case .null, .bool, .array, .object: nil
    }
  }

  static func number(_ value: Value) -> Double? {
    switch value {
    case .bool(let bool): bool ? 1 : 0
    case .integer(let number): Double(number)
    case .double(let number): number
    case .null, .text, .array, .object: nil
    }
  }

  static func codeUnits(_ a: String, _ b: String) -> Int {
    let (x, y) = (Array(a.utf16), Array(b.utf16))
    return x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
  }

  // MARK: Patterns

  private enum Part { case any, one, scalar(Unicode.Scalar) }

  private static func fold(_ scalar: Unicode.Scalar, _ comparison: Comparison) -> Unicode.Scalar {
    guard comparison == .ilike else { return scalar }
    if scalar == "ς" { return "σ" }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower.first! : scalar
  }

  private static func scalars(_ text: String, _ comparison: Comparison) -> [Unicode.Scalar] {
    text.unicodeScalars.map { fold($0, comparison) }
  }

  private static func pattern(_ text: String, _ comparison: Comparison) -> [Part] {
    var parts: [Part] = []
    var isEscaped = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "%" where !isEscaped: parts.append(.any)
      case "_" where !isEscaped: parts.append(.one)
      default: parts.append(.scalar(fold(scalar, comparison)))
      }
      isEscaped = false
    }
    return isEscaped ? parts + [.scalar("\\")] : parts
  }

  private static func like(_ text: ArraySlice<Unicode.Scalar>, _ parts: ArraySlice<Part>) -> Bool {
    switch parts.first {
    case nil: text.isEmpty
    case .any?:
      like(text, parts.dropFirst()) || (!text.isEmpty && like(text.dropFirst(), parts))
    case .one?: !text.isEmpty && like(text.dropFirst(), parts.dropFirst())
    case .scalar(let wanted)?:
      text.first == wanted && like(text.dropFirst(), parts.dropFirst())
    }
  }
}
