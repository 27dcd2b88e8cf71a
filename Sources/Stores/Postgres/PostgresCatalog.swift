import InstaQL
import Triples

/// The tables, columns and constraints of a PostgreSQL database.
struct PostgresCatalog: Sendable {
  /// A table, view, materialized view or foreign table.
  struct Relation: Sendable {
    var oid: Int64
    var schema: String
    var name: String
    /// `r`, `p`, `v`, `m` or `f`, as in `pg_class.relkind`.
    var kind: String
    var isVisible: Bool
    /// Whether row security may hide rows from the role.
    var hasRowSecurity: Bool
    /// The number of rows estimated from statistics; nil without statistics.
    var estimate: Int?
    /// Whether the role may read all columns; otherwise it may read some.
    var isWhole: Bool
    /// Whether the role may insert, update or delete rows.
    var isWritable: Bool
    /// Whether the relation can be read; false for a materialized view without data.
    var isPopulated: Bool
    /// Whether other tables inherit from this table, other than the partitions of an extension.
    var isInherited: Bool
    /// Whether the relation is a partition that a query names.
    var isPartition: Bool

    var sqlName: String { "\(schema.quotedSQL).\(name.quotedSQL)" }

    /// The name with schema, as in namespaces.
    var qualifiedName: String { PostgresCatalog.qualifiedName(schema, name) }

    /// The reason why the relation's rows cannot be changed, as part of a sentence, such as `is a
    /// view`.
    var readOnlyReason: String? {
      switch kind {
      case _ where isPartition: "is a partition"
      case "v": "is a view"
      case "m": "is a materialized view"
      case "f": "is a foreign table"
      default: isWritable ? nil : "is not writable for your database role"
      }
    }
  }

  struct Column: Sendable {
    var name: String
    var type: SQLColumnType
    var isGenerated: Bool
    var isRequired: Bool
  }

  struct Key: Sendable {
    var columns: [String]
    /// The oid of the relation that a foreign key references.
    var target: Int64 = 0
    var targetColumns: [String] = []
    var onDelete = ""
  }

  private(set) var relations: [Relation] = []
  /// The oid of the table that contains the rows of each partition, keyed by the partition's name
  /// with schema.
  private(set) var partitions: [String: Int64] = [:]
  private(set) var columns: [Int64: [Column]] = [:]
  private(set) var primaryKeys: [Int64: [String]] = [:]
  /// The columns of each unique index, keyed by relation.
  ///
  /// Primary keys, invalid indexes and indexes with expressions are not included.
  private(set) var uniqueKeys: [Int64: [[String]]] = [:]
  private(set) var foreignKeys: [Int64: [Key]] = [:]
  /// Whether the server has the Unicode collation that the query language uses.
  private(set) var hasUnicodeCollation = false
  /// Whether the encoding of the database is UTF-8.
  private(set) var isUnicode = false
  /// Whether the database has no encoding, so that its texts may contain any bytes.
  private(set) var containsAnyBytes = false
  /// The columns with which an index begins, keyed by relation.
  private(set) var indexedColumns: [Int64: Set<String>] = [:]
  /// The columns with an index in the Unicode collation, keyed by relation.
  private(set) var orderedColumns: [Int64: Set<String>] = [:]
  /// The relations that the role is not allowed to read.
  private(set) var unreadable: [String] = []
  /// The relations with columns that the role is not allowed to read.
  var partlyReadable: [String] {
    relations.filter { !$0.isWhole }.map(\.qualifiedName)
  }
  /// The names of links that an export of Sonde recorded, keyed by schema, table and column.
  private(set) var linkNames: [String: [String: [String: DatabaseCatalog.LinkName]]] = [:]

  let limits: ReadingLimits

  static let unicodeCollation = "und-x-icu"

  /// Reads the catalog of a database.
  ///
  /// - Parameters:
  ///   - limits: Only the limit for sorted texts is used.
  ///   - named: The partitions to read as relations. Other partitions are only part of their tables.
  init(
    _ session: PostgresSession, limits: ReadingLimits, partitions named: Set<String> = []
  ) throws {
    self.limits = limits
    try readServer(session)
    try readRelations(session, partitions: named)
    try readPartitions(session)
    columns = try Self.columns(of: relations, session)
    try readConstraints(session)
    try readIndexes(session)
    try readLinkNames(session)
    try readLeadingColumns(session)
  }

  /// Reads the properties of the server only.
  init(serverOf session: PostgresSession, limits: ReadingLimits) throws {
    self.limits = limits
    try readServer(session)
  }

  private mutating func readServer(_ session: PostgresSession) throws {
    let rows = try session.rows(
      """
      SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_collation WHERE collname = $1),
        pg_catalog.current_setting('server_encoding') = 'UTF8',
        pg_catalog.current_setting('server_encoding') = 'SQL_ASCII' LIMIT 1
      """, [Self.unicodeCollation])
    guard try rows.step() else { return }
    hasUnicodeCollation = rows.bool(0)
    isUnicode = rows.bool(1)
    containsAnyBytes = rows.bool(2)
  }

