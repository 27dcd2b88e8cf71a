import InstaQL
import Triples

/// A namespace that the values of an attribute seem to name, though nobody declared a link: `team` or
/// `teamId` where there are `teams`.
struct SupposedLink: Sendable, Equatable {
  let target: String
  /// The attributes by which an entity there may be named, besides its id.
  let keys: [Attribute]

  /// `→ teams?`
  var words: String { "→ \(target)?" }

  /// The entities that a value seems to name; nil where it can name none.
  func plan(for value: Value) -> QueryPlan? {
    var ways = keys.filter { key in
      switch (key.checkedType, value) {
      case (.string?, .text), (.number?, .integer), (.number?, .double), (nil, .text),
        (nil, .integer), (nil, .double):
        true
      default: false
      }
    }.map { ConditionNode.compare(AttributePath([$0.label]), .equal, value) }
    if case .text(let text) = value, text.utf8.count == Self.idLength {
      ways.append(.compare(AttributePath(["id"]), .equal, value))
    }
    guard let first = ways.first else { return nil }
    return QueryPlan(target).filter(ways.count == 1 ? first : .any(ways))
  }

  /// In bytes, with its hyphens.
  private static let idLength = 36
}

extension SupposedLink {
  /// What an attribute seems to lead to by its name alone: no value is looked at. The column of a foreign
  /// key leaves nothing to suppose: its link is declared.
  init?(of attribute: Attribute, in schema: Schema) {
    guard attribute.valueType == .blob, !attribute.isUnique, attribute.keyOf == nil,
      let target = schema.namespaces.first(where: { Self.isOne(attribute.label, of: $0) })
    else { return nil }
    switch attribute.checkedType {
    case .boolean, .date: return nil
    case .string, .number, nil: break
    }
    self.target = target
    keys = schema.attributes(of: target).filter {
      $0.valueType == .blob && $0.isUnique && $0.label != "id"
    }
  }

  /// Whether a label is how one of a namespace is called.
  private static func isOne(_ label: String, of namespace: String) -> Bool {
    let (label, many) = (label.lowercased(), namespace.lowercased())
    for ending in ["_id", "-id", "id", "_key", "key"] where label.hasSuffix(ending) {
      let stem = label.dropLast(ending.count)
      if !stem.isEmpty, many == stem || isPlural(many, of: stem) { return true }
    }
    return isPlural(many, of: label[...])
  }

  private static func isPlural(_ many: String, of one: Substring) -> Bool {
    many == one + "s" || many == one + "es"
      || one.last == "y" && many == one.dropLast() + "ies"
  }
}
