/// A value in a triple: any JSON.
///
/// Numbers keep the form in which they were read: `1` is an integer, `1.0` a double. They are
/// different values, so that they are written as they were read; queries treat them as equal
/// (``isSameJSON(as:)``).
public enum Value: Hashable, Sendable {
  /// The JSON null.
  case null
  /// True or false.
  case bool(Bool)
  /// A 64-bit integer.
  case integer(Int64)
  /// A floating-point number. All numbers that are not written as integers have this form.
  case double(Double)
  /// A text.
  case text(String)
  /// A list of values.
  case array([Value])
  /// An object with ordered keys.
  case object(JSONObject)
}

extension Value {
  /// Returns whether the values are equal. Texts are equal if their Unicode scalars are; canonical
  /// equivalence is not enough.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.text(let a), .text(let b)): a.isExactly(b)
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    case (.null, _), (.bool, _), (.integer, _), (.double, _), (.text, _), (.array, _),
      (.object, _):
      false
    }
  }
}

extension Value {
  /// Returns whether both are equal as JavaScript's `===` compares: numbers by value, others by
  /// type and content.
  ///
  /// Unlike with `===`, arrays and objects are compared by content.
  public func isSameJSON(as other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let a), .double(let b)): b == Double(a) && Int64(exactly: b) == a
    case (.double(let a), .integer(let b)): a == Double(b) && Int64(exactly: a) == b
    case (.double(let a), .double(let b)): a == b
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isSameJSON(as: $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count
        && zip(a.sortedMembers, b.sortedMembers).allSatisfy {
          $0.key.isExactly($1.key) && $0.value.isSameJSON(as: $1.value)
        }
    default: self == other
    }
  }

  /// The name of the value's type for messages.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .double: "number"
    case .text: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .object(JSONObject(elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
  }
}
