import Triples

extension Catalog {
  /// Returns an SQL INSERT statement for the entity.
  ///
  /// A row of a database gets the columns of its table. Any other entity gets its attributes, and a
  /// column with an id for each to-one link. Columns that are not loaded are named in a comment
  /// after the statement.
  ///
  /// - Parameter sizes: A store in which BLOB values are represented only by their sizes; nil if
  ///   their contents are available as base64.
  func insertion(
    of entity: EntityHandle, _ namespace: String, sizes: TripleStore? = nil
  ) -> String {
    let own = schema.columns(of: namespace).filter { !$0.isGenerated }
    let columns =
      own.isEmpty
      ? freeColumns(of: entity, namespace)
      : own.compactMap {
        attribute -> NamedValue? in
        guard let column = attribute.column, let value = store.value(entity, attribute.id),
          !value.isCountOfBytes
        else { return nil }
        if sizes?.value(entity, attribute.id)?.isCountOfBytes == true,
          case .text(let text) = value, let bytes = SQLText.bytes(text)
        {
          return (column.name, bytes)
        }
        return (column.name, SQLText.literal(value))
      }
    let unread = own.filter { store.value(entity, $0.id)?.isCountOfBytes == true }
      .compactMap(\.column?.name)
    let remark =
      unread.isEmpty
      ? ""
      : " -- without " + SQLText.comment(unread.joined(separator: ", "))
        + ": bytes are not loaded"
    return "INSERT INTO \(SQLText.name(namespace)) ("
      + columns.map { SQLText.name($0.name) }.joined(separator: ", ") + ") VALUES ("
      + columns.map(\.value).joined(separator: ", ") + ");" + remark
  }

  private typealias NamedValue = (name: String, value: String)

  /// Returns the columns of an entity that is not a row of a database.
  private func freeColumns(of entity: EntityHandle, _ namespace: String) -> [NamedValue] {
    var columns: [NamedValue] = []
    for attribute in schema.attributes(of: namespace) {
      let value =
        attribute.isIdentity ? .text(store.id(of: entity).text) : store.value(entity, attribute.id)
      if let value { columns.append((attribute.label, SQLText.literal(value))) }
    }
    for link in schema.links(of: namespace)
    where link.direction == .forward && link.cardinality == .one {
      guard let linked = targets(of: entity, link), let target = linked.entities.first else {
        continue
      }
      columns.append((link.label, SQLText.literal(.text(linked.catalog.store.id(of: target).text))))
    }
    return columns
  }
}

enum SQLText {
  /// Returns a name in double quotes, since it may be a keyword.
  static func name(_ text: String) -> String { "\"" + text.escaping("\"", as: "\"\"") + "\"" }

  static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .bool(let flag): flag ? "TRUE" : "FALSE"
    // JSON has no infinity, so an infinite value was read as the greatest finite number.
    case .double(.greatestFiniteMagnitude): "9e999"
    case .double(-.greatestFiniteMagnitude): "-9e999"
    case .integer, .double: JSONWriter.text(value)
    case .text(let text): quoted(text)
    case .array, .object: quoted(JSONWriter.text(value))
    }
  }

  /// Returns the text as a comment that extends to the end of the line.
  static func comment(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

  /// Returns a text in quotes. A NUL would end the statement, so it is written as a function call.
  private static func quoted(_ text: String) -> String {
    "'" + text.escaping("'", as: "''").escaping("\0", as: "'||char(0)||'") + "'"
  }
}
