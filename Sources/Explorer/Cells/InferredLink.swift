import InstaQL
import Triples

/// A link guessed from the name of an attribute, such as `team` or `teamId` if a namespace `teams`
/// exists.
struct InferredLink: Sendable, Equatable {
  let target: String
  /// The label of the target's id attribute.
  let identity: String
  /// The attributes, other than the id, that may identify the target.
  let keys: [Attribute]

  /// The text shown for the link, such as `→ teams?`.
  var words: String { "→ \(target)?" }

  /// Returns the query for entities of the target whose id or key equals a value. Nil if the value
  /// has no suitable type.
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
      ways.append(.compare(AttributePath([identity]), .equal, value))
    }
    guard let first = ways.first else { return nil }
    return QueryPlan(target).filter(ways.count == 1 ? first : .any(ways))
  }

  /// The length of an id as text in bytes, with hyphens.
  private static let idLength = 36

  /// Guesses the target of an attribute from its name, without reading values.
  ///
  /// A foreign key column needs no guess, because its link is declared.
  init?(of attribute: Attribute, in schema: Schema) {
    guard attribute.valueType == .blob, !attribute.isUnique, attribute.keyOf == nil,
      let target = schema.namespaces.first(where: { Self.isOne(attribute.label, of: $0) })
    else { return nil }
    switch attribute.checkedType {
    case .boolean, .date: return nil
    case .string, .number, nil: break
    }
    self.target = target
    identity = schema.identityLabel(of: target)
    keys = schema.attributes(of: target).filter {
      $0.valueType == .blob && $0.isUnique && !$0.isIdentity
    }
  }

  /// Returns whether a label such as `team` or `team_id` is the singular of a namespace's name.
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
