import InstaQL
import Triples

// Reads the columns and their types.
extension PostgresCatalog {
  private static func enums(_ session: PostgresSession) throws -> [Int64: [String]] {
    let rows = try session.rows(
      """
      SELECT enumtypid::int8, enumlabel FROM pg_catalog.pg_enum
      ORDER BY enumtypid, enumsortorder LIMIT 1000000
      """)
    var enums: [Int64: [String]] = [:]
    while try rows.step() { enums[rows.integer(0), default: []].append(rows.text(1)) }
    return enums
  }

  /// A type of columns. A domain has the form and name of its base type.
  private struct ColumnType {
    var form: SQLColumnType.Form
    var name: String
    var isRequired: Bool
  }

  /// Reads the types of all columns.
  ///
  /// They are read separately, because a database may have many more columns than types.
  private static func types(
    of relations: [Relation], _ session: PostgresSession
  ) throws -> [Int64: ColumnType] {
    let enums = try enums(session)
    let rows = try session.rows(
      """
      SELECT t.oid::int8, b.oid::int8, n.nspname, b.typname, b.typtype::text, b.typcategory::text,
        t.typnotnull
      FROM pg_catalog.pg_type AS t
      JOIN pg_catalog.pg_type AS m ON m.oid = coalesce(nullif(t.typbasetype, 0), t.oid)
      JOIN pg_catalog.pg_type AS b ON b.oid = coalesce(nullif(m.typbasetype, 0), m.oid)
      JOIN pg_catalog.pg_namespace AS n ON n.oid = b.typnamespace
      WHERE t.oid IN (SELECT atttypid FROM pg_catalog.pg_attribute
        WHERE attnum > 0 AND attrelid = ANY ($1::int8[]::oid[]))
      LIMIT 1000000
      """, [oids(of: relations)])
    var types: [Int64: ColumnType] = [:]
    while try rows.step() {
      let (schema, name) = (rows.text(2), rows.text(3))
      types[rows.integer(0)] = ColumnType(
        form: form(
          rows.integer(1), schema: schema, name: name, kind: rows.text(4), category: rows.text(5),
          enums),
        name: typeName(schema: schema, name: name), isRequired: rows.bool(6))
    }
    return types
  }

  /// Reads the columns that the role may read, keyed by relation.
  static func columns(
    of relations: [Relation], _ session: PostgresSession
  ) throws -> [Int64: [Column]] {
    let types = try types(of: relations, session)
    let rows = try session.rows(
      """
      SELECT a.attrelid::int8, a.attname, a.atttypid::int8, a.attnotnull,
        a.attgenerated <> '' OR a.attidentity = 'a', a.atthasdef OR a.attidentity <> '',
        a.attcollation = ANY (ARRAY(
          SELECT oid FROM pg_catalog.pg_collation WHERE NOT collisdeterministic))
      FROM pg_catalog.pg_attribute AS a
      WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid = ANY ($1::int8[]::oid[])
        AND (a.attrelid <> ALL ($2::int8[]::oid[])
          OR pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT'))
      ORDER BY a.attrelid, a.attnum LIMIT 5000000
      """, [oids(of: relations), oids(of: relations.filter { !$0.isWhole })])
    var columns: [Int64: [Column]] = [:]
    while try rows.step() {
      guard let type = types[rows.integer(2)] else { continue }
      let isRequired = rows.bool(3) || type.isRequired
      columns[rows.integer(0), default: []].append(
        Column(
          name: rows.text(1),
          type: SQLColumnType(
            type.form, name: type.name, isNullable: !isRequired, isDeterministic: !rows.bool(6)),
          isGenerated: rows.bool(4), isRequired: isRequired && !rows.bool(5) && !rows.bool(4)))
    }
    return columns
  }

  private static func typeName(schema: String, name: String) -> String {
    schema == "pg_catalog" ? "pg_catalog.\(name)" : "\(schema.quotedSQL).\(name.quotedSQL)"
  }

  private static func form(
    _ oid: Int64, schema: String, name: String, kind: String, category: String,
    _ enums: [Int64: [String]]
  ) -> SQLColumnType.Form {
    switch kind {
    case "e": return .enumeration(enums[oid] ?? [])
    case "c": return .unordered
    case "b": break
    default: return .other
    }
    if category == "A", name != "int2vector", name != "oidvector" { return .unordered }
    guard schema == "pg_catalog" else { return .other }
    switch name {
    case "int2", "int4", "int8", "oid": return .integer
    case "float4", "float8": return .float
    case "numeric", "money": return .numeric
    case "bool": return .boolean
    case "text", "varchar", "bpchar", "name": return .text
    case "uuid": return .uuid
    case "date": return .date
    case "timestamp": return .timestamp
    case "timestamptz": return .timestamptz
    case "json", "jsonb": return .json
    case "bytea": return .bytes
    default: return .other
    }
  }
}
