import InstaQL
import Triples

// Rows of a database are identified by their keys, since their entity ids are synthetic.
extension Catalog {
  /// Returns whether the entities of a namespace are rows of a database table.
  func areRows(_ namespace: String) -> Bool { schema.identity(of: namespace)?.isColumn == true }

  /// Returns the key of a database row as text, such as `5`.
  ///
  /// Nil if the key is not loaded, or if the entity is not a database row.
  func key(of entity: EntityHandle, in namespace: String) -> String? {
    guard areRows(namespace) else { return nil }
    return store.id(of: entity).number(in: EntityID.high(of: namespace)).map(String.init)
      ?? keyValue(of: entity, in: namespace)?.value.plainText
  }

  /// Returns the key of a row for its label. Nil if it is a UUID, which is not readable.
  ///
  /// - Parameter isWhole: Whether a long key is complete instead of cut for the screen.
  func labelKey(of entity: EntityHandle, in namespace: String, isWhole: Bool) -> String? {
    guard let key = key(of: entity, in: namespace), !EntityID(key).isUUID else { return nil }
    return isWhole || key.count <= Self.maxKeyLength ? key : key.prefix(Self.cutKeyLength) + "…"
  }

  private static let maxKeyLength = 12
  private static let cutKeyLength = 8

  /// Returns the columns whose values are unique, so that each of them can serve as a key.
  func keyAttributes(of namespace: String) -> [Attribute] {
    schema.attributes(of: namespace).filter { $0.isUnique && $0.column != nil }
  }

  /// Returns whether an attribute is a key whose values are UUIDs, which are not readable.
  func isOpaqueKey(_ attribute: Attribute) -> Bool {
    guard attribute.isUnique, let column = attribute.column else { return false }
    return column.type == "uuid" || hasUUIDs(attribute)
  }

  private func keyValue(
    of entity: EntityHandle, in namespace: String
  ) -> (attribute: Attribute, value: Value)? {
    keyAttributes(of: namespace).lazy.compactMap { attribute in
      store.value(entity, attribute.id).flatMap { $0 == .null ? nil : (attribute, $0) }
    }.first
  }

  /// Returns the key of a database row, or the id of any other entity. For a row without a key,
  /// returns the row's label.
  func displayID(of entity: EntityHandle, in namespace: String) -> String {
    guard areRows(namespace) else { return store.id(of: entity).text }
    return key(of: entity, in: namespace) ?? label(of: entity, in: namespace)
  }

  /// Returns the values of the foreign key columns behind a link; empty if no column stores the
  /// link.
  func keyColumns(of entity: EntityHandle, _ link: Link) -> [(attribute: Attribute, value: Value)] {
    schema.keyAttributes(behind: link)
      .compactMap { attribute in store.value(entity, attribute.id).map { (attribute, $0) } }
  }

  /// Returns whether a link has no target, because the row's foreign key is known to be NULL.
  func hasNullKey(_ entity: EntityHandle, _ link: Link) -> Bool {
    // A staged change of the link does not change the column.
    keyColumns(of: entity, link).contains { $0.value == .null }
      && store.targets(entity, link).isEmpty
  }

  /// Returns the foreign key of a link as text; nil if the link has none or a part of it is null.
  func keyText(of entity: EntityHandle, _ link: Link) -> String? {
    let key = keyColumns(of: entity, link).map(\.value)
    if key.isEmpty || key.contains(.null) { return nil }
    return key.map(\.plainText).joined(separator: ", ")
  }

  /// Returns the attribute path and the value for a filter that finds the target of a link.
  ///
  /// The path is the foreign key column if there is exactly one. Otherwise the path follows the
  /// link to a unique column of the target or to the target's id.
  ///
  /// - Parameter owner: A catalog that contains the target.
  func finding(
    _ target: EntityHandle, from entity: EntityHandle, _ link: Link, in owner: Catalog
  ) -> (path: AttributePath, value: Value) {
    let columns = keyColumns(of: entity, link)
    if columns.count == 1, columns[0].value != .null {
      return (AttributePath([columns[0].attribute.label]), columns[0].value)
    }
    let (label, value) = owner.identifying(target, in: link.target)
    return (AttributePath([link.label, label]), value)
  }

  /// Returns the attribute label and the value with which a filter finds an entity. For a database
  /// row these are its key, otherwise its id.
  func identifying(_ entity: EntityHandle, in namespace: String) -> (label: String, value: Value) {
    if areRows(namespace), let key = keyValue(of: entity, in: namespace) {
      return (key.attribute.label, key.value)
    }
    return (schema.identityLabel(of: namespace), .text(store.id(of: entity).text))
  }

  /// Returns what ``identifying(_:in:)`` returns, or the unique label of a database row whose key is
  /// not readable.
  func readablyIdentifying(
    _ entity: EntityHandle, in namespace: String
  ) -> (label: String, value: Value) {
    let key = identifying(entity, in: namespace)
    guard areRows(namespace), let attribute = schema.attribute(namespace, key.label),
      isOpaqueKey(attribute), let label = schema.labelAttribute(of: namespace), label.isUnique,
      case .text(let name)? = store.value(entity, label.id), !name.isBlank
    else { return key }
    return (label.label, .text(name))
  }

  func plan(ofRows ids: some Sequence<EntityID>, in namespace: String) -> QueryPlan {
    QueryPlan(namespace).filter(schema.condition(matching: ids, in: namespace))
  }
}

extension Schema {
  /// Returns the foreign key columns behind a link; empty if no column stores the link.
  func keyAttributes(behind link: Link) -> [Attribute] {
    guard link.direction == .forward else { return [] }
    return attributes(of: link.reversed.target).filter { $0.keyOf == link.attribute.id }
  }

  func condition(matching entity: EntityID, in namespace: String) -> ConditionNode {
    .compare(identityPath(from: namespace), .equal, .text(entity.text))
  }

  func condition(
    matching entities: some Sequence<EntityID>, in namespace: String
  ) -> ConditionNode {
    .isIn(identityPath(from: namespace), entities.map { .text($0.text) })
  }
}

extension Value {
  /// The value as plain text, without quotes.
  var plainText: String {
    if case .text(let text) = self { text } else { JSONWriter.text(self) }
  }
}
