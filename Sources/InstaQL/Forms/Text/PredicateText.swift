public import Triples

/// The text of a condition with bound values: `"salary > \(limit) and name like \("S%")"`.
///
/// An interpolated value is never parsed as part of the text. For text entered by users, use
/// `ConditionNode.init(parsing:)`.
public struct PredicateText: Hashable, Sendable, ExpressibleByStringInterpolation {
  enum Bound: Hashable, Sendable {
    case value(Value)
    case list([Value])
    case path(AttributePath)
  }

  /// Marks a bound value in the text; elsewhere it is an invalid character.
  static let mark: UInt8 = 0x1A

  var text: String
  /// By the byte offset of their marks.
  var bound: [Int: Bound] = [:]

  /// A text entered by a user, without bound values.
  init(typed text: String) { self.text = text }

  public init(stringLiteral text: String) { self.text = text }

  public init(stringInterpolation: Interpolation) {
    text = stringInterpolation.text
    bound = stringInterpolation.bound
  }

  public struct Interpolation: StringInterpolationProtocol {
    var text = ""
    var bound: [Int: Bound] = [:]

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(_ value: String) { bind(.value(.text(value))) }

    public mutating func appendInterpolation(_ value: Int) { bind(.value(.integer(Int64(value)))) }

    public mutating func appendInterpolation(_ value: Double) { bind(.value(.double(value))) }

    public mutating func appendInterpolation(_ value: Bool) { bind(.value(.bool(value))) }

    public mutating func appendInterpolation(_ value: Value) { bind(.value(value)) }

    /// Binds values for `in`.
    public mutating func appendInterpolation(list values: [Value]) { bind(.list(values)) }

    /// Binds a field whose name is only known at run time.
    public mutating func appendInterpolation(field path: AttributePath) { bind(.path(path)) }

    private mutating func bind(_ value: Bound) {
      bound[text.utf8.count] = value
      text.unicodeScalars.append(Unicode.Scalar(PredicateText.mark))
    }
  }
}
