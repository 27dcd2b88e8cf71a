public import Triples

/// A plan whose names are resolved with a schema. Prepare it once to evaluate it in many snapshots.
///
/// It is valid for every store with the same schema. If the namespace, or a name in the filter, is
/// unknown, the answer is empty.
public struct PreparedPlan: Sendable {
  /// The original plan.
  public let plan: QueryPlan
  /// The namespace of the entities; for a nested plan, the target of the link.
  public let namespace: String
  let formula: Formula
  /// The sort keys; if empty, entities are ordered by creation.
  let order: [PreparedOrder]
  /// The attributes of each object, including `id`.
  package let fields: [Attribute]
  /// The computed columns, in the order of the plan's fields.
  package let computed: [PreparedColumn]
  /// The members of the answer's JSON objects, in their order.
  let members: [PreparedMember]
  let relations: [PreparedRelation]
  let paging: QueryOptions.Paging
  /// The groups and aggregates; nil when the answer consists of entities.
  let summary: PreparedSummary?

  /// The attributes that the answer depends on. As long as none of them changes, the answer stays
  /// valid.
  ///
  /// They also contain the included links and the `id` attributes of the namespaces; an entity is a
  /// member of a namespace if it has that attribute.
  public let attributes: Set<AttributeID>

  func relation(_ label: String) -> PreparedRelation? { relations.first { $0.label == label } }
}

/// Members of an answer's JSON objects.
enum PreparedMember: Sendable {
  /// Attributes that follow each other, with their encoded names.
  case fields(FieldKeys)
  case computed(PreparedColumn)
  case relation(PreparedRelation)
}

/// A sort key whose path is resolved.
struct PreparedOrder: Sendable {
  enum Source: Sendable {
    case creation
    /// A value of the entity itself, or of an entity at the end of the links.
    case value([Link], Attribute)
    /// The number of entities at the end of the links.
    case count([Link])
    case computed(PreparedExpression)
  }

  var source: Source
  var isDescending: Bool

  /// Returns this key as a sort order of the store. Nil if the store cannot sort by the key, for
  /// example because it reads linked entities.
  func rowOrder(in namespace: String) -> RowOrder? {
    switch source {
    case .creation: RowOrder(.created(in: namespace), descending: isDescending)
    case .value(let links, let attribute) where links.isEmpty:
      RowOrder(.attribute(attribute.id), descending: isDescending)
    case .value, .count, .computed: nil
    }
  }
}

/// A computed column with resolved names.
package struct PreparedColumn: Sendable, Hashable {
  package let name: String
  let expression: PreparedExpression
  /// The column's path in the plan: its name and its expression.
  let path: AttributePath

  /// The path to use in a condition on the column's value.
  package var computedPath: AttributePath {
    path.expression.map { AttributePath(computing: $0) } ?? path
  }

  /// The path to use for sorting by the column: its name if it has one, otherwise its expression.
  package var orderPath: AttributePath {
    path.isNamed ? AttributePath([name]) : computedPath
  }

  /// Returns whether two columns have the same name and expression.
  package static func == (a: PreparedColumn, b: PreparedColumn) -> Bool { a.path == b.path }

  package func hash(into hasher: inout Hasher) { hasher.combine(path) }

  /// The type of the values, if it is known.
  package var type: CheckedType? { expression.type }

  /// Returns the value of the expression for an entity; null if it is missing.
  package func value(of entity: EntityHandle, in store: TripleStore) -> Value {
    expression.value(of: entity, in: store)
  }
}

/// A relation of a plan, with its link looked up in the schema.
struct PreparedRelation: Sendable {
  let label: String
  /// The link of the schema; nil when the namespace has no such link.
  let link: Link?
  /// Whether the JSON answer has a single object for the relation instead of a list.
  let isSingular: Bool
  let plan: PreparedPlan
}
