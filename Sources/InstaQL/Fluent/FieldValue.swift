public import Triples

/// A Swift type that the fields of an entity can have.
///
/// Strings, integers, doubles, booleans, ``Instant``, ids and any ``Value`` conform; an enumeration
/// with raw values can declare conformance. Any value may be missing in the data. The initializer
/// of an entity decides whether its property is optional.
///
/// ```swift
/// enum Status: String, FieldValue { case planned, active, done }
/// ```
public protocol FieldValue: Sendable, Hashable {
  /// The name of the type in error messages: "a whole number".
  static var queryTypeName: String { get }

  /// Converts a value from a query; nil when the value is not of this type.
  init?(queryValue value: Value)

  /// The value in the form that queries use.
  var queryValue: Value { get }
}

/// A field type whose values have an order.
public protocol OrderedFieldValue: FieldValue {}

/// A field type whose values can be matched with patterns.
public protocol TextFieldValue: OrderedFieldValue {}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  public static var queryTypeName: String { "a \(Self.self)" }

  public init?(queryValue value: Value) {
    guard let raw = RawValue(queryValue: value) else { return nil }
    self.init(rawValue: raw)
  }

  public var queryValue: Value { rawValue.queryValue }
}

extension String: TextFieldValue {
  public static var queryTypeName: String { "a string" }

  public init?(queryValue value: Value) {
    guard case .text(let text) = value else { return nil }
    self = text
  }

  public var queryValue: Value { .text(self) }
}

extension Int: OrderedFieldValue {
  public static var queryTypeName: String { "a whole number" }

  /// Converts an integer, or a double that is integral; nil for any other value.
  public init?(queryValue value: Value) {
    switch value {
    case .integer(let number): self.init(exactly: number)
    case .double(let number): self.init(exactly: number)
    case .null, .bool, .text, .array, .object: return nil
    }
  }

  public var queryValue: Value { .integer(Int64(self)) }
}

extension Double: OrderedFieldValue {
  public static var queryTypeName: String { "a number" }

  public init?(queryValue value: Value) {
    switch value {
    case .integer(let number): self.init(number)
    case .double(let number): self = number
    case .null, .bool, .text, .array, .object: return nil
    }
  }

  public var queryValue: Value { .double(self) }
}

extension Bool: OrderedFieldValue {
  public static var queryTypeName: String { "true or false" }

  public init?(queryValue value: Value) {
    guard case .bool(let flag) = value else { return nil }
    self = flag
  }

  public var queryValue: Value { .bool(self) }
}

/// A date as a field value. It is read from text or from milliseconds since 1970, and written as
/// ISO 8601 text.
extension Instant: OrderedFieldValue {
  public static var queryTypeName: String { "a date" }

  public init?(queryValue value: Value) {
    switch value {
    case .text(let text): self.init(text)
    case .integer(let number): self.init(milliseconds: number)
    case .double(let number): self.init(milliseconds: number)
    case .null, .bool, .array, .object: return nil
    }
  }

  public var queryValue: Value { .text(description) }
}

extension EntityID: FieldValue {
  public static var queryTypeName: String { "an id" }

  public init?(queryValue value: Value) {
    guard case .text(let text) = value else { return nil }
    self.init(text)
  }

  public var queryValue: Value { .text(text) }
}

/// A value of any type, for fields of unknown type.
extension Value: TextFieldValue {
  public static var queryTypeName: String { "a value" }

  public init?(queryValue value: Value) { self = value }

  public var queryValue: Value { self }
}
