import Triples

extension Catalog {
  /// Returns the message with the label of each known entity added after the entity's id.
  func addingLabels(toIDsIn message: String) -> String {
    var result = ""
    var rest = message[...]
    while let match = rest.firstMatch(of: Self.uuid) {
      result += rest[..<match.range.upperBound]
      if let label = label(of: EntityID(String(match.output.0).lowercased())) {
        result += " (\(label))"
      }
      rest = rest[match.range.upperBound...]
    }
    return result + rest
  }

  private static var uuid: Regex<(Substring, Substring)> {
    /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/
  }

  /// Returns the entities whose ids occur in a message.
  static func entities(in message: String) -> [EntityID] {
    message.matches(of: uuid).map { EntityID(String($0.output.0).lowercased()) }
  }

  /// Returns the entity's label in the first namespace that contains it; nil if the entity is
  /// unknown.
  private func label(of id: EntityID) -> String? {
    guard let entity = store.handle(of: id) else { return nil }
    let identity = schema.attributes.first { $0.isIdentity && store.value(entity, $0.id) != nil }
    guard let identity else { return nil }
    let label = label(of: entity, in: identity.namespace)
    return label == id.text ? nil : label
  }
}
