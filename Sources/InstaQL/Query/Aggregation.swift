/// One number, or one value, that stands for many entities.
///
/// Only a store on this machine works it out: InstaQL has no words for it but a plain count.
public struct Aggregation: Hashable, Sendable {
  public enum Function: String, CaseIterable, Hashable, Sendable {
    /// How many entities; of a path, how many values there are.
    case count
    /// Of the numbers; an integer as long as all are, and as it fits. Nothing adds up to 0.
    case sum
    /// Of the numbers, always a double; null when there are none.
    case average
    /// How many different values there are.
    case countDistinct = "count_distinct"
    /// Of the numbers, the one in the middle, or the mean of the two there; null when there are none.
    case median
    /// The value that stands first in the order of the attribute; null when there is none.
    case min
    /// The value that stands last in the order of the attribute; null when there is none.
    case max
  }

  public var function: Function
  /// Where the values are; nil for counting entities. Other functions of nothing are an error when run.
  public var path: AttributePath?
  /// The column it stands in.
  public var name: String

  /// - Parameter name: nil makes one, such as `sum_salary`.
  public init(_ function: Function, _ path: AttributePath? = nil, name: String? = nil) {
    self.function = function
    self.path = path
    self.name = name ?? Self.name(function, path)
  }

  /// The function and its path as they are typed.
  func text(of path: String) -> String {
    function == .countDistinct ? "count(distinct \(path))" : "\(function.rawValue)(\(path))"
  }

  /// Whether the name says no more than what is worked out.
  var hasPlainName: Bool { name == Self.name(function, path) }

  private static func name(_ function: Function, _ path: AttributePath?) -> String {
    ([function.rawValue] + (path?.labels ?? [])).joined(separator: "_")
  }
}
