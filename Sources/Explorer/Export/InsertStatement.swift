import InstaQL
import Triples

extension Catalog {
  /// The entity as a statement of SQL: a row of a database with the columns of its table, any other with
  /// its attributes, where a link to one is a column with its id. What is not known of the row is named
  /// in a comment behind the statement.
  ///
  /// - Parameter counted: Where bytes are only counted that are given in base64 here; nil where none are
  ///   given.
  func insertion(
    of entity: EntityHandle, _ namespace: String, counted: TripleStore? = nil
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
        if counted?.value(entity, attribute.id)?.isCountOfBytes == true,
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
        + ": bytes are not read here"
    return "INSERT INTO \(SQLText.name(namespace)) ("
      + columns.map { SQLText.name($0.name) }.joined(separator: ", ") + ") VALUES ("
      + columns.map(\.value).joined(separator: ", ") + ");" + remark
  }

  private typealias NamedValue = (name: String, value: String)

  /// The columns of an entity that no database says the columns of.
  private func freeColumns(of entity: EntityHandle, _ namespace: String) -> [NamedValue] {
    var columns: [NamedValue] = []
    for attribute in schema.attributes(of: namespace) where attribute.valueType == .blob {
      let value =
        attribute.isIdentity ? .text(store.id(of: entity).text) : store.value(entity, attribute.id)
      if let value { columns.append((attribute.label, SQLText.literal(value))) }
    }
    for link in schema.links(of: namespace)
    where link.direction == .forward && link.cardinality == .one {
      guard let told = targets(of: entity, link), let target = told.entities.first else { continue }
      columns.append((link.label, SQLText.literal(.text(told.catalog.store.id(of: target).text))))
    }
    return columns
  }
}

/// Names and values as SQL writes them.
enum SQLText {
  /// In quotes, as it may be a word of the language's own.
  static func name(_ text: String) -> String {
    "\"" + text.escaping("\"", as: "\"\"") + "\""
  }

  static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .bool(let flag): flag ? "TRUE" : "FALSE"
    // As it was read: JSON has no infinity.
    case .double(.greatestFiniteMagnitude): "9e999"
    case .double(-.greatestFiniteMagnitude): "-9e999"
    case .integer, .double: JSONWriter.text(value)
    case .text(let text): quoted(text)
    case .array, .object: quoted(JSONWriter.text(value))
    }
  }

  /// Words that end nowhere but at the end of their line.
  static func comment(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  /// In quotes; a NUL ends a statement wherever it stands, so it is written as what makes it.
  private static func quoted(_ text: String) -> String {
    "'" + text.escaping("'", as: "''").escaping("\0", as: "'||char(0)||'") + "'"
  }
}
