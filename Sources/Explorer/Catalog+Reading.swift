import InstaQL
import TerminalUI
import Triples
import Widgets

extension Catalog {
  /// Returns a condition as text, with labels instead of the ids of linked entities.
  ///
  /// - Parameters:
  ///   - namespace: The namespace of the entities that the condition tests.
  ///   - isTyped: Whether a unique label is written in query syntax, as a condition on the label
  ///     attribute.
  func reading(
    _ condition: ConditionNode, of namespace: String, isTyped: Bool = true
  ) -> String {
    condition.linkedIDs.prefix(Self.maxNamed).reduce(condition.text) { text, linked in
      guard let target = schema.namespace(from: namespace, along: Array(linked.path.links)),
        linked.path.label == schema.identityLabel(of: target),
        let name = name(of: EntityID(linked.id), in: target), name != linked.id
      else { return text }
      let typed = isTyped ? typed(linked, name, in: target) : nil
      let link = linked.path.links.joined(separator: ".")
      return text.replacing(
        ConditionNode.compare(linked.path, linked.comparison, .text(linked.id)).text,
        with: typed?.text
          ?? "\(link) \(linked.comparison.spelling) "
          + TextWidth.truncated(name, to: Self.maxNameLength))
    }
  }

  /// Returns a condition on the label attribute that matches the same entity as `linked`. Nil if
  /// the label is not unique.
  private func typed(
    _ linked: LinkedID, _ name: String, in target: String
  ) -> ConditionNode? {
    guard let attribute = labelAttribute(of: target),
      has(EntityID(linked.id), .text(name), of: attribute)
    else { return nil }
    let links = Array(linked.path.links)
    if attribute.isUnique {
      let isShort = schema.label(of: target) == attribute.label
      let path = AttributePath(isShort ? links : links + [attribute.label])
      return .compare(path, linked.comparison, .text(name))
    }
    // In a partly loaded store, entities that are not loaded may have the same name.
    guard snapshot.served == nil, store.rows(attribute.id, .equal(.text(name))).count == 1
    else { return nil }
    return .compare(AttributePath(links + [attribute.label]), linked.comparison, .text(name))
  }

  private func has(_ id: EntityID, _ value: Value, of attribute: Attribute) -> Bool {
    [store, linked?.store].compactMap { $0 }.contains { store in
      store.handle(of: id).flatMap { store.value($0, attribute.id) } == value
    }
  }

  /// Returns the label of an entity from the results or from a side query; nil if it is not loaded.
  private func name(of id: EntityID, in namespace: String) -> String? {
    if let entity = store.handle(of: id) { return label(of: entity, in: namespace) }
    guard let linked, let entity = linked.store.handle(of: id) else { return nil }
    return Catalog(snapshot: linked).label(of: entity, in: namespace)
  }

  /// The maximum width of an entity's label in columns.
  private static let maxNameLength = 40
  /// The maximum number of ids to replace with labels.
  private static let maxNamed = 20
}

/// A comparison of a linked entity's id, such as `owner.id = "…"`.
private struct LinkedID {
  let path: AttributePath
  let comparison: Comparison
  let id: String
}

extension ConditionNode {
  /// The comparisons with ids of linked entities that the condition contains.
  fileprivate var linkedIDs: [LinkedID] {
    switch self {
    case .compare(let path, let comparison, .text(let id))
    where !path.isOwn && (comparison == .equal || comparison == .notEqual):
      [LinkedID(path: path, comparison: comparison, id: id)]
    case .all(let parts), .any(let parts), .together(let parts): parts.flatMap(\.linkedIDs)
    case .not(let part): part.linkedIDs
    // Paths within a quantifier start at another namespace.
    case .quantified, .linkCount: []
    case .compare, .isIn, .isNull, .compareFields, .idStartsWith: []
    }
  }
}
