package import Triples

extension Schema {
  /// Returns the path to the id of the entities at the end of the links.
  package func identityPath(
    along links: [String] = [], from namespace: String
  ) -> AttributePath {
    let target = self.namespace(from: namespace, along: links)
    return AttributePath(links + [identityLabel(of: target ?? "")])
  }

  /// Returns the `id` attribute that every object shows: the entity's id, or else a database column
  /// named `id`. Nil if the namespace has neither.
  package func shownID(of namespace: String) -> Attribute? {
    guard let id = attribute(namespace, "id"), id.isIdentity || id.isUnique && id.column != nil
    else { return nil }
    return id
  }

  /// Returns `id` for the label `key`, which earlier versions used for it, to suggest the new name.
  /// Nil for any other label.
  func renamed(_ label: String, in namespace: String) -> String? {
    let isEarlier = label.hasPrefix("key") && label.dropFirst(3).allSatisfy { $0 == "_" }
    return isEarlier && attribute(namespace, "id")?.column != nil ? "id" : nil
  }
}
