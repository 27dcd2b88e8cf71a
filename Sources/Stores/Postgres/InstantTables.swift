import InstaQL
import LiveQueries
import Triples

/// An app of an Instant server as tables, so that its queries run as SQL.
///
/// Each namespace is a subquery of the server's table `triples`: its entities with one column for
/// each attribute. Each link is a subquery with the pairs of its ids. Conditions and sums read the
/// values of an attribute from a third kind of subquery. PostgreSQL merges them all into the
/// statement that uses them, so it can use the indexes of `triples`.
///
/// - Source: the indexes of instantdb/instant after its migration 124. They cover only triples with
///   a certain flag, such as `ave`, so the subqueries state the flags.
struct InstantTables: Sendable {
  /// The column with the time of creation.
  static let creation = "$created"
  private(set) var names: DatabaseNames
  /// The subqueries for the values of attributes.
  private(set) var cells: [AttributeID: String] = [:]
  /// The attributes that belong to, or link to, a namespace without an `id` attribute. SQL cannot
  /// express queries of these attributes.
  private(set) var others: [Attribute] = []
  /// Descriptions of the attributes that cannot be shown, and of hidden rows.
  private(set) var leftOut: [String] = []
  let isUnicode: Bool
  /// The reason why the server sorts all texts by its own collation, as a clause; nil if it does not.
  let ownOrderReason: String?

  /// The functions of the server that its indexes use.
  private static let functions = [
    "json_uuid_to_uuid", "json_null_to_null", "triples_extract_string_value",
    "triples_extract_number_value", "triples_extract_date_value",
  ]

  /// Reads the attributes of an app, and counts its entities.
  ///
  /// - Throws: ``StoreError`` if the server's database lacks a function.
  init(
    _ app: InstantApps.App, _ session: PostgresSession, limits: ReadingLimits
  ) throws {
    for function in Self.functions {
      let rows = try session.rows(
        "SELECT pg_catalog.to_regprocedure($1) IS NULL LIMIT 1", ["public.\(function)(jsonb)"])
      guard try rows.step(), !rows.bool(0) else {
        throw StoreError.broken(
          path:
            "The database of the Instant server lacks the function '\(function)', which Sonde needs."
        )
      }
    }
    let server = try PostgresCatalog(serverOf: session, limits: limits)
    isUnicode = server.isUnicode
    ownOrderReason = server.ownOrderReason
    if let hidden = app.hiddenRows { leftOut.append(hidden) }
    let queries = try TripleQueries(app)
    let attributes = try InstantApps.attributes(of: app, session)
    var namespaces: [DatabaseNames.Namespace] = []
    for identity in attributes where identity.isIdentity {
      let estimate = try Self.count(identity, queries, session)
      let order = server.textOrder(ofRows: estimate)
      namespaces.append(
        try Self.namespace(identity, attributes, queries, estimate: estimate, order))
    }
    let known = Set(namespaces.map(\.table.name))
    var links: [DatabaseNames.Link] = []
    for attribute in attributes where !attribute.isIdentity {
      let target = attribute.reverse?.namespace ?? attribute.namespace
      if !known.contains(attribute.namespace) || !known.contains(target) {
        others.append(attribute)
        leftOut.append(
          "\(attribute.namespace).\(attribute.label) (its namespace or target has no entities)")
      } else if attribute.valueType == .ref {
        links.append(try Self.link(attribute, queries))
      } else if attribute.cardinality == .one {
        cells[attribute.id] = try queries.cells(attribute)
      }
    }
    names = DatabaseNames(namespaces, links)
  }

  private static func namespace(
    _ identity: Attribute, _ all: [Attribute], _ queries: TripleQueries, estimate: Int,
    _ order: SQLColumnType.TextOrder
  ) throws -> DatabaseNames.Namespace {
    let own = all.filter {
      $0.namespace == identity.namespace && $0.valueType == .blob && !$0.isIdentity
    }
    let values = own.map {
      DatabaseCatalog.Column(
        name: column(of: $0), type: "jsonb", isUnique: $0.isUnique,
        sqlType: SQLColumnType($0, order))
    }
    let id = DatabaseCatalog.Column(
      name: "id", type: "uuid", isUnique: true,
      sqlType: SQLColumnType(.uuid, name: "pg_catalog.uuid", isNullable: false))
    var table = DatabaseCatalog.Table(
      name: identity.namespace, columns: [id] + values, key: ["id"], foreignKeys: [])
    table.qualifiedName = try queries.table(identity, values, own, creation: creation)
    table.estimate = estimate
    table.creation = creation
    table.isSparse = true
    table.readOnlyReason = "belongs to an Instant server"
    return DatabaseNames.Namespace(
      table: table, identity: identity, ids: RowIDs(table),
      values: zip(values, own).map { (column: $0, attribute: $1) })
  }

  /// Returns the column name of an attribute: its label or, if the label is too long or reserved,
  /// its id.
  private static func column(of attribute: Attribute) -> String {
    let label = attribute.label
    let isName = (1...63).contains(label.utf8.count) && label != "id" && label != creation
    return isName ? label : attribute.id.text
  }

  private static func link(
    _ attribute: Attribute, _ queries: TripleQueries
  ) throws -> DatabaseNames.Link {
    let pairs = try queries.pairs(attribute)
    return DatabaseNames.Link(
      attribute: attribute,
      key: DatabaseCatalog.ForeignKey(
        columns: ["source"], target: attribute.namespace, targetColumns: ["id"]),
      joined: DatabaseCatalog.ForeignKey(
        columns: ["target"], target: attribute.reverse?.namespace ?? "", targetColumns: ["id"]),
      table: attribute.id.text, sqlName: pairs, sqlRows: pairs)
  }

