/// A link as one of its ends sees it.
public struct Link: Hashable, Sendable {
  public enum Direction: Hashable, Sendable {
    /// From the entity that holds the value to the one that the value names.
    case forward
    case reverse
  }

  public let attribute: Attribute
  public let direction: Direction

  public init(_ attribute: Attribute, _ direction: Direction) {
    self.attribute = attribute
    self.direction = direction
  }

  /// How this end calls the link.
  public var label: String { near.label }

  /// The namespace of the entities at the other end.
  public var target: String { far.namespace }

  /// How the other end calls it.
  public var otherLabel: String { far.label }

  /// How many entities there can be at the other end.
  public var cardinality: Attribute.Cardinality {
    switch direction {
    case .forward: attribute.cardinality
    case .reverse: attribute.isUnique ? .one : .many
    }
  }

  /// The same link as the other end sees it.
  public var reversed: Link { Link(attribute, direction == .forward ? .reverse : .forward) }

  private var near: Attribute.Name { direction == .forward ? attribute.name : reverseName }
  private var far: Attribute.Name { direction == .forward ? reverseName : attribute.name }

  /// A link without a name at its other end leads to the namespace of its own label.
  private var reverseName: Attribute.Name {
    attribute.reverse ?? Attribute.Name(namespace: attribute.label, label: attribute.namespace)
  }
}
