/// A sort key.
///
/// Missing values and null come first, or last when descending. Ties are ordered by the next key,
/// then by entity id in the direction of the last key. The default order is by creation.
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

  /// The name for ordering by creation time.
  public static let creation: AttributePath = "serverCreatedAt"

  /// Whether it orders by creation time.
  public var isCreation: Bool { path == Self.creation }
}
