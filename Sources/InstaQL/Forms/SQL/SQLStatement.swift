public import Triples

/// An SQL statement with its bound values.
public struct SQLStatement: Hashable, Sendable {
  /// The SQL text, with the placeholders of the dialect.
  public let text: String
  /// The values to bind, in the order of their placeholders' numbers. No value is null, a list or
  /// an object.
  public let values: [Value]

  package init(text: String, values: [Value] = []) {
    self.text = text
    self.values = values
  }
}

/// The names of the tables and columns that store the entities of a schema.
///
/// A namespace is a table, and an attribute is a column. A to-one link is a column with the
/// target's key. A to-many link is a join table. By default, tables and columns have the same names
/// as in the schema.
public struct SQLNames: Hashable, Sendable {
  /// A join table. Each row is a link from one entity to another: a pair of keys.
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

  /// The table of each namespace, if its name differs from that of the namespace.
  public var tables: [String: String] = [:]
  /// The column of each attribute, if its name differs from the label. For a to-one link, it is the
  /// column with the target's key.
  public var columns: [AttributeID: String] = [:]
  /// The join table of each to-many link; by default `NAMESPACE_LABEL`.
  public var pairs: [AttributeID: Pairs] = [:]
  /// The column that contains an entity's id, in every table.
  public var key = "id"
  /// The column with an entity's creation time. If it is nil, entities are sorted by key instead.
  public var creation: String?
  /// The collation for sorting; nil for the database's own.
  public var collation: String?
  /// The collation for sorting by an attribute, if it differs from ``collation``, because an index
  /// sorts the rows of a large table by it.
  package var collations: [AttributeID: String] = [:]

  /// How rows are identified, for tables without a column of entity ids. If this lists any
  /// namespace, only the listed namespaces can be queried.
  package var rowKeys: [String: SQLRowKey] = [:]
  /// Whether the key column contains arbitrary values instead of entity ids.
  package var isPlainKey = false
  /// The columns that join the tables of a link, if the link does not store the target's key.
  package var joins: [AttributeID: SQLJoin] = [:]
  /// For each namespace, the name of its table, qualified with the SQL schema.
  package var qualified: [String: String] = [:]
  /// The type of each column, for PostgreSQL; empty for SQLite.
  package var types: [AttributeID: SQLColumnType] = [:]
  /// The attributes whose values are stored one per row in a table of their own: for each, an
  /// expression for that table. Its columns are `id`, the key of the entity, and `value`.
  /// Conditions on such an attribute use the table, so that its indexes can be used.
  package var cells: [AttributeID: String] = [:]
  /// Whether columns are strictly typed.
  package var isTyped = false
  /// The namespaces with many rows. Their pages are read in the order of an index, instead of
  /// sorting all rows.
  package var large: Set<String> = []
  /// Whether the database's encoding is Unicode. Only then can the database compare texts like the
  /// query language.
  package var isUnicode = true
  /// The SQL function that converts a date to milliseconds. If it is nil, dates are compared as
  /// texts.
  package var instants: String?
  /// The columns of SQLite that are declared for JSON; see ``DocumentFunction``.
  package var documents: Set<AttributeID> = []
  /// Whether a column may contain values of types other than its own, as in SQLite.
  package var isLoose = false

  /// Creates names that are the same as in the schema.
  public init() {}

  func table(_ namespace: String) -> String { tables[namespace] ?? namespace }

  /// Returns the COLLATE clause for sorting texts of an attribute, with a leading space. Empty for
  /// the database's own collation.
  func collation(of attribute: Attribute) -> String {
    guard let name = collations[attribute.id] ?? collation else { return "" }
    return " COLLATE " + SQLWriter.quoted(name)
  }

  func column(_ attribute: Attribute) -> String { columns[attribute.id] ?? attribute.label }

  func pairs(_ attribute: Attribute) -> Pairs {
    pairs[attribute.id] ?? Pairs(table: attribute.namespace + "_" + attribute.label)
  }
}

/// The columns that identify a table's rows, and how SQL and Swift derive entity ids from them.
package struct SQLRowKey: Hashable, Sendable {
  /// The columns that identify a row: the rowid or the primary key. Their order is the order of
  /// creation.
  package var locator: [Column]
  /// The columns that identify a row without a key until it changes.
  package var place: [Column] = []
  /// The columns that identify a row in an answer: the locator or, if it is empty, the place.
  package var finder: [Column] { locator.isEmpty ? place : locator }
  /// The SQL function that computes the text of a row's id from the namespace, the rowid and the
  /// key. Nil if SQL cannot compute the id.
  package var function: String?
  /// The key columns to pass to the function.
  package var columns: [String]
  /// The upper 64 bits that all ids of the table share. Nil unless the lower 64 bits are the rowid.
  package var high: UInt64?

  /// Whether the ids are the values of the only locator column, which contains UUIDs.
  package var isUUID = false
  /// The keys of the rows read so far. They are needed for ids that are hashes of keys.
  package var memory: KeyMemory?

  /// Returns the locator of the row with this id. Nil if the row is unknown or cannot exist.
  package func locator(of id: EntityID) -> [String]? {
    if let high { return id.number(in: high).map { [String($0)] } }
    if isUUID { return id.isUUID ? [id.text] : nil }
    return memory?.key(of: id)
  }

  /// Returns whether `locator(of:)` finds every existing row. If so, an id without a locator does
  /// not belong to any row.
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

/// How to join the tables of a link.
package enum SQLJoin: Hashable, Sendable {
  /// Two columns that must be equal, one from each joined table.
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
  /// except `!=`. So the `not` of a comparison is true for missing values. Missing values are
  /// sorted first, or last in descending order. Ties are sorted by key. Dates are compared as
  /// stored texts.
  ///
  /// - Throws: `unknownField` for an unknown name, `notALink` for a path through an attribute,
  ///   `invalid` for an invalid page, `notInSQL` if a single statement cannot express the plan:
  ///   relations, groups, cursors, paths with a shared linked entity, and sorting values of two
  ///   types.
  public func sql(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames = SQLNames()
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text = try writer.select(self)
    return SQLStatement(text: text, values: writer.values)
  }
}
