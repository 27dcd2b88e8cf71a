package import Triples

/// The type of a column of a database that keeps to its types: how values are bound to it, and as what it
/// is selected.
package struct SQLColumnType: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    case integer
    /// Floating point, NaN and infinities among it.
    case float
    /// Decimal numbers of any length.
    case numeric
    case boolean
    case text
    case uuid
    /// One of these labels.
    case enumeration([String])
    case date
    case timestamp
    case timestamptz
    case json
    /// Lists and composites: shown as JSON, equal to no single value.
    case unordered
    case bytes
    /// Anything else, as its text.
    case other
  }

  package var form: Form
  /// What the server calls the type, as SQL writes it.
  package var name: String
  package var isNullable: Bool
  /// Whether texts are compared byte by byte when they are equal: other collations need another one for
  /// patterns.
  package var isDeterministic: Bool
  /// How rows are ordered by its texts.
  package var textOrder = TextOrder.byDatabase

  package enum TextOrder: Hashable, Sendable {
    /// By the collation of the column: not the order of the language.
    case byDatabase
    /// By a collation that orders as the language does, but for texts that are canonically equivalent, which
    /// follow by their bytes. An index may have it.
    case collated(String)
    /// By such a collation, after texts that are canonically equivalent were made equal.
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

  /// The type of the attribute that the column is; nil where values may be of any.
  package var checkedType: CheckedType? {
    switch form {
    case .integer, .float, .numeric: .number
    case .boolean: .boolean
    case .text, .uuid, .enumeration, .other: .string
    case .date, .timestamp, .timestamptz: .date
    case .json, .unordered, .bytes: nil
    }
  }

  /// What compares its texts where rows are ordered, with the space before it; empty leaves that to the
  /// database.
  var collation: String {
    switch textOrder {
    case .byDatabase: ""
    case .collated(let name), .normalized(let name): " COLLATE " + SQLWriter.quoted(name)
    }
  }

  /// What rows are ordered by, of a text.
  func ordered(_ text: String) -> String {
    if case .normalized = textOrder { return "normalize(\(text))\(collation)" }
    return text + collation
  }

  /// Texts longer than this are cut where a screen shows them.
  private static let maxCharactersShown = 16_384

  /// What selects the column, which is called as given.
  ///
  /// - Parameter isShown: Whether only a screen reads it: long texts are cut, bytes are counted.
  package func selection(of column: String, isShown: Bool) -> String {
    switch form {
    case .integer where name == "pg_catalog.int8", .integer where name == "pg_catalog.int4",
      .integer where name == "pg_catalog.int2":
      column
    case .integer: "\(column)::pg_catalog.int8"
    case .float, .boolean, .uuid, .date, .timestamp, .timestamptz: column
    case .numeric: name == "pg_catalog.money" ? "\(column)::pg_catalog.numeric" : column
    case .text: isShown ? cut("\(column)::text") : "\(column)::text"
    case .enumeration, .json: "\(column)::text"
    case .other: isShown ? cut("\(column)::text") : "\(column)::text"
    case .unordered: "pg_catalog.to_jsonb(\(column))::text"
    case .bytes:
      isShown
        ? "pg_catalog.octet_length(\(column))::text"
        // The first character tells bytes from their number.
        : "'=' || pg_catalog.translate(pg_catalog.encode(\(column), 'base64'), E'\\n', '')"
    }
  }

  private func cut(_ text: String) -> String {
    let most = Self.maxCharactersShown
    return "CASE WHEN pg_catalog.length(\(text)) > \(most) THEN "
      + "pg_catalog.left(\(text), \(most)) || '…' ELSE \(text) END"
  }
}
