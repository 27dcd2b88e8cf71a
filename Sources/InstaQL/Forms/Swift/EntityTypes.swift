public import Triples

/// Generates Swift types for the entities of a store, for typed queries.
public enum EntityTypes {
  /// Returns a Swift file with a `QueryEntity` for each namespace of `schema`.
  ///
  /// A required attribute becomes a non-optional property. Any other attribute becomes an optional
  /// property. A link becomes a property that reads the linked entities if the query includes them.
  public static func swiftSource(for schema: Schema) -> String {
    SwiftEntities(schema, store: nil).source
  }

  /// Returns a Swift file with a `QueryEntity` for each namespace of a store.
  ///
  /// The types also depend on the stored values: whether all numbers of an attribute are integers,
  /// and which type the values of an untyped attribute have.
  ///
  /// - Complexity: O(values of attributes without a definite type).
  public static func swiftSource(for store: TripleStore) -> String {
    SwiftEntities(store.schema, store: store).source
  }
}

private struct SwiftEntities {
  private let schema: Schema
  private let store: TripleStore?
  private var types: [String: String] = [:]

  init(_ schema: Schema, store: TripleStore?) {
    self.schema = schema
    self.store = store
    var names = SwiftNames()
    for namespace in schema.namespaces { types[namespace] = names.type(namespace) }
  }

  var source: String {
    let head = """
      // The entities of a store as Swift types, written by `sonde schema --format swift`.
      // Rename and shorten as you like: only the names in quotes are the store's.

      import InstaQL
      import Triples

      """
    return ([head] + schema.namespaces.map(entity)).joined(separator: "\n")
  }

  private struct Property {
    var name: String
    var label: String
    var type: String
    var isRequired: Bool
  }

  private func entity(_ namespace: String) -> String {
    var names = SwiftNames(taken: ["row"])
    let attributes = schema.attributes(of: namespace).map { attribute in
      Property(
        name: names.property(attribute.label), label: attribute.label,
        type: type(of: attribute), isRequired: attribute.isRequired || attribute.isIdentity)
    }
    let links = schema.links(of: namespace).map { link in
      (name: names.property(link.label), link: link)
    }
    var lines = [
      "/// An entity of \(SwiftSpelling.literal(namespace)).",
      "struct \(types[namespace] ?? "Entity"): QueryEntity {",
      "  struct Fields: Sendable {",
    ]
    for property in attributes {
      let label = SwiftSpelling.literal(property.label)
      lines.append("    let \(property.name) = Field<\(property.type)>(\(label))")
    }
    for (name, link) in links {
      let label = SwiftSpelling.literal(link.label)
      lines.append("    let \(name) = LinkField<\(types[link.target] ?? "AnyEntity")>(\(label))")
    }
    lines += [
      "  }", "", "  static let namespace = \(SwiftSpelling.literal(namespace))",
      "  static let fields = Fields()", "",
    ]
    lines += attributes.map { "  let \($0.name): \($0.type)\($0.isRequired ? "" : "?")" }
    lines += [
      "  /// The row that was read, with the links that the query followed.", "  let row: DataRow",
      "",
    ]
    lines += ["  init(row: DataRow) throws(QueryError) {", "    self.row = row"]
    lines += attributes.map { property in
      let call = property.isRequired ? "value" : "optional"
      return "    \(property.name) = try row.\(call)(Self.fields.\(property.name))"
    }
    lines.append("  }")
    for (name, link) in links { lines += method(name, link) }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private func method(_ name: String, _ link: Link) -> [String] {
    let target = types[link.target] ?? "AnyEntity"
    let isOne = link.cardinality == .one
    return [
      "",
      "  /// \(isOne ? "Nil when there is none" : "In the order of the query"); throws when the "
        + "query does not follow the link.",
      "  func \(name)() throws(QueryError) -> \(isOne ? target + "?" : "[\(target)]") {",
      "    try row.related(Self.fields.\(name))\(isOne ? ".first" : "")", "  }",
    ]
  }

  // MARK: Types of values

  private func type(of attribute: Attribute) -> String {
    if attribute.isIdentity { return "EntityID" }
    switch attribute.checkedType {
    case .string: return "String"
    case .boolean: return "Bool"
    case .date: return "Instant"
    case .number: return seen(attribute) == ["Int"] ? "Int" : "Double"
    case nil: break
    }
    let types = seen(attribute)
    if types.count == 1, let only = types.first { return only }
    if types == ["Int", "Double"] { return "Double" }
    return types.isEmpty ? inferred(attribute) : "Value"
  }

  private func inferred(_ attribute: Attribute) -> String {
    guard let types = attribute.inferredTypes, types.count == 1 else { return "Value" }
    switch types[0] {
    case "string": return "String"
    case "number": return "Double"
    case "boolean": return "Bool"
    default: return "Value"
    }
  }

  /// Returns the Swift type names of an attribute's stored values; empty without a store.
  private func seen(_ attribute: Attribute) -> Set<String> {
    guard let store else { return [] }
    var types: Set<String> = []
    for entity in store.rows(of: attribute.namespace).handles {
      switch store.value(entity, attribute.id) {
      case nil, .null: break
      case .integer: types.insert("Int")
      case .double: types.insert("Double")
      case .bool: types.insert("Bool")
      case .text: types.insert("String")
      case .array, .object: types.insert("Value")
      }
    }
    return types
  }
}
