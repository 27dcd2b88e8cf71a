extension Schema {
  /// The attributes of a namespace that are columns of a table of a database, as the table has them: no
  /// id, which is made up for it, and no links, but the columns that they are made of. Empty where the
  /// namespace is no table.
  package func columns(of namespace: String) -> [Attribute] {
    attributes(of: namespace).compactMap { attribute in
      attribute.column.map { (attribute, $0.place) }
    }.sorted { $0.1 < $1.1 }.map(\.0)
  }
}
