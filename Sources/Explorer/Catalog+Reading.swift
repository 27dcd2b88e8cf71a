import InstaQL
import TerminalUI
import Triples

extension Catalog {
  /// A condition as one reads it: what has a name is called by it, where the text of the query has the id.
  ///
  /// - Parameter namespace: Of the entities that the condition is about.
  func reading(_ condition: ConditionNode, of namespace: String) -> String {
    condition.linkedIDs.prefix(Self.mostNamed).reduce(condition.text) { text, linked in
      guard let target = schema.namespace(from: namespace, along: Array(linked.path.links)),
        let name = name(of: EntityID(linked.id), in: target), name != linked.id
      else { return text }
      let link = linked.path.links.joined(separator: ".")
      return text.replacing(
        "\(linked.path.dotted) \(linked.sign) \"\(linked.id)\"",
        with: "\(link) \(linked.sign) \(TextWidth.truncated(name, to: Self.longestName))")
    }
  }

  /// What an entity is called, be it known from the query itself or from beside it.
  private func name(of id: EntityID, in namespace: String) -> String? {
    if let entity = store.handle(of: id) { return label(of: entity, in: namespace) }
    guard let linked, let entity = linked.store.handle(of: id) else { return nil }
    return Catalog(snapshot: linked).label(of: entity, in: namespace)
  }

  /// In columns.
  private static let longestName = 40
  /// More have no room on a screen.
  private static let mostNamed = 20
}

extension ConditionNode {
  /// The entities that links must or must not lead to, as the condition names them.
  fileprivate var linkedIDs: [(path: AttributePath, sign: String, id: String)] {
    switch self {
    case .compare(let path, .equal, .text(let id)) where !path.isOwn && path.label == "id":
      [(path, "=", id)]
    case .compare(let path, .notEqual, .text(let id)) where !path.isOwn && path.label == "id":
      [(path, "!=", id)]
    case .all(let parts), .any(let parts), .together(let parts): parts.flatMap(\.linkedIDs)
    case .not(let part): part.linkedIDs
    // Paths inside begin elsewhere.
    case .quantified: []
    case .compare, .isIn, .isNull, .compareFields, .idStartsWith: []
    }
  }
}
