import InstaQL
import TerminalUI
import Triples

extension Catalog {
  /// A condition in readable form: linked entities by their labels instead of their ids.
  ///
  /// - Parameter namespace: The namespace of the entities that the condition tests.
  func reading(_ condition: ConditionNode, of namespace: String) -> String {
    condition.linkedIDs.prefix(Self.maxNamed).reduce(condition.text) { text, linked in
      guard let target = schema.namespace(from: namespace, along: Array(linked.path.links)),
        let name = name(of: EntityID(linked.id), in: target), name != linked.id
      else { return text }
      let link = linked.path.links.joined(separator: ".")
      return text.replacing(
        "\(linked.path.dotted) \(linked.sign) \"\(linked.id)\"",
        with: "\(link) \(linked.sign) \(TextWidth.truncated(name, to: Self.maxNameLength))")
    }
  }

  /// An entity's label, from the results of the query or of a side query.
  private func name(of id: EntityID, in namespace: String) -> String? {
    if let entity = store.handle(of: id) { return label(of: entity, in: namespace) }
    guard let linked, let entity = linked.store.handle(of: id) else { return nil }
    return Catalog(snapshot: linked).label(of: entity, in: namespace)
  }

  /// The maximum in columns.
  private static let maxNameLength = 40
  /// More do not fit on a screen.
  private static let maxNamed = 20
}

extension ConditionNode {
  /// The linked entities that the condition names by id, with their path and sign.
  fileprivate var linkedIDs: [(path: AttributePath, sign: String, id: String)] {
    switch self {
    case .compare(let path, .equal, .text(let id)) where !path.isOwn && path.label == "id":
      [(path, "=", id)]
    case .compare(let path, .notEqual, .text(let id)) where !path.isOwn && path.label == "id":
      [(path, "!=", id)]
    case .all(let parts), .any(let parts), .together(let parts): parts.flatMap(\.linkedIDs)
    case .not(let part): part.linkedIDs
    // Paths inside start at another namespace.
    case .quantified: []
    case .compare, .isIn, .isNull, .compareFields, .idStartsWith: []
    }
  }
}
