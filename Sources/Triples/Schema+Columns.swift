extension Schema {
  /// The attributes of a namespace that are columns of a database table, in table order. Excludes
  /// generated ids and links, but includes foreign key columns. Empty for other namespaces.
  package func columns(of namespace: String) -> [Attribute] {
    attributes(of: namespace).compactMap { attribute in
      attribute.column.map { (attribute, $0.place) }
    }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}