  /// Returns a name with its schema. A part that contains a dot is in quotes, so that no other
  /// relation has the same name.
  static func qualifiedName(_ schema: String, _ name: String) -> String {
    [schema, name].map { $0.contains(".") ? $0.quotedSQL : $0 }.joined(separator: ".")
  }

  /// The name of a relation with its schema, like ``Relation/qualifiedName``, in SQL.
  private static let qualifiedName = ["n.nspname", "c.relname"].map { name in
    "CASE WHEN pg_catalog.strpos(\(name), '.') = 0 THEN \(name)::text "
      + "ELSE '\"' || pg_catalog.replace(\(name), '\"', '\"\"') || '\"' END"
  }.joined(separator: " || '.' || ")

  /// The schemas that belong to an extension, such as those with the partitions of TimescaleDB,
  /// which are inheriting tables.
  private static let extensionSchemas = """
    (SELECT d.objid FROM pg_catalog.pg_depend AS d
      WHERE d.classid = 'pg_catalog.pg_namespace'::pg_catalog.regclass AND d.deptype = 'e')
    """

  /// Reads the relations. It leaves out other partitions than `named`, because their parents contain
  /// their rows.
  private mutating func readRelations(
    _ session: PostgresSession, partitions named: Set<String>
  ) throws {
    let rows = try session.rows(
      """
      SELECT c.oid::int8, n.nspname, c.relname, c.relkind::text,
        pg_catalog.pg_table_is_visible(c.oid), pg_catalog.row_security_active(c.oid),
        CASE WHEN c.relkind = 'p' THEN (
            SELECT pg_catalog.sum(l.reltuples)::int8 FROM pg_catalog.pg_partition_tree(c.oid) AS t
            JOIN pg_catalog.pg_class AS l ON l.oid = t.relid
            WHERE t.isleaf HAVING pg_catalog.min(l.reltuples) >= 0)
          WHEN c.relkind IN ('v', 'f') THEN NULL
          WHEN c.reltuples < 0 THEN pg_catalog.pg_relation_size(c.oid) / 64
          WHEN c.relpages = 0 THEN c.reltuples::int8
          ELSE (c.reltuples / c.relpages * (pg_catalog.pg_relation_size(c.oid)
            / pg_catalog.current_setting('block_size')::int))::int8 END,
        pg_catalog.has_schema_privilege(n.oid, 'USAGE')
          AND pg_catalog.has_table_privilege(c.oid, 'SELECT'),
        pg_catalog.has_schema_privilege(n.oid, 'USAGE')
          AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT'),
        c.relkind IN ('r', 'p') AND (pg_catalog.has_table_privilege(c.oid, 'DELETE')
          OR pg_catalog.has_any_column_privilege(c.oid, 'INSERT')
          OR pg_catalog.has_any_column_privilege(c.oid, 'UPDATE')),
        c.relkind <> 'p' AND c.relhassubclass AND NOT EXISTS (
          SELECT 1 FROM pg_catalog.pg_inherits AS i
          JOIN pg_catalog.pg_class AS h ON h.oid = i.inhrelid
          WHERE i.inhparent = c.oid AND h.relnamespace IN \(Self.extensionSchemas)),
        c.relispopulated, c.relispartition
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT LIKE 'pg\\_%'
        AND n.nspname <> 'information_schema'
        AND (NOT c.relispartition OR \(Self.qualifiedName) = ANY ($1::text[]))
        AND NOT (c.relnamespace IN \(Self.extensionSchemas)
          AND EXISTS (SELECT 1 FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = c.oid))
        AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS d
          WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
          AND d.deptype = 'e')
      ORDER BY c.relispartition, n.nspname, c.relname LIMIT 100000
      """, [SQLDialect.postgres.array(Array(named))])
    while try rows.step() {
      let relation = Relation(
        oid: rows.integer(0), schema: rows.text(1), name: rows.text(2), kind: rows.text(3),
        isVisible: rows.bool(4), hasRowSecurity: rows.bool(5),
        estimate: rows.isNull(6) ? nil : Int(rows.integer(6)), isWhole: rows.bool(7),
        isWritable: rows.bool(9), isPopulated: rows.bool(11), isInherited: rows.bool(10),
        isPartition: rows.bool(12))
      if relation.isWhole || rows.bool(8) {
        relations.append(relation)
      } else {
        unreadable.append(relation.qualifiedName)
      }
    }
  }

  /// Reads the names of the partitions that the role may read.
  private mutating func readPartitions(_ session: PostgresSession) throws {
    let rows = try session.rows(
      """
      SELECT \(Self.qualifiedName), pg_catalog.pg_partition_root(c.oid)::oid::int8
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relispartition AND c.relkind IN ('r', 'p', 'f')
        AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
        AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
      LIMIT 100000
      """)
    while try rows.step() { partitions[rows.text(0)] = rows.integer(1) }
  }

