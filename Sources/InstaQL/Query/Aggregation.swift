/// An aggregate function: one value computed from many entities.
///
/// Only local stores evaluate aggregates; InstaQL supports only a plain count.
public struct Aggregation: Hashable, Sendable {
  /// A function that aggregates the values of a group.
  public enum Function: String, CaseIterable, Hashable, Sendable {
    /// The number of entities; with a path, the number of values.
    case count
    /// The sum of numbers. It is an integer if all numbers are integers and it fits. The sum of
    /// nothing is 0.
    case sum
    /// The average of numbers, always a double; null without numbers.
    case average
    /// The number of different values.
    case countDistinct = "count_distinct"
    /// The median of numbers, or the mean of the middle two; null without numbers.
    case median
    /// The first value in the attribute's order; null without values.
    case min
    /// The last value in the attribute's order; null without values.
    case max
  }

  /// The aggregate function.
  public var function: Function
  /// The path of the values; nil for the number of entities.
  ///
  /// Only `count` may omit the path; with any other function, a nil path makes the query fail.
  public var path: AttributePath?
  /// The name of the result's column.
  public var name: String

  /// Creates an aggregation.
  ///
  /// - Parameter name: The name of the column; nil generates one, such as `sum_salary`.
  public init(_ function: Function, _ path: AttributePath? = nil, name: String? = nil) {
    self.function = function
    self.path = path
    self.name = name ?? Self.name(function, path)
  }

  /// Returns the text form of the function and its path.
  func text(of path: String) -> String {
    ValueExpression.text(function, of: path)
  }

  /// Whether the name of the column is the generated one.
  var hasPlainName: Bool { name == Self.name(function, path) }

  private static func name(_ function: Function, _ path: AttributePath?) -> String {
    if let path, path.expression != nil { return ValueExpression.text(function, of: path.dotted) }
    return ([function.rawValue] + (path?.labels ?? [])).joined(separator: "_")
  }
}
