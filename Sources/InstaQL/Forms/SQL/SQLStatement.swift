public import Triples

/// A question to a relational database: its text, and the values that it refers to by number.
public struct SQLStatement: Hashable, Sendable {
  public let text: String
  /// In the order of their numbers; null, lists and objects are never among them.
  public let values: [Value]

  package init(text: String, values: [Value] = []) {
    self.text = text
    self.values = values
  }
}

/// What the entities, attributes and links of a schema are called in a relational database.
///
/// A namespace is a table, an attribute a column; a link that leads to one entity is a column that
/// holds the other's key, one that leads to several a table of pairs. All are called as in the schema
/// unless said otherwise here.
public struct SQLNames: Hashable, Sendable {
  /// A table whose rows are pairs of keys.
  public struct Pairs: Hashable, Sendable {
    public var table: String
    /// The column with the key of the entity that the link belongs to.
    public var source: String
    public var target: String

    public init(table: String, source: String = "source", target: String = "target") {
      self.table = table
      self.source = source
      self.target = target
    }
  }

  /// By namespace.
  public var tables: [String: String] = [:]
  /// By attribute; of a link the column with the other's key.
  public var columns: [AttributeID: String] = [:]
  /// By link attribute; others are called `NAMESPACE_LABEL`.
  public var pairs: [AttributeID: Pairs] = [:]
  /// The column with an entity's id, in every table.
  public var key = "id"
  /// The column that says when an entity was made; without one the oldest has the least key.
  public var creation: String?
  /// What compares texts where rows are ordered; nil leaves that to the database.
  public var collation: String?

  /// How rows are identified if no column contains their ids, by namespace. If any namespace is
  /// listed, others cannot be queried.
  package var rowKeys: [String: SQLRowKey] = [:]
  /// The columns that a link goes by, where it is not the other's id that they hold.
  package var joins: [AttributeID: SQLJoin] = [:]
  /// The tables of namespaces as SQL writes them, with the schema that they lie in.
  package var qualified: [String: String] = [:]
  /// The types of columns, where the database keeps to them; of a database that does not there is none.
  package var types: [AttributeID: SQLColumnType] = [:]
  /// Whether columns hold values of their types alone.
  package var isTyped = false
  /// The namespaces with so many rows that their order must be one that an index gives.
  package var large: Set<String> = []
  /// Whether texts of a database that keeps to its types are Unicode, so that they can be compared as in
  /// the language.
  package var isUnicode = true
  /// The function that gives the instant of a date in milliseconds; nil compares dates as texts.
  package var instants: String?
  /// Whether a column may hold values of other kinds than its attribute's, as SQLite's may.
  package var isLoose = false

  public init() {}

  func table(_ namespace: String) -> String { tables[namespace] ?? namespace }

  func column(_ attribute: Attribute) -> String { columns[attribute.id] ?? attribute.label }

  func pairs(_ attribute: Attribute) -> Pairs {
    pairs[attribute.id] ?? Pairs(table: attribute.namespace + "_" + attribute.label)
  }
}

/// How the rows of a table are identified, and what their ids are derived from.
package struct SQLRowKey: Hashable, Sendable {
  /// The columns by which rows are found, and stand in the order in which they were made: the row's
  /// number, or the primary key.
  package var locator: [Column]
  /// The function that gives a row's id as a text, of the namespace, the number, and the key; nil where
  /// SQL cannot say it.
  package var function: String?
  /// The columns of the key that the function is given.
  package var columns: [String]
  /// The upper half of all ids, where the rest of them is made of the number and in its order.
  package var high: UInt64?

  /// Whether the only column of the locator holds the ids.
  package var isUUID = false
  /// The keys of rows that were seen, where ids are made of keys and cannot be undone.
  package var memory: KeyMemory?

  /// The locator of the row with an id; nil if there is none.
  func locator(of id: EntityID) -> [String]? {
    if let high { return id.number(in: high).map { [String($0)] } }
    if isUUID { return id.isUUID ? [id.text] : nil }
    return memory?.key(of: id)
  }

  /// Whether rows of ids that have no locator here are none.
  func canFind(_ ids: [EntityID]) -> Bool { high != nil || isUUID || ids.isEmpty }

  /// A column that finds a row.
  package struct Column: Hashable, Sendable {
    /// As SQL writes it.
    package var name: String
    /// The type that bound values are cast to; empty where none is needed.
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

/// By which columns a link goes.
package enum SQLJoin: Hashable, Sendable {
  /// A column here, and the one there that has the same value.
  package struct Match: Hashable, Sendable {
    package var here: String
    package var there: String

    package init(_ here: String, _ there: String) {
      self.here = here
      self.there = there
    }
  }

  /// From the table of the link's namespace to the other one.
  case columns([Match])
  /// From a table of pairs to the tables of both.
  case pairs(table: String, source: [Match], target: [Match])
}

extension QueryPlan {
  /// The plan as a question to a relational database, whose rows are the entities that the plan asks
  /// for, in its order, `id` first among the columns.
  ///
  /// Values are bound, never part of the text. A comparison with a missing value is false but for `!=`,
  /// also under `not`; missing values come first, last when descending; ties go by key. Dates are
  /// compared as the texts that they are stored as.
  ///
  /// - Throws: `unknownField` for a name that the schema does not know, `notALink` for an attribute that
  ///   is followed, `invalid` for a window that cannot be, `notInSQL` for what one statement cannot
  ///   say: relations, groups, cursors, paths that share a linked entity, and the order of values of
  ///   two types.
  public func sql(
    _ dialect: SQLDialect, schema: Schema, names: SQLNames = SQLNames()
  ) throws(QueryError) -> SQLStatement {
    var writer = SQLWriter(dialect: dialect, schema: schema, names: names)
    let text = try writer.select(self)
    return SQLStatement(text: text, values: writer.values)
  }
}