  /// Returns the number of entities of a namespace, estimated from statistics if there are many.
  private static func count(
    _ identity: Attribute, _ queries: TripleQueries, _ session: PostgresSession
  ) throws -> Int {
    let limit = PostgresCatalog.maxSmallTable + 1
    let statement = SQLStatement(
      text: "SELECT count(*) FROM (SELECT 1 FROM \(try queries.entities(identity)) AS r "
        + "LIMIT $1::pg_catalog.int8) AS t",
      values: [.integer(Int64(limit))])
    let found = try session.rows(of: statement)
    let count = try found.step() ? Int(found.integer(0)) : 0
    guard count >= limit else { return count }
    let all = SQLStatement(
      text: "SELECT count(*) FROM \(try queries.entities(identity, isEstimated: true)) AS r")
    return max(count, try session.estimatedInput(of: all) ?? count)
  }
}

/// Writes subqueries of the table `triples` for the rows of one app.
private struct TripleQueries {
  /// The app's id as an SQL literal.
  private let app: String

  init(_ app: InstantApps.App) throws(StoreError) {
    self.app = try Self.literal(app.id)
  }

  /// Returns an id as an SQL literal.
  private static func literal(_ id: String) throws(StoreError) -> String {
    let known = EntityID(id)
    guard known.isUUID else {
      throw .broken(path: "The Instant server has an invalid id: '\(id)' is not a UUID.")
    }
    return "'\(known.text)'::pg_catalog.uuid"
  }

  /// Returns a subquery for the triples of an attribute.
  ///
  /// - Parameters:
  ///   - alias: The name of the table within the subquery.
  ///   - conditions: Further conditions on the table's columns.
  private func triples(
    of attribute: Attribute, _ alias: String, where conditions: [String], selecting columns: String
  ) throws(StoreError) -> String {
    let id = try Self.literal(attribute.id.text)
    let all = ["app_id = \(app)", "attr_id = \(id)"] + conditions
    return "(SELECT \(columns) FROM public.triples AS \(alias) WHERE "
      + all.map { "\(alias).\($0)" }.joined(separator: " AND ") + ")"
  }

  /// Returns a subquery for the ids of the entities of a namespace.
  ///
  /// - Parameter isEstimated: Whether the subquery serves only for the planner's estimate of the
  ///   number of ids. The planner assumes that an attribute and its app are independent, so the
  ///   subquery then omits the condition on the app.
  func entities(_ identity: Attribute, isEstimated: Bool = false) throws(StoreError) -> String {
    guard isEstimated, identity.catalog == .user else {
      return try triples(of: identity, "i", where: ["ea"], selecting: "i.entity_id AS id")
    }
    let id = try Self.literal(identity.id.text)
    return "(SELECT i.entity_id AS id FROM public.triples AS i WHERE i.attr_id = \(id) AND i.ea)"
  }

  /// Returns a subquery for the entities of a namespace with their values.
  func table(
    _ identity: Attribute, _ values: [DatabaseCatalog.Column], _ attributes: [Attribute],
    creation: String
  ) throws(StoreError) -> String {
    var columns = "i.entity_id AS id, i.created_at AS \(creation.quotedSQL)"
    for (column, attribute) in zip(values, attributes) {
      let isList = attribute.cardinality == .many
      let value = try triples(
        of: attribute, "v", where: (isList ? [] : ["ea"]) + ["entity_id = i.entity_id"],
        selecting: isList
          ? "pg_catalog.jsonb_agg(v.value ORDER BY v.created_at, v.value)" : "v.value")
      columns += ", \(value) AS \(column.name.quotedSQL)"
    }
    return try triples(of: identity, "i", where: ["ea"], selecting: columns)
  }

  /// Returns a subquery for the values of an attribute, each with the id of its entity.
  ///
  /// The flags select the index for equality: `ave` for indexed attributes, `av` for unique
  /// attributes.
  func cells(_ attribute: Attribute) throws(StoreError) -> String {
    var (value, flags) = ("v.value", ["ea"])
    if attribute.isIndexed {
      flags.append("ave")
      if let type = attribute.checkedType { flags.append("checked_data_type = '\(type.rawValue)'") }
    } else if attribute.isUnique {
      flags.append("av")
      value = "public.json_null_to_null(v.value)"
    }
    return try triples(
      of: attribute, "v", where: flags, selecting: "v.entity_id AS id, \(value) AS value")
  }

  /// Returns a subquery for the pairs of ids that a link connects.
  func pairs(_ link: Attribute) throws(StoreError) -> String {
    try triples(
      of: link, "r", where: ["eav", "vae"],
      selecting: "r.entity_id AS source, public.json_uuid_to_uuid(r.value) AS target")
  }
}

extension SQLColumnType {
  /// The type of the column of an attribute's values.
  fileprivate init(_ attribute: Attribute, _ order: TextOrder) {
    self.init(.json, name: "pg_catalog.jsonb")
    textOrder = order
    roundsLargeNumbers = true
    switch attribute.checkedType {
    case .date: extractors = [.date: "public.triples_extract_date_value"]
    case .string where attribute.isIndexed:
      extractors = [.string: "public.triples_extract_string_value"]
    case .number where attribute.isIndexed:
      extractors = [.number: "public.triples_extract_number_value"]
    case .string, .number, .boolean, nil: break
    }
  }
}
