import Triples

/// Checks the names and values of a `where` object against a schema.
struct WhereValidator {
  let schema: Schema
  let refusesMisreadDates: Bool

  func validate(_ condition: Value, of namespace: String, at path: String) throws(QueryError) {
    for (key, value) in condition.entries {
      if key == "or" || key == "and" {
        guard case .array(let elements) = value else { continue }
        for element in elements where element.isObjectLike {
          try validate(
            element, of: namespace, at: "\(path).\(key)[\(element.javaScriptText)]")
        }
      } else {
        let place = Place(namespace: namespace, field: key, path: path + "." + key)
        try validateField(key, value, place)
      }
    }
  }

  /// The position of a value, for messages.
  struct Place {
    var namespace: String
    var field: String
    var path: String

    func refusal(_ reason: String, hint: String? = nil, at operation: String? = nil) -> QueryError {
      let path = operation.map { self.path + "." + $0 } ?? self.path
      return .validation(ValidationFault(path: path, reason: reason, hint: hint))
    }
  }

  private func validateField(_ key: String, _ value: Value, _ place: Place) throws(QueryError) {
    if key == schema.identityLabel(of: place.namespace) {
      return try validateValue(value, .identity, place)
    }
    // The parser of the query checks the operand of this key.
    if key == ConditionNode.idStartsWithKey { return }
    if key.contains(".") { return try validateDotted(value, place) }
    if let attribute = blob(place.namespace, key) {
      return try validateValue(value, Expectation(attribute), place)
    }
    if schema.link(place.namespace, key) != nil {
      try checkIdentifier(value, "link '\(key)'", of: place.namespace, place)
      return try validateValue(value, .identity, place)
    }
    let attributes = attributeNames(place.namespace)
    let links = schema.links(of: place.namespace).map(\.label)
    throw place.refusal(
      "Attribute or link '\(key)' does not exist on entity '\(place.namespace)'. "
        + "Available attributes: \(QueryValidator.list(attributes)). "
        + "Available links: \(QueryValidator.list(links))",
      hint: NearestName.hint(
        schema.renamed(key, in: place.namespace) ?? key, among: attributes + links + ["id"]))
  }

  private func validateDotted(_ value: Value, _ place: Place) throws(QueryError) {
    let path = AttributePath(place.field)
    let (links, namespace) = schema.follow(path.links, from: place.namespace)
    guard links.count == path.links.count else {
      let label = path.labels[links.count]
      let known = schema.links(of: namespace).map(\.label)
      throw place.refusal(
        "Link '\(label)' does not exist on entity '\(namespace)' in dot notation path "
          + "'\(path)'. Available links: \(QueryValidator.list(known))",
        hint: NearestName.hint(label, among: known))
    }
    if path.label == ConditionNode.idStartsWithKey { return }
    if path.label == schema.identityLabel(of: namespace) {
      try checkIdentifier(value, "id field", of: namespace, place)
      return try validateValue(value, .identity, place)
    }
    if schema.link(namespace, path.label) != nil {
      try checkIdentifier(value, "link '\(path.label)'", of: namespace, place)
      return try validateValue(value, .identity, place)
    }
    guard let attribute = blob(namespace, path.label) else {
      let known = attributeNames(namespace)
      throw place.refusal(
        "Attribute '\(path.label)' does not exist on entity '\(namespace)' in dot notation path "
          + "'\(path)'. Available attributes: \(Self.withID(known).joined(separator: ", "))",
        hint: NearestName.hint(
          schema.renamed(path.label, in: namespace) ?? path.label, among: known))
    }
    try validateValue(value, Expectation(attribute), place)
  }

  private func checkIdentifier(
    _ value: Value, _ what: String, of namespace: String, _ place: Place
  ) throws(QueryError) {
    guard case .text(let text) = value, !Identifiers.isUUID(text) else { return }
    throw place.refusal(
      "Invalid value for \(what) in entity '\(namespace)'. Expected a UUID, but received: \(text)")
  }

  private func blob(_ namespace: String, _ label: String) -> Attribute? {
    guard let attribute = schema.attribute(namespace, label), attribute.valueType == .blob,
      !attribute.isIdentity
    else { return nil }
    return attribute
  }

  private func attributeNames(_ namespace: String) -> [String] {
    schema.attributes(of: namespace).filter { !$0.isIdentity }.map(\.label)
  }

  private static func withID(_ known: [String]) -> [String] {
    known.contains("id") ? known : known + ["id"]
  }
}
