package import Triples

/// The type of a PostgreSQL column, which determines how its values are bound and read.
package struct SQLColumnType: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    case integer
    /// Floating-point numbers, including NaN and infinities.
    case float
    /// Decimal numbers of any length.
    case numeric
    case boolean
    case text
    case uuid
    /// An enumeration with these labels.
    case enumeration([String])
    case date
    case timestamp
    case timestamptz
    case json
    /// Lists and composite types, shown as JSON. They cannot be compared.
    case unordered
    case bytes
    /// Any other type. Its values are read as text.
    case other
  }

  package var form: Form
  /// The SQL name of the type.
  package var name: String
  package var isNullable: Bool
  /// Whether the collation is deterministic: texts are equal only if their bytes are equal. Pattern
  /// tests need a deterministic collation.
  package var isDeterministic: Bool
  /// How the column's texts are sorted.
  package var textOrder = TextOrder.byDatabase
  /// For each type, the function that extracts a value of the type from a JSON column. The function
  /// returns NULL for other values. An index may use it.
  package var extractors: [CheckedType: String] = [:]
  /// Whether numbers that no double represents exactly are rounded, in JSON and in `numeric`.
  /// Otherwise such a number is read as text.
  package var roundsLargeNumbers = false

  package enum TextOrder: Hashable, Sendable {
    /// By the column's own collation, which differs from the query language's collation.
    case byDatabase
    /// By this collation. It sorts like the query language, except that canonically equivalent
    /// texts are sorted by their bytes. An index can use it.
    case collated(String)
    /// By this collation, after normalizing the texts. This sorts exactly like the query language.
    case normalized(String)
  }

  package init(
    _ form: Form, name: String, isNullable: Bool = true, isDeterministic: Bool = true
  ) {
    self.form = form
    self.name = name
    self.isNullable = isNullable
    self.isDeterministic = isDeterministic
  }

  /// The type of the attribute that represents the column. Nil if the attribute accepts values of
  /// any type.
  package var checkedType: CheckedType? {
    switch form {
    case .integer, .float, .numeric: .number
    case .boolean: .boolean
    case .text, .uuid, .enumeration, .other: .string
    case .date, .timestamp, .timestamptz: .date
    case .json, .unordered, .bytes: nil
    }
  }

  /// The COLLATE clause for sorting, with a leading space. Empty for the database's own collation.
  var collation: String {
    switch textOrder {
    case .byDatabase: ""
    case .collated(let name), .normalized(let name): " COLLATE " + SQLWriter.quoted(name)
    }
  }

  /// Returns the SQL expression by which rows are sorted by a text expression.
  func ordered(_ text: String) -> String {
    if case .normalized = textOrder { return "normalize(\(text))\(collation)" }
    return text + collation
  }

  /// The maximum number of characters that are read from a text for display.
  private static let maxCharactersShown = 16_384

  /// Returns the SQL expression that reads the column.
  ///
  /// - Parameter isShown: Whether the value is only displayed. If so, long texts are truncated, and
  ///   for bytes only the size is read.
  package func selection(of column: String, isShown: Bool) -> String {
    switch form {
    case .integer where name == "pg_catalog.int8", .integer where name == "pg_catalog.int4",
      .integer where name == "pg_catalog.int2":
      column
    case .integer: "\(column)::pg_catalog.int8"
    case .float, .boolean, .uuid, .date, .timestamp, .timestamptz: column
    case .numeric: name == "pg_catalog.money" ? "\(column)::pg_catalog.numeric" : column
    case .text, .other: isShown ? cut(text(of: column)) : text(of: column)
    case .enumeration, .json: "\(column)::text"
    case .unordered: "pg_catalog.to_jsonb(\(column))::text"
    case .bytes:
      isShown
        ? "pg_catalog.octet_length(\(column))::text"
        // The first character of the result shows whether bytes or only their size follow.
        : "'=' || pg_catalog.translate(pg_catalog.encode(\(column), 'base64'), E'\\n', '')"
    }
  }

  /// Returns the SQL expression for the text of a value, as the server prints it.
  func text(of column: String) -> String {
    // A cast adds the length of the network mask, even if the value is a single host.
    name == "pg_catalog.inet" ? "pg_catalog.abbrev(\(column))" : "\(column)::text"
  }

  private func cut(_ text: String) -> String {
    let maxCharacters = Self.maxCharactersShown
    return "CASE WHEN pg_catalog.length(\(text)) > \(maxCharacters) THEN "
      + "pg_catalog.left(\(text), \(maxCharacters)) || '…' ELSE \(text) END"
  }
}
