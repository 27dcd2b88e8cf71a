public import Triples

/// An SQL statement: its text, and the values to bind by number.
public struct SQLStatement: Hashable, Sendable {
  /// The statement, with the placeholders of the dialect.
  public let text: String
  /// The values to bind, ordered by the number of their placeholder; without null, lists and
  /// objects.
  public let values: [Value]

  package init(text: String, values: [Value] = []) {
    self.text = text
    self.values = values
  }
}

/// The names of tables and columns for the entities, attributes and links of a schema. A namespace
/// is a table and an attribute is a column. A to-one link is a column with the target's key; a
/// to-many link is a join table. By default, the names equal the names in the schema.
public struct SQLNames: Hashable, Sendable {
  /// A join table, which contains the links of one to-many link attribute as pairs of keys.
  public struct Pairs: Hashable, Sendable {
    /// The name of the join table.
    public var table: String
    /// The column with the key of the link's source.
    public var source: String
    /// The column with the key of the link's target.
    public var target: String

    /// Creates a join table.
    public init(table: String, source: String = "source", target: String = "target") {
      self.table = table
      self.source = source
      self.target = target
    }
  }

  /// The names of tables by namespace.
  public var tables: [String: String] = [:]
  /// The names of columns by attribute; for a to-one link the column with the target's key.
  public var columns: [AttributeID: String] = [:]
  /// The join tables by link; the default name is `NAMESPACE_LABEL`.
  public var pairs: [AttributeID: Pairs] = [:]
  /// The column with an entity's id in every table.
  public var key = "id"
  /// The column with the creation time; nil sorts entities by key instead.
  public var creation: String?
  /// The collation for sorting; nil for the database's own.
  public var collation: String?

  /// The columns that identify the rows of each namespace, if no column contains their ids. If any
  /// namespace is listed, others cannot be queried.
  package var rowKeys: [String: SQLRowKey] = [:]
  /// Whether the key column contains ordinary values of any type instead of entity ids.
  package var isPlainKey = false
  /// The columns that join the tables of a link, if the link does not join on keys.
  package var joins: [AttributeID: SQLJoin] = [:]
  /// The qualified names of tables with their schema, by namespace.
  package var qualified: [String: String] = [:]
  /// The types of columns in a database with strict types; empty otherwise.
  package var types: [AttributeID: SQLColumnType] = [:]
  /// The tables that contain the values of attributes one per row, as expressions. Their columns
  /// are `id`, the key of the entity, and `value`. Conditions on such an attribute use the table,
  /// so that its indexes can be used.
  package var cells: [AttributeID: String] = [:]
  /// Whether columns are strictly typed.
  package var isTyped = false
  /// The large namespaces. Their rows are only sorted in an order that an index provides.
  package var large: Set<String> = []
  /// Whether a database with strict types uses Unicode. Its texts can then be compared as in the
  /// query language.
  package var isUnicode = true
  /// The SQL function that converts a date to milliseconds; nil compares dates as texts.
  package var instants: String?
  /// Whether a column can contain values of other types than its own, as in SQLite.
  package var isLoose = false

  /// Creates names that equal the names in the schema.
  public init() {}

  func table(_ namespace: String) -> String { tables[namespace] ?? namespace }

  func column(_ attribute: Attribute) -> String { columns[attribute.id] ?? attribute.label }

  func pairs(_ attribute: Attribute) -> Pairs {
    pairs[attribute.id] ?? Pairs(table: attribute.namespace + "_" + attribute.label)
  }
}

/// The columns that identify a table's rows, and how entity ids are derived from them.
package struct SQLRowKey: Hashable, Sendable {
  /// The columns that identify a row, in the order of creation: the rowid or the primary key.
  package var locator: [Column]
  /// The function that returns a row's id as a text for the namespace, rowid and key. Nil if SQL
  /// cannot compute it.
  package var function: String?
  /// The key columns to pass to the function.
  package var columns: [String]
  /// The upper half of all ids, if their lower half is the rowid in its order; nil for other ids.
  package var high: UInt64?

  /// Whether the single locator column contains the ids.
  package var isUUID = false
  /// The memory of row keys, for ids from which the key cannot be computed.
  package var memory: KeyMemory?

  /// Returns the locator of the row with an id; nil if none is known.
  package func locator(of id: EntityID) -> [String]? {
    if let high { return id.number(in: high).map { [String($0)] } }
    if isUUID { return id.isUUID ? [id.text] : nil }
    return memory?.key(of: id)
  }

  /// Returns whether `locator(of:)` finds every existing row. An id without a locator then has no
  /// row.
  package func canFind(_ ids: [EntityID]) -> Bool { high != nil || isUUID || ids.isEmpty }

  /// A column of a locator.
  package struct Column: Hashable, Sendable {
    /// The column's name as it appears in SQL.
    package var name: String
    /// The type to which bound values are cast; empty for none.
    package var type: String

    package init(_ name: String, type: String = "") {
      self.name = name
      self.type = type
    }
  }

  package init(
    locator: [Column], function: String? = nil, columns: [String] = [], high: UInt64? = nil
  ) {
    self.locator = locator
    self.function = function
    self.columns = columns
    self.high = high
  }
}

/// The columns that join the tables of a link.
package enum SQLJoin: Hashable, Sendable {
  /// A column of one table and the matching column of the other.
  package struct Match: Hashable, Sendable {
    package var here: String
    package var there: String

    package init(_ here: String, _ there: String) {
      self.here = here
      self.there = there
    }
  }

  /// A join of the tables of both namespaces.
  case columns([Match])
  /// A join through a join table.
  case pairs(table: String, source: [Match], target: [Match])
}

extension QueryPlan {
  /// Returns the plan as an SQL statement. Its rows are the entities in order, with `id` as the
  /// first column.
  ///
  /// Values are bound, never part of the text. A comparison with a missing value is false except
  /// for `!=`, also under `not`. Missing values are sorted first, or last when descending; ties are
  /// sorted by key. Dates are compared as stored texts.
  ///
  /// - Throws: `unknownField` for an unknown name, `notALink` for a path through an attribute,
  ///   `invalid` for an invalid page, `notInSQL` for what one statement cannot express: relations,
  ///   groups, cursors, paths with a shared linked entity, and sorting values of two types.
  public func sql(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames = SQLNames()
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text = try writer.select(self)
    return SQLStatement(text: text, values: writer.values)
  }
}
