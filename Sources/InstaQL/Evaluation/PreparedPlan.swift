public import Triples

/// A plan whose names have been looked up in a schema: made once, answered over many snapshots.
///
/// It holds for every store with that schema. What the schema does not know has been settled: an
/// unknown namespace, or an unknown name in the filter, makes the answer empty.
public struct PreparedPlan: Sendable {
  public let plan: QueryPlan
  /// The namespace of the entities; of a nested plan, where the link leads.
  public let namespace: String
  let formula: Formula
  /// What orders the entities; empty is by creation.
  let order: [PreparedOrder]
  /// The attributes of each object, `id` among them.
  package let fields: [Attribute]
  /// Those attributes as they begin members of JSON objects.
  let keys: FieldKeys
  let relations: [PreparedRelation]
  let paging: QueryOptions.Paging
  /// What is worked out of the entities; nil when they are the answer themselves.
  let summary: PreparedSummary?

  /// What the answer depends on: when none of these changes, neither does the answer.
  ///
  /// Attributes include the links that are followed and the `id` attributes of the namespaces, which
  /// say who belongs there.
  public let attributes: Set<AttributeID>

  func relation(_ label: String) -> PreparedRelation? { relations.first { $0.label == label } }
}

/// One key of an order, resolved.
struct PreparedOrder: Sendable {
  enum Source: Sendable {
    case creation
    /// A value of the entity itself, or at the end of links.
    case value([Link], Attribute)
  }

  var source: Source
  var isDescending: Bool

  /// The same as the store understands it, when it can order by it alone.
  func rowOrder(in namespace: String) -> RowOrder? {
    switch source {
    case .creation: RowOrder(.created(in: namespace), descending: isDescending)
    case .value(let links, let attribute) where links.isEmpty:
      RowOrder(.attribute(attribute.id), descending: isDescending)
    case .value: nil
    }
  }
}

/// A link to follow from each entity of an answer.
struct PreparedRelation: Sendable {
  let label: String
  /// Nil when the namespace has no such link.
  let link: Link?
  /// Whether the answer is one object or none, by the schema.
  let isSingular: Bool
  let plan: PreparedPlan
}
