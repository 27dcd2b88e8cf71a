import Triples

/// A condition as text, with values interpolated: `"salary > \(limit) and name like \("S%")"`.
///
/// Interpolated values are bound: they are never parsed as part of the text. For text entered by
/// users, use `ConditionNode.init(parsing:)`.
public struct PredicateText: Hashable, Sendable, ExpressibleByStringInterpolation {
  enum Bound: Hashable, Sendable {
    case value(Value)
    case list([Value])
    case path(AttributePath)
  }

  /// The byte that stands for a bound value in the text. Anywhere else, this byte is invalid.
  static let mark: UInt8 = 0x1A

  var text: String
  /// The bound values and paths, keyed by the byte offset of their placeholder.
  var bound: [Int: Bound] = [:]

  /// Creates a text entered by a user, without bound values.
  init(typed text: String) { self.text = text }

  /// Creates a text without bound values.
  public init(stringLiteral text: String) { self.text = text }

  /// Creates a text from an interpolated string literal, with its values bound.
  public init(stringInterpolation: Interpolation) {
    text = stringInterpolation.text
    bound = stringInterpolation.bound
  }

  /// Collects the parts of an interpolated string literal.
  public struct Interpolation: StringInterpolationProtocol {
    var text = ""
    var bound: [Int: Bound] = [:]

    /// Creates an empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends literal text.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Binds an interpolated value. Its type can be any type of a field.
    public mutating func appendInterpolation(_ value: some FieldValue) {
      bind(.value(value.queryValue))
    }

    /// Binds the values of a list for `in`: `"name in (\(list: names))"`. The parentheses are
    /// optional.
    public mutating func appendInterpolation(list values: [some FieldValue]) {
      bind(.list(values.map(\.queryValue)))
    }

    /// Binds a field whose name is only known at run time.
    public mutating func appendInterpolation(field path: AttributePath) { bind(.path(path)) }

    private mutating func bind(_ value: Bound) {
      bound[text.utf8.count] = value
      text.unicodeScalars.append(Unicode.Scalar(PredicateText.mark))
    }
  }
}
