import Triples

/// Finds the rows that a transaction changes, and reads their current values.
protocol RowFinding {
  /// The rowid or key that finds a row in its table.
  associatedtype Locator: Hashable, Sendable
  /// A value as the database stores it.
  associatedtype Cell: Sendable

  static var null: Cell { get }
  var shape: SchemaMapping { get }

  /// Returns the locator of a row; nil if the row does not exist.
  ///
  /// - Throws: ``DatabaseWriteError`` if rows of the namespace cannot be changed.
  func number(of name: RowReference) throws -> Locator?

  /// Returns the row that a reference identifies in a namespace; nil if a lookup finds no row.
  func name(of reference: EntityReference, in namespace: String) throws -> RowReference?

  /// Returns the value of a row; bytes are represented by their size.
  func value(of attribute: Attribute, at number: Locator) throws -> Value

  /// Returns whether the value is a text that can be shown only in part, such as invalid UTF-8.
  func isOtherText(_ attribute: Attribute, at number: Locator) throws -> Bool

  /// Returns whether the value is an object that stands for bytes, although the column may also
  /// contain objects.
  func holdsBytes(_ attribute: Attribute, at number: Locator) throws -> Bool

  /// Returns the values of several attributes of one namespace.
  func values(of attributes: [Attribute], in name: String, at number: Locator) throws -> [Value]

  /// Returns the target of a foreign key; nil for a broken reference.
  func target(of link: DatabaseNames.Link, at number: Locator) throws -> EntityID?

  /// Converts a value for the column of an attribute.
  func databaseValue(_ value: Value, of attribute: Attribute) throws -> Cell

  /// Converts a value for the column of an attribute, to replace the value of an existing row.
  func databaseValue(
    _ value: Value, of attribute: Attribute, at number: Locator
  ) throws -> Cell

  /// Converts an earlier value of a column, for an undo. The value may have another type than the
  /// column.
  ///
  /// - Parameter cell: The form in which the column contained the value; nil if it is unknown.
  func earlierValue(
    _ value: Value, of attribute: Attribute, from cell: ColumnValue?
  ) throws -> Cell
}

extension RowFinding {
  func holdsBytes(_ attribute: Attribute, at number: Locator) -> Bool { false }

  func databaseValue(
    _ value: Value, of attribute: Attribute, at number: Locator
  ) throws -> Cell {
    try databaseValue(value, of: attribute)
  }

  /// Returns the column that stores an attribute's values, and the namespace of the column's table.
  func column(
    of attribute: Attribute
  ) -> (column: DatabaseCatalog.Column, namespace: DatabaseNames.Namespace)? {
    guard let namespace = shape.names.namespace(attribute.namespace),
      let value = namespace.values.first(where: { $0.attribute.id == attribute.id })
    else { return nil }
    return (value.column, namespace)
  }
}
