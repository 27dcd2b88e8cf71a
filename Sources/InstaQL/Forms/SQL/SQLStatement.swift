public import Triples

/// An SQL statement with its bound values.
public struct SQLStatement: Hashable, Sendable {
  /// The SQL text, with the placeholders of the dialect.
  public let text: String
  /// The values to bind, in the order of their placeholders' numbers. None is null, a list or an
  /// object.
  public let values: [Value]

  package init(text: String, values: [Value] = []) {
    self.text = text
    self.values = values
  }
}

/// The names of the tables and columns that store the entities of a schema.
///
/// A namespace is a table, and an attribute a column. A to-one link is a column with the target's
/// key; a to-many link is a join table. By default, the names equal the names in the schema.
public struct SQLNames: Hashable, Sendable {
  /// A join table: each row is a link from one entity to another, as a pair of keys.
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

  /// The table of each namespace, if its name differs from the namespace's.
  public var tables: [String: String] = [:]
  /// The column of each attribute, if its name differs; for a to-one link, the column with the
  /// target's key.
  public var columns: [AttributeID: String] = [:]
  /// The join table of each to-many link; by default `NAMESPACE_LABEL`.
  public var pairs: [AttributeID: Pairs] = [:]
  /// The column that contains an entity's id, in every table.
  public var key = "id"
  /// The column with an entity's creation time; if nil, entities are sorted by key instead.
  public var creation: String?
  /// The collation for sorting; nil for the database's own.
  public var collation: String?

  /// How rows are identified, for tables without a column of entity ids. If any namespace is
  /// listed, only listed ones can be queried.
  package var rowKeys: [String: SQLRowKey] = [:]
  /// Whether the key column contains arbitrary values instead of entity ids.
  package var isPlainKey = false
  /// The columns that join the tables of a link, for links that do not store the target's key.
  package var joins: [AttributeID: SQLJoin] = [:]
  /// The table names qualified with their SQL schema, by namespace.
  package var qualified: [String: String] = [:]
  /// The type of each column, for PostgreSQL; otherwise empty.
  package var types: [AttributeID: SQLColumnType] = [:]
  /// The tables that contain the values of attributes one per row, as expressions. Their columns
  /// are `id`, the key of the entity, and `value`. Conditions on such an attribute use the table,
  /// so that its indexes can be used.
  package var cells: [AttributeID: String] = [:]
  /// Whether columns are strictly typed.
  package var isTyped = false
  /// The namespaces with many rows. Their pages are read in the order of an index instead of
  /// sorting all rows.
  package var large: Set<String> = []
  /// Whether the database's encoding is Unicode. Only then can it compare texts like the query
  /// language.
  package var isUnicode = true
  /// The SQL function that converts a date to milliseconds; if nil, dates are compared as texts.
  package var instants: String?
  /// Whether a column may contain values of other types than its own, as in SQLite.
  package var isLoose = false

  /// Creates names that equal the names in the schema.
  public init() {}

  func table(_ namespace: String) -> String { tables[namespace] ?? namespace }

  func column(_ attribute: Attribute) -> String { columns[attribute.id] ?? attribute.label }

  func pairs(_ attribute: Attribute) -> Pairs {
    pairs[attribute.id] ?? Pairs(table: attribute.namespace + "_" + attribute.label)
  }
}

/// The columns that identify a table's rows, and how SQL and Swift derive entity ids from them.
package struct SQLRowKey: Hashable, Sendable {
  /// The columns that identify a row (the rowid or the primary key), whose order is the order of
  /// creation.
  package var locator: [Column]
  /// The SQL function that computes a row's id, as text, from the namespace, the rowid and the key.
  /// Nil if SQL cannot compute it.
  package var function: String?
  /// The key columns to pass to the function.
  package var columns: [String]
  /// The upper 64 bits that all ids of the table share, if the lower 64 bits are the rowid;
  /// otherwise nil.
  package var high: UInt64?

  /// Whether the only locator column contains UUIDs, which are the ids.
  package var isUUID = false
  /// The keys of the rows read so far, for ids that are hashes of keys.
  package var memory: KeyMemory?

  /// Returns the locator of the row with this id; nil if it is unknown or cannot exist.
  package func locator(of id: EntityID) -> [String]? {
    if let high { return id.number(in: high).map { [String($0)] } }
    if isUUID { return id.isUUID ? [id.text] : nil }
    return memory?.key(of: id)
  }

  /// Returns whether `locator(of:)` knows every existing row. If so, an id without a locator
  /// belongs to no row.
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

/// How the tables of a link are joined.
package enum SQLJoin: Hashable, Sendable {
  /// A pair of columns that must be equal, one of each joined table.
  package struct Match: Hashable, Sendable {
    package var here: String
    package var there: String

    package init(_ here: String, _ there: String) {
      self.here = here
      self.there = there
    }
  }

  /// The tables of both namespaces are joined directly.
  case columns([Match])
  /// The tables of both namespaces are joined through a join table.
  case pairs(table: String, source: [Match], target: [Match])
}

extension QueryPlan {
  /// Returns the plan as one SQL statement. It selects the entities in order, with `id` as the
  /// first column.
  ///
  /// Values are bound and never part of the text. A comparison with a missing value is false,
  /// except `!=`, so its `not` is true. Missing values are sorted first, or last when descending;
  /// ties are sorted by key. Dates are compared as stored texts.
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
