public import Triples

/// The text of a condition with values bound into it: `"salary > \(limit) and name like \("S%")"`.
///
/// What is interpolated stays a value whatever it holds; it is never read as part of the text.
/// Text typed by a person is no literal and goes through `ConditionNode.init(parsing:)` instead.
public struct PredicateText: Hashable, Sendable, ExpressibleByStringInterpolation {
  enum Bound: Hashable, Sendable {
    case value(Value)
    case list([Value])
    case path(AttributePath)
  }

  /// Stands in the text where a value is bound; without one it is an unknown character.
  static let mark: UInt8 = 0x1A

  var text: String
  /// By offset in bytes of their marks.
  var bound: [Int: Bound] = [:]

  /// The text as a person typed it, with nothing bound.
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

    /// Values for `in`.
    public mutating func appendInterpolation(list values: [Value]) { bind(.list(values)) }

    /// A field whose name is known only when the program runs.
    public mutating func appendInterpolation(field path: AttributePath) { bind(.path(path)) }

    private mutating func bind(_ value: Bound) {
      bound[text.utf8.count] = value
      text.unicodeScalars.append(Unicode.Scalar(PredicateText.mark))
    }
  }
}
