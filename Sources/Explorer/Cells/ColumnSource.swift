package import InstaQL
package import Triples

/// The attribute, link or computed value that a column shows.
package enum ColumnSource: Sendable, Hashable {
  case attribute(Attribute)
  case link(Link)
  case computed(PreparedColumn)

  var label: String {
    switch self {
    case .attribute(let attribute): attribute.label
    case .link(let link): link.label
    case .computed(let column): column.name
    }
  }

  var attribute: Attribute? { if case .attribute(let attribute) = self { attribute } else { nil } }
  var link: Link? { if case .link(let link) = self { link } else { nil } }
  var isLink: Bool { link != nil }

  /// The attribute that stores the values or links; nil for computed values.
  var storedAttribute: Attribute? { attribute ?? link?.attribute }

  /// The path that compares the column in a filter.
  var path: AttributePath {
    if case .computed(let column) = self { column.computedPath } else { AttributePath([label]) }
  }

  /// The type of the values; nil for links and for values of any type.
  var type: CheckedType? {
    switch self {
    case .attribute(let attribute): attribute.checkedType
    case .computed(let column): column.type
    case .link: nil
    }
  }

  /// Returns the value of an entity; nil for links, and if the value is missing.
  func value(of entity: EntityHandle, in store: TripleStore) -> Value? {
    switch self {
    case .attribute(let attribute): store.value(entity, attribute.id)
    case .computed(let column): column.value(of: entity, in: store)
    case .link: nil
    }
  }

  /// The kind of the column's values.
  var kind: Answer.ColumnKind {
    switch self {
    case .attribute(let attribute): .values(attribute)
    case .link(let link): .entities(namespace: link.target)
    case .computed: .numbers
    }
  }
}
