public import Triples

/// One entity of an answer, with the values that the query selected. A `QueryEntity` is created
/// from a row.
///
/// Values are read from the snapshot on access. Fields that the query did not select are missing.
public struct DataRow: Sendable {
  let level: RowLevel
  let place: Int

  var entity: EntityHandle { level.entities[place] }

  /// The id of the entity.
  public var id: EntityID { level.store.id(of: entity) }

  /// The namespace of the entity; for a nested row, the target of the link.
  public var namespace: String { level.namespace }

  /// The names of the selected attributes, sorted.
  public var names: [String] { level.attributes.keys.sorted() }

  /// The value of a field; nil when it is missing, null or not selected.
  public subscript(name: String) -> Value? {
    guard let attribute = level.attributes[name] else { return nil }
    let value = level.store.value(entity, attribute.id)
    return value == .null ? Value?.none : value
  }

  /// Returns the value of a field.
  /// - Throws: `decoding` when the value is missing, null, or of another type.
  public func value<V>(_ field: Field<V>) throws(QueryError) -> V {
    guard let value = try optional(field) else {
      let reason =
        level.attributes[field.name] == nil
        ? "the answer does not contain this field"
        : "expected \(V.queryTypeName), but the value is missing or null"
      throw .decoding(path: path(field.name), reason: reason)
    }
    return value
  }

  /// Returns the value of a field; nil when it is missing or null.
  /// - Throws: `decoding` when the value is of another type.
  public func optional<V>(_ field: Field<V>) throws(QueryError) -> V? {
    guard let found = self[field.name] else { return nil }
    guard let value = V(queryValue: found) else {
      throw .decoding(
        path: path(field.name),
        reason: "expected \(V.queryTypeName), found \(found.kindName)")
    }
    return value
  }

  /// Returns the value of a declared field; see `value(_:)`.
  public func value<E: QueryEntity, V>(
    _ field: KeyPath<E.Fields, Field<V>>, of entity: E.Type
  ) throws(QueryError) -> V {
    try value(E.fields[keyPath: field])
  }

  /// Returns the optional value of a declared field; see `optional(_:)`.
  public func optional<E: QueryEntity, V>(
    _ field: KeyPath<E.Fields, Field<V>>, of entity: E.Type
  ) throws(QueryError) -> V? {
    try optional(E.fields[keyPath: field])
  }

  /// Returns whether the query includes this link.
  public func follows(_ label: String) -> Bool { level.relationLabels.contains(label) }

  /// Returns whether the query includes this link.
  public func follows<T>(_ link: LinkField<T>) -> Bool { follows(link.name) }

  /// Returns the linked entities as rows, with the filter and order of the query.
  /// - Throws: `noRelation` when the query does not include the link.
  public func related(_ label: String) throws(QueryError) -> [DataRow] {
    guard let rows = level.related(label, of: place) else {
      throw .noRelation(label: label, namespace: namespace)
    }
    return rows
  }

  /// Returns the linked entities, with the filter and order of the query.
  /// - Throws: `noRelation` when the query does not include the link, and the errors of the
  ///   entities' initializers.
  public func related<T>(_ link: LinkField<T>) throws(QueryError) -> [T] {
    var entities: [T] = []
    for row in try related(link.name) { entities.append(try T(row: row)) }
    return entities
  }

  /// Returns the position of a field for error messages, such as `cities/ID.name`.
  private func path(_ name: String) -> String { "\(namespace)/\(id.text).\(name)" }
}

extension DataRow: Equatable {
  /// Returns whether two rows have equal values, including the values of included links.
  public static func == (a: DataRow, b: DataRow) -> Bool {
    guard a.id == b.id, a.namespace == b.namespace,
      a.level.attributes.keys == b.level.attributes.keys,
      a.level.relationLabels == b.level.relationLabels
    else { return false }
    return a.level.attributes.keys.allSatisfy { a[$0] == b[$0] }
      && a.level.relationLabels.allSatisfy {
        a.level.related($0, of: a.place) == b.level.related($0, of: b.place)
      }
  }
}