  /// Returns the oids of relations as the text of an array.
  static func oids(of relations: [Relation]) -> String {
    SQLDialect.postgres.array(relations.map { String($0.oid) })
  }

  /// Reads the constraints. Those that a partition inherits belong to it, but other tables do not
  /// reference it.
  private mutating func readConstraints(_ session: PostgresSession) throws {
    let rows = try session.rows(
      """
      SELECT c.conrelid::int8, c.contype::text, c.confrelid::int8, c.confdeltype::text,
        (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place)::text
          FROM pg_catalog.unnest(c.conkey) WITH ORDINALITY AS k(number, place)
          JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.number),
        (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place)::text
          FROM pg_catalog.unnest(c.confkey) WITH ORDINALITY AS k(number, place)
          JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.confrelid AND a.attnum = k.number)
      FROM pg_catalog.pg_constraint AS c
      WHERE c.contype IN ('p', 'f') AND c.conrelid = ANY ($1::int8[]::oid[])
        AND (c.conparentid = 0 OR EXISTS (SELECT 1 FROM pg_catalog.pg_class AS r
          WHERE r.oid = c.conrelid AND r.relispartition))
      ORDER BY c.conrelid, c.conkey, c.conname LIMIT 1000000
      """, [Self.oids(of: relations)])
    while try rows.step() {
      let (table, names) = (rows.integer(0), Self.names(rows.text(4)))
      if rows.text(1) == "p" {
        primaryKeys[table] = names
      } else {
        foreignKeys[table, default: []].append(
          Key(
            columns: names, target: rows.integer(2), targetColumns: Self.names(rows.text(5)),
            onDelete: rows.text(3)))
      }
    }
  }

  private mutating func readIndexes(_ session: PostgresSession) throws {
    let rows = try session.rows(
      """
      SELECT i.indrelid::int8,
        (SELECT pg_catalog.json_agg(a.attname ORDER BY k.place)::text
          FROM pg_catalog.unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
          JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
          WHERE k.place <= i.indnkeyatts)
      FROM pg_catalog.pg_index AS i
      WHERE i.indisunique AND i.indisvalid AND NOT i.indisprimary AND i.indpred IS NULL
        AND i.indexprs IS NULL AND i.indimmediate AND i.indrelid = ANY ($1::int8[]::oid[])
      ORDER BY i.indrelid, i.indnkeyatts, i.indexrelid LIMIT 1000000
      """, [Self.oids(of: relations)])
    while try rows.step() {
      uniqueKeys[rows.integer(0), default: []].append(Self.names(rows.text(1)))
    }
  }

  /// Reads the recorded names of links, and hides the tables that record them.
  private mutating func readLinkNames(_ session: PostgresSession) throws {
    let records = relations.filter { relation in
      relation.name == TablePlan.linkNames
        && columns[relation.oid]?.map(\.name) == ["table", "column", "label", "reverse"]
    }
    for record in records {
      let rows = try session.rows(
        "SELECT \"table\", \"column\", label, reverse FROM \(record.sqlName) LIMIT 100000")
      var names: [String: [String: DatabaseCatalog.LinkName]] = [:]
      while try rows.step() {
        names[rows.text(0), default: [:]][rows.text(1)] = DatabaseCatalog.LinkName(
          label: rows.text(2), reverse: rows.isNull(3) ? nil : rows.text(3))
      }
      linkNames[record.schema] = names
      relations.removeAll { $0.oid == record.oid }
    }
  }

  /// Reads the first column of each index, and whether the index sorts texts by the Unicode
  /// collation.
  private mutating func readLeadingColumns(_ session: PostgresSession) throws {
    let rows = try session.rows(
      """
      SELECT i.indrelid::int8, a.attname,
        i.indpred IS NULL AND m.amname = 'btree' AND l.collname IS NOT NULL
      FROM pg_catalog.pg_index AS i
      JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid
      JOIN pg_catalog.pg_am AS m ON m.oid = c.relam
      JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
      LEFT JOIN pg_catalog.pg_collation AS l ON l.oid = i.indcollation[0] AND l.collname = $2
      WHERE i.indisvalid AND i.indrelid = ANY ($1::int8[]::oid[]) LIMIT 1000000
      """,
      [Self.oids(of: relations), Self.unicodeCollation])
    while try rows.step() {
      let (table, column) = (rows.integer(0), rows.text(1))
      indexedColumns[table, default: []].insert(column)
      if rows.bool(2) { orderedColumns[table, default: []].insert(column) }
    }
  }

  private static func names(_ json: String) -> [String] {
    guard case .array(let names)? = try? JSONReader.value(of: Array(json.utf8)) else { return [] }
    return names.compactMap { if case .text(let name) = $0 { name } else { nil } }
  }
}
