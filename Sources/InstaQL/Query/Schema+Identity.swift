package import Triples

extension Schema {
  /// Returns the path along links to the identity of the entities at their end.
  package func identityPath(
    along links: [String] = [], from namespace: String
  ) -> AttributePath {
    let target = links.reduce(namespace) { link($0, $1)?.target ?? "" }
    return AttributePath(links + [identityLabel(of: target)])
  }

  /// Returns the attribute `id` that is part of every object: the identity, or a database's own
  /// key.
  package func shownID(of namespace: String) -> Attribute? {
    guard let id = attribute(namespace, "id"), id.isIdentity || id.isUnique && id.column != nil
    else { return nil }
    return id
  }

  /// Returns the name of the field that was called `key` in earlier versions; nil for other names.
  func renamed(_ label: String, in namespace: String) -> String? {
    let isEarlier = label.hasPrefix("key") && label.dropFirst(3).allSatisfy { $0 == "_" }
    return isEarlier && attribute(namespace, "id")?.column != nil ? "id" : nil
  }
}
