import InstaQL

// The tables of a catalog, with their columns and foreign keys.
extension DatabaseCatalog {
  struct Column: Sendable {
    var name: String
    /// The declared type in upper case; empty if none is declared.
    var type: String
    var isUnique = false
    /// Whether an index begins with the column.
    var isIndexed = false
    /// The collation by which an index in SQLite sorts all rows by this column; nil if there is no
    /// such index.
    var indexCollation: String?
    /// Whether the column is generated.
    var isGenerated = false
    /// Whether the column is NOT NULL without a default.
    var isRequired = false
    /// The type in a database that enforces types; nil in SQLite.
    var sqlType: SQLColumnType?

    /// Whether an object shown in this column stands for a BLOB, such as `{"bytes": 12}`.
    var holdsBytes: Bool { sqlType == nil && !isJSON || sqlType?.form == .bytes }

    /// Whether the column is declared for JSON in SQLite.
    var isJSON: Bool { sqlType == nil && (type == "JSON" || type == "JSONB") }
  }

  struct ForeignKey: Sendable {
    var columns: [String]
    var target: String
    /// The referenced columns; the primary key of the target unless declared otherwise.
    var targetColumns: [String]
    /// The action on the referencing rows when the referenced row is deleted.
    var onDelete = Deletion.keep

    enum Deletion: Sendable {
      /// ON DELETE CASCADE.
      case cascade
      /// ON DELETE SET NULL or SET DEFAULT.
      case clear
      /// ON DELETE RESTRICT or NO ACTION.
      case keep

      /// Parses the name of an action, such as `SET NULL`.
      ///
      /// - Parameter words: The action as SQLite names it.
      init(_ words: String) {
        self =
          switch words {
          case "CASCADE": .cascade
          case "SET NULL", "SET DEFAULT": .clear
          default: .keep
          }
      }
    }
  }

  /// Returns foreign keys without those that repeat an earlier one.
  static func distinct(_ keys: [ForeignKey]) -> [ForeignKey] {
    var seen: Set<[String]> = []
    return keys.filter { seen.insert([$0.target] + $0.columns + $0.targetColumns).inserted }
  }

  struct LinkName: Sendable {
    var label: String
    var reverse: String?
  }

  struct Table: Sendable {
    var name: String
    var columns: [Column]
    /// The columns of the primary key in order; empty if only the rowid identifies a row.
    var key: [String]
    var foreignKeys: [ForeignKey]
    /// The SQL name of the rowid, such as `rowid`; nil for a table WITHOUT ROWID.
    var number: String?
    /// Whether the primary key is an alias of the rowid.
    var isKeyNumber = false
    /// Whether the table has triggers, which may change or delete other rows.
    var hasTriggers = false
    /// The name with its schema, as written in SQL; nil if the plain name is enough.
    var qualifiedName: String?
    /// Whether other tables inherit from this table. Without ONLY, SQL reads and changes their rows
    /// together with the table's own rows.
    var isInherited = false
    /// The number of rows estimated from the database's statistics; nil without statistics.
    var estimate: Int?
    /// The link names that an export of Sonde recorded, keyed by foreign-key column.
    var linkNames: [String: LinkName] = [:]
    /// The reason why the table's rows can never be changed; nil if they can. The reason is the end
    /// of a sentence, such as `is a view`.
    var readOnlyReason: String?
    /// The reason why Sonde cannot change the rows, also because of a missing rowid; nil if it can.
    var fixedReason: String? {
      readOnlyReason ?? (number == nil && !isTyped ? "is a table WITHOUT ROWID" : nil)
    }
    /// Whether the relation is a view, whose rows are computed from other tables, or a materialized
    /// view without data.
    var isView = false
    /// Whether the table is a foreign table, whose rows are in another database.
    var isForeign = false
    /// Whether the relation can be read; false for a materialized view without data.
    var isPopulated = true
    /// Whether reading the rows may read other tables, as in a view or with row security.
    var readsOtherTables = false
    /// The column with the time of creation; nil if rows are created in the order of their keys.
    var creation: String?
    /// Whether a NULL means that the row has no value. Otherwise a NULL is read as a null value.
    var isSparse = false
    /// The name without its schema; nil if the name contains no schema.
    var plainName: String?
    /// Whether system columns locate the rows, which have no key, until they change.
    var hasPlaces = false
    /// Whether a foreign key of any table references this table.
    var isReferenced = false
    /// Whether the table is a partition, whose rows another table contains, too.
    var isPartition = false

    /// The name as written in SQL, with its schema if necessary.
    var sqlName: String { qualifiedName ?? name.quotedSQL }

    /// The table's own rows as written in SELECT, UPDATE and DELETE.
    var sqlRows: String { isInherited ? "ONLY \(sqlName)" : sqlName }

    /// Whether the table's columns are strictly typed.
    var isTyped: Bool { columns.contains { $0.sqlType != nil } }

    /// The columns that belong to foreign keys.
    var linkColumns: Set<String> { Set(foreignKeys.flatMap(\.columns)) }

    /// Whether the table is a join table.
    ///
    /// A join table has two foreign keys on different columns and otherwise at most a primary key,
    /// and no foreign key references its rows. A partition of a join table is read as a table.
    var isJoin: Bool {
      // If two link names are recorded, Sonde exported the table from a namespace, not from a link.
      guard foreignKeys.count == 2, linkNames.count < 2, !isReferenced, !isPartition,
        Set(foreignKeys[0].columns) != Set(foreignKeys[1].columns)
      else { return false }
      let others = columns.filter { !linkColumns.contains($0.name) }
      return others.allSatisfy { key == [$0.name] }
    }
  }
}
