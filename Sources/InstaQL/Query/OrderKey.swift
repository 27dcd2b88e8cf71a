/// One key that entities are ordered by.
///
/// Missing and null come first, last when descending; ties go by the next key, then by entity id in the
/// direction of the last key. Without any key the order is by creation.
public struct OrderKey: Hashable, Sendable {
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    case ascending = "asc"
    case descending = "desc"

    public var reversed: Direction { self == .ascending ? .descending : .ascending }
  }

  public var path: AttributePath
  public var direction: Direction

  public init(_ path: AttributePath, _ direction: Direction = .ascending) {
    self.path = path
    self.direction = direction
  }

  /// The name by which one orders by time of creation.
  public static let creation: AttributePath = "serverCreatedAt"

  /// Whether it orders by time of creation.
  public var isCreation: Bool { path == Self.creation }
}
