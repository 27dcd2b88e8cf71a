/// A link together with the end from which it is seen.
public struct Link: Hashable, Sendable {
  /// The end from which a link is seen.
  public enum Direction: Hashable, Sendable {
    /// From the entity that has the link's value to the entity that the value refers to.
    case forward
    /// From the target of a link to the entities that link to it.
    case reverse
  }

  /// The attribute of the link.
  public let attribute: Attribute
  /// The end from which the link is seen.
  public let direction: Direction

  /// Creates a link as seen from the end at which `direction` starts.
  public init(_ attribute: Attribute, _ direction: Direction) {
    self.attribute = attribute
    self.direction = direction
  }

  /// The name of the link at this end.
  public var label: String { near.label }

  /// The namespace of the entities at the other end.
  public var target: String { far.namespace }

  /// The name that the link has at the other end.
  public var otherLabel: String { far.label }

  /// Whether an entity at this end can link to one or to many entities at the other end.
  public var cardinality: Attribute.Cardinality {
    switch direction {
    case .forward: attribute.cardinality
    case .reverse: attribute.isUnique ? .one : .many
    }
  }

  /// The same link as seen from the other end.
  public var reversed: Link { Link(attribute, direction == .forward ? .reverse : .forward) }

  private var near: Attribute.Name { direction == .forward ? attribute.name : reverseName }
  private var far: Attribute.Name { direction == .forward ? reverseName : attribute.name }

  /// The name of the reverse link. By default, it is the forward name with namespace and label
  /// swapped: `plants.bed` becomes `bed.plants`.
  private var reverseName: Attribute.Name {
    attribute.reverse ?? Attribute.Name(namespace: attribute.label, label: attribute.namespace)
  }
}
