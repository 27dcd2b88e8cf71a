public import Triples

/// Checks queries before they are sent. The checks, their order and their messages are those of
/// InstantDB's client.
///
/// Without a schema, only the structure is checked. With a schema, the names and the types of
/// values are also checked. The error thrown is the first one in the order of the query's keys.
public struct QueryValidator: Sendable {
  private let schema: Schema?
  private let refusesMisreadDates: Bool

  /// Creates a validator.
  ///
  /// - Parameters:
  ///   - schema: The known namespaces, attributes and links; nil skips the checks that need a
  ///     schema.
  ///   - refusesMisreadDates: Whether to reject dates that are invalid or would be misread.
  ///     InstantDB's client accepts all of them.
  public init(schema: Schema? = nil, refusesMisreadDates: Bool = false) {
    self.schema = schema
    self.refusesMisreadDates = refusesMisreadDates
  }

  /// The allowed options in the `$` object of a namespace.
  static let options = [
    "where", "order", "limit", "last", "first", "offset", "after", "afterInclusive", "before",
    "beforeInclusive", "fields", "aggregate",
  ]

  private static let topOnly = [
    "offset", "before", "beforeInclusive", "after", "afterInclusive", "first", "last",
  ]

  /// Validates an InstaQL query.
  /// - Throws: `QueryError.validation` with the first error.
  public func validate(_ query: Value) throws(QueryError) {
    guard case .object(let object) = query else {
      let suffix = query == .null ? " (null)" : ""
      throw refusal(nil, "Query must be an object, but received: \(query.typeName)\(suffix)")
    }
    for (namespace, form) in object.pairs {
      if case .array = form {
        throw refusal(namespace, "Query keys must be strings, but found key of type: string")
      }
      if namespace == "$$ruleParams" { continue }
      let known = try checkExists(namespace)
      try validateForm(form, of: known, at: namespace, isTop: true)
    }
  }

  /// Returns the namespace in which names are looked up.
  private func checkExists(_ namespace: String) throws(QueryError) -> String {
    guard let schema else { return namespace }
    if let known = schema.namespace(queriedAs: namespace) { return known }
    throw refusal(
      namespace,
      "Entity '\(namespace)' does not exist in schema. Available entities: "
        + QueryValidator.list(schema.namespaces),
      hint: NearestName.hint(namespace: namespace, in: schema))
  }

  private func validateForm(
    _ form: Value, of namespace: String, at path: String, isTop: Bool
  ) throws(QueryError) {
    if case .array(let elements) = form {
      // In JavaScript, a list is an object whose keys are its indexes.
      for place in elements.indices { _ = try checkLink(String(place), of: namespace, at: path) }
      return
    }
    guard case .object(let object) = form else {
      throw refusal(
        path,
        "Query part for entity '\(namespace)' must be an object, but received: \(form.typeName)")
    }
    for (key, value) in object.pairs {
      if key == "$" {
        try validateOptions(value, of: namespace, at: path + ".$", isTop: isTop)
        continue
      }
      let target = try checkLink(key, of: namespace, at: path)
      guard let target, value.isObjectLike else { continue }
      try validateForm(value, of: target, at: path + "." + key, isTop: false)
    }
  }

  /// Checks a link, and returns its target namespace; nil if there is no schema.
  private func checkLink(
    _ label: String, of namespace: String, at path: String
  ) throws(QueryError) -> String? {
    guard let schema else { return nil }
    if let link = schema.link(namespace, label) { return link.target }
    let known = schema.links(of: namespace).map(\.label)
    throw refusal(
      path + "." + label,
      "Link '\(label)' does not exist on entity '\(namespace)'. Available links: "
        + QueryValidator.list(known), hint: NearestName.hint(label, among: known))
  }

  private func validateOptions(
    _ options: Value, of namespace: String, at path: String, isTop: Bool
  ) throws(QueryError) {
    guard options.isObjectLike else {
      throw refusal(
        path,
        "Query parameter '$' must be an object in entity '\(namespace)', but received: "
          + options.typeName)
    }
    let pairs = options.entries
    for (key, _) in pairs where !QueryValidator.options.contains(key) {
      throw refusal(
        path,
        "Invalid query parameter '\(key)' in $ object. Valid parameters are: "
          + "\(QueryValidator.options.joined(separator: ", ")). Found: \(key)",
        hint: NearestName.hint(key, among: QueryValidator.options))
    }
    if !isTop,
      let option = QueryValidator.topOnly.first(where: { option in
        pairs.contains { $0.0 == option }
      })
    {
      throw refusal(
        path,
        "'\(option)' can only be used on top-level namespaces. It cannot be used in nested queries."
      )
    }
    guard let schema, let condition = pairs.first(where: { $0.0 == "where" })?.1, condition.isTruthy
    else { return }
    guard condition.isObjectLike else {
      throw refusal(
        path + ".where",
        "'where' clause must be an object in entity '\(namespace)', but received: "
          + condition.typeName)
    }
    try WhereValidator(schema: schema, refusesMisreadDates: refusesMisreadDates).validate(
      condition, of: namespace, at: path + ".where")
  }

  private func refusal(_ path: String?, _ reason: String, hint: String? = nil) -> QueryError {
    .validation(ValidationFault(path: path, reason: reason, hint: hint))
  }

  static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
