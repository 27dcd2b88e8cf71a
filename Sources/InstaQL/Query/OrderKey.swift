/// A sort key.
///
/// Missing values and null come first in ascending order, and last in descending order. Ties are
/// ordered by the next key, then by entity id in the direction of the last key. The default order
/// is by creation.
public struct OrderKey: Hashable, Sendable {
  /// Whether smaller or greater values come first.
  public enum Direction: String, CaseIterable, Hashable, Sendable {
    /// Smaller values come first, and missing values before all others.
    case ascending = "asc"
    /// Greater values come first, and missing values after all others.
    case descending = "desc"

    /// The other direction.
    public var reversed: Direction { self == .ascending ? .descending : .ascending }
  }

  /// The path to the compared values. The path `serverCreatedAt` stands for the creation time.
  public var path: AttributePath
  /// The direction of the order.
  public var direction: Direction

  /// Creates a sort key.
  public init(_ path: AttributePath, _ direction: Direction = .ascending) {
    self.path = path
    self.direction = direction
  }

  /// The path that orders by creation time.
  public static let creation: AttributePath = "serverCreatedAt"

  /// The last label of a path that orders by the number of linked entities.
  static let countLabel = "$count"

  /// Returns a path that orders by the number of linked entities.
  public static func count(of links: AttributePath) -> AttributePath {
    AttributePath(links.labels + [countLabel])
  }

  /// The links whose entities the key counts; nil for other keys.
  public var countedLinks: AttributePath? {
    path.label == Self.countLabel && !path.isOwn ? AttributePath(Array(path.links)) : nil
  }

  /// Whether the key orders by creation time.
  public var isCreation: Bool { path == Self.creation }
}
