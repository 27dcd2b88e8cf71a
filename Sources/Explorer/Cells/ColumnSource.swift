import Triples

/// The attribute or link that a column shows.
enum ColumnSource: Sendable, Hashable {
  case attribute(Attribute)
  case link(Link)

  var label: String {
    switch self {
    case .attribute(let attribute): attribute.label
    case .link(let link): link.label
    }
  }

  var isLink: Bool { if case .link = self { true } else { false } }
}
