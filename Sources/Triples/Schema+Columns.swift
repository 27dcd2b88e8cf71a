extension Schema {
  /// Returns the attributes of a namespace that are columns of a database table, in table order.
  ///
  /// They include foreign-key columns, but not generated ids or links. The list is empty for other
  /// namespaces.
  package func columns(of namespace: String) -> [Attribute] {
    attributes(of: namespace).compactMap { attribute in
      attribute.column.map { (attribute, $0.place) }
    }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}
