import InstaQL
import TerminalUI
import Triples

extension Catalog {
  /// Returns a condition as text, with labels of linked entities instead of their ids, or next to
  /// them.
  ///
  /// - Parameters:
  ///   - namespace: The namespace of the entities that the condition tests.
  ///   - isTyped: Whether the text is in query syntax, so that it can be typed.
  ///   - words: The conditions that are written as they were typed.
  func reading(
    _ condition: ConditionNode, of namespace: String, isTyped: Bool = true,
    words: TypedWords = TypedWords()
  ) -> String {
    let written = words.text(of: condition, in: namespace)
    return condition.linkedIDs.uniqued.prefix(Self.maxNamed).reduce(written) { text, linked in
      guard let target = schema.namespace(from: namespace, along: linked.path.links),
        linked.path.label == schema.identityLabel(of: target),
        let (entity, catalog) = found(EntityID(linked.id))
      else { return text }
      let reading =
        isTyped
        ? typed(linked, entity, in: target, of: catalog)
        : named(linked, catalog.label(of: entity, in: target))
      return text.replacing(linked.condition.text, with: reading)
    }
  }

  /// Returns a typed query with the ids of the query that it changes, where `reading` shows labels.
  ///
  /// With an id, the query finds the same rows after the label changes.
  ///
  /// - Parameter path: The links to the relation whose condition was typed.
  func keepingIDs(of plan: QueryPlan, in typed: QueryPlan, along path: [String]) -> QueryPlan {
    guard plan.namespace == typed.namespace, let before = plan[along: path]?.condition,
      let after = typed[along: path]?.condition, before.namesEntities, before != after,
      let namespace = schema.namespace(from: plan.namespace, along: path)
    else { return typed }
    let condition = before.linkedIDs.uniqued.prefix(Self.maxNamed).reduce(after) { after, linked in
      let text = reading(linked.condition, of: namespace)
      guard
        let shown = try? ConditionNode(
          parsing: text, of: namespace, schema: schema, givesHints: false)
      else { return after }
      return after.replacing(shown, with: linked.condition)
    }
    var kept = typed
    kept.change(along: path) { $0.condition = condition }
    return kept
  }

  /// Returns a comparison of a link with a label, which is not in query syntax: `owner = Ann`.
  private func named(_ linked: LinkedID, _ name: String) -> String {
    "\(linked.path.links.joined(separator: ".")) \(linked.comparison.spelling) "
      + TextWidth.truncated(name, to: Self.maxNameLength)
  }

  /// Returns a condition in query syntax that matches the same entity as `linked`.
  ///
  /// The condition names the entity by its unique label. Without one, it names the row's key or the
  /// entity's id, followed by the label in a comment: `member.id = 3 /* Ann */`.
  private func typed(
    _ linked: LinkedID, _ entity: EntityHandle, in target: String, of catalog: Catalog
  ) -> String {
    let name = catalog.name(of: entity, in: target)
    if let name, let condition = unique(linked, name, in: target) { return condition.text }
    let (label, value) = catalog.identifying(entity, in: target)
    let path = AttributePath(Array(linked.path.links) + [label])
    let text = ConditionNode.compare(path, linked.comparison, value).text
    // Some rows have no other label than their key.
    guard let name, name != "\(label) \(value.plainText)" else { return text }
    return text + " /* \(Self.comment(name)) */"
  }

  private static func comment(_ name: String) -> String {
    TextWidth.truncated(name, to: maxNameLength).replacing("*/", with: "* /")
  }

  /// Returns a condition on the label attribute that matches the same entity as `linked`. Nil if
  /// the label is not unique.
  private func unique(_ linked: LinkedID, _ name: String, in target: String) -> ConditionNode? {
    guard let attribute = schema.labelAttribute(of: target),
      has(EntityID(linked.id), .text(name), of: attribute)
    else { return nil }
    let links = Array(linked.path.links)
    if attribute.isUnique {
      let isShort = schema.label(of: target) == attribute.label
      let path = AttributePath(isShort ? links : links + [attribute.label])
      return .compare(path, linked.comparison, .text(name))
    }
    // In a partly loaded store, entities that are not loaded may have the same name.
    guard !isServed, store.rows(attribute.id, .equal(.text(name))).count == 1 else { return nil }
    return .compare(AttributePath(links + [attribute.label]), linked.comparison, .text(name))
  }

  private func has(_ id: EntityID, _ value: Value, of attribute: Attribute) -> Bool {
    [store, linked?.store].compactMap { $0 }.contains { store in
      store.handle(of: id).flatMap { store.value($0, attribute.id) } == value
    }
  }

  /// Returns the label of the only entity to which a condition requires a link, such as `Ann` for
  /// `author.id = 5`; nil for any other condition.
  ///
  /// In a partly loaded store, the result for an entity that is not loaded is its key or id.
  func source(of condition: ConditionNode, in namespace: String) -> String? {
    guard case .compare(let path, .equal, let value) = condition, !path.isOwn,
      path.expression == nil,
      let target = schema.namespace(from: namespace, along: path.links),
      let attribute = schema.attribute(target, path.label),
      attribute.isUnique || attribute.isIdentity
    else { return nil }
    if case .text(let id) = value, attribute.isIdentity,
      let (entity, catalog) = found(EntityID(id))
    {
      return catalog.label(of: entity, in: target)
    }
    for catalog in [self] + (linked.map { [Catalog(snapshot: $0)] } ?? []) {
      if let entity = catalog.store.rows(attribute.id, .equal(value)).handles.first {
        return catalog.label(of: entity, in: target)
      }
    }
    return isServed ? value.plainText : nil
  }

  /// Returns an entity from the results or from a side query, and the catalog that contains it; nil
  /// if it is not loaded.
  private func found(_ id: EntityID) -> (entity: EntityHandle, catalog: Catalog)? {
    if let entity = store.handle(of: id) { return (entity, self) }
    guard let linked, let entity = linked.store.handle(of: id) else { return nil }
    return (entity, Catalog(snapshot: linked))
  }

  private static let maxNameLength = 40
  private static let maxNamed = 20
}

/// A comparison of a linked entity's id, such as `owner.id = "…"`.
private struct LinkedID: Hashable {
  let path: AttributePath
  let comparison: Comparison
  let id: String

  var condition: ConditionNode { .compare(path, comparison, .text(id)) }
}

extension ConditionNode {
  var namesEntities: Bool { !linkedIDs.isEmpty }

  /// Returns the condition with each part that is equal to `part` replaced.
  fileprivate func replacing(_ part: ConditionNode, with other: ConditionNode) -> ConditionNode {
    if self == part { return other }
    func replaced(_ parts: [ConditionNode]) -> [ConditionNode] {
      parts.map { $0.replacing(part, with: other) }
    }
    switch self {
    case .all(let parts): return .all(replaced(parts))
    case .any(let parts): return .any(replaced(parts))
    case .together(let parts): return .together(replaced(parts))
    case .not(let inner): return .not(inner.replacing(part, with: other))
    case .compare, .isIn, .isNull, .compareFields, .idStartsWith, .quantified, .linkCount:
      return self
    }
  }

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
