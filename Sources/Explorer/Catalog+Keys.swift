import InstaQL
import Triples

// What the rows of a database are called there: by their keys, as their ids are made up here.
extension Catalog {
  /// Whether the entities of a namespace are rows of a table.
  func areRows(_ namespace: String) -> Bool {
    schema.attribute(namespace, "id")?.isColumn == true
  }

  /// What a row is called in its table: its number or its key; nil where none is known, and for what is no
  /// row.
  func key(of entity: EntityHandle, in namespace: String) -> String? {
    guard areRows(namespace) else { return nil }
    return store.id(of: entity).number(in: EntityID.high(of: namespace)).map(String.init)
      ?? keyValue(of: entity, in: namespace)?.value.plainText
  }

  /// The columns that each tell a row from all others.
  private func keyAttributes(of namespace: String) -> [Attribute] {
    schema.attributes(of: namespace).filter { $0.isUnique && $0.column != nil }
  }

  private func keyValue(
    of entity: EntityHandle, in namespace: String
  ) -> (attribute: Attribute, value: Value)? {
    keyAttributes(of: namespace).lazy.compactMap { attribute in
      store.value(entity, attribute.id).flatMap { $0 == .null ? nil : (attribute, $0) }
    }.first
  }

  /// An entity in a word that its store knows: its id, but of a row of a database the key of its table.
  func naming(_ entity: EntityHandle, in namespace: String) -> String {
    guard areRows(namespace) else { return store.id(of: entity).text }
    return key(of: entity, in: namespace) ?? label(of: entity, in: namespace)
  }

  /// What the columns of a database say where a link leads; empty where no column says it.
  func keyColumns(of entity: EntityHandle, _ link: Link) -> [(attribute: Attribute, value: Value)] {
    guard link.direction == .forward else { return [] }
    return schema.attributes(of: link.reversed.target)
      .filter { $0.keyOf == link.attribute.id }
      .compactMap { attribute in store.value(entity, attribute.id).map { (attribute, $0) } }
  }

  /// By what a filter knows an entity that a link leads to: the one column that says where the link
  /// leads, else what is unique to the row, else its id.
  ///
  /// - Parameter told: Knows the entity.
  func finding(
    _ target: EntityHandle, from entity: EntityHandle, _ link: Link, in told: Catalog
  ) -> (path: AttributePath, value: Value) {
    let columns = keyColumns(of: entity, link)
    if columns.count == 1, columns[0].value != .null {
      return (AttributePath([columns[0].attribute.label]), columns[0].value)
    }
    if told.areRows(link.target), let key = told.keyValue(of: target, in: link.target) {
      return (AttributePath([link.label, key.attribute.label]), key.value)
    }
    return (AttributePath([link.label, "id"]), .text(told.store.id(of: target).text))
  }
}

extension Value {
  /// As it stands alone, a text without quotes.
  var plainText: String {
    if case .text(let text) = self { text } else { JSONWriter.text(self) }
  }
}
