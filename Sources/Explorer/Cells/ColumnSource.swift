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
}

extension [TableColumn] {
  /// Returns the links of these columns that the query does not include, so that their targets are
  /// loaded by side queries.
  func links(besides plan: QueryPlan) -> [Link] {
    compactMap(\.source.link).filter { plan.relation($0.label) == nil }
  }
}
