import InstaQL
import LiveQueries
import Triples

/// The apps in the database of a self-hosted Instant server.
///
/// - Source: the tables of instantdb/instant after its migration 124.
struct InstantApps: Sendable {
  struct App: Sendable, Hashable {
    var id: String
    var title: String
    /// The date of creation.
    var created = ""
    var status: String
    var isMarkedForDeletion: Bool
    var isElsewhere: Bool
    /// A description of the rows that row security may hide from the role; nil if it hides none.
    var hiddenRows: String?
  }

  let apps: [App]
  /// The numbers of triples of the apps to list, at most ``maxCounted`` + 1, keyed by the app's id.
  private var counts: [String: Int] = [:]
  /// The maximum number of triples that are counted for the list of apps.
  private static let maxCounted = 10_000
  private static let maxListed = 40

  /// The id of the catalog whose attributes all apps share.
  static let systemCatalog = "a1111111-1111-1111-1111-111111111ca7"
  /// The system namespaces that are shown; other system namespaces contain tokens and login codes.
  private static let shownNamespaces: Set<String> = ["$users", "$files", "$streams"]

  /// The columns by which a database of Instant is recognized.
  private static let neededColumns = [
    "triples": [
      "app_id", "entity_id", "attr_id", "value", "created_at", "ea", "eav", "vae", "av", "ave",
      "checked_data_type",
    ],
    "attrs": [
      "id", "app_id", "value_type", "cardinality", "is_unique", "is_indexed", "forward_ident",
      "etype", "label", "reverse_ident", "reverse_etype", "reverse_label", "deletion_marked_at",
      "indexing", "setting_unique", "checking_data_type", "checked_data_type",
    ],
    "apps": ["id", "title", "status", "deletion_marked_at"],
    "transactions": ["id", "app_id", "created_at"],
  ]

  /// Returns whether the database has the tables of an Instant server.
  static func haveTables(_ session: PostgresSession) throws -> Bool {
    for (table, columns) in neededColumns {
      let rows = try session.rows(
        """
        SELECT count(*) FROM pg_catalog.pg_attribute AS a
        WHERE a.attrelid = pg_catalog.to_regclass($1) AND a.attname = ANY ($2::text[])
          AND NOT a.attisdropped LIMIT 1
        """, ["public.\(table)", "{" + columns.joined(separator: ",") + "}"])
      guard try rows.step(), rows.integer(0) == columns.count else { return false }
    }
    return true
  }

  /// Returns whether the database belongs to an Instant server.
  static func areIn(_ session: PostgresSession) throws -> Bool {
    guard try haveTables(session) else { return false }
    let rows = try session.rows(
      """
      SELECT 1 WHERE pg_catalog.row_security_active('public.apps')
        OR EXISTS (SELECT 1 FROM public.apps WHERE id = $1::uuid) LIMIT 1
      """, [systemCatalog])
    return try rows.step()
  }

  /// Reads the apps. If the address does not select one of them, counts their triples for the list.
  init(_ session: PostgresSession, for parameters: PostgresParameters) throws {
    let hasAddress = try session.rows(
      """
      SELECT 1 FROM pg_catalog.pg_attribute AS a
      WHERE a.attrelid = 'public.apps'::pg_catalog.regclass AND a.attname = 'connection_string'
        AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT') LIMIT 1
      """
    ).step()
    let rows = try session.rows(
      """
      SELECT id::text, title, status::text, deletion_marked_at IS NOT NULL,
        \(hasAddress ? "connection_string IS NOT NULL" : "false"),
        coalesce(created_at::date::text, '')
      FROM public.apps WHERE id <> $1::uuid ORDER BY created_at, id LIMIT 10000
      """, [Self.systemCatalog])
    let hiddenRows = try Self.hiddenRows(session)
    var apps: [App] = []
    while try rows.step() {
      apps.append(
        App(
          id: rows.text(0), title: rows.text(1), created: rows.text(5), status: rows.text(2),
          isMarkedForDeletion: rows.bool(3), isElsewhere: rows.bool(4), hiddenRows: hiddenRows))
    }
    self.apps = apps
    if chosen(parameters.app).count == 1 { return }
    for app in listed(parameters.app) { counts[app.id] = try Self.count(app, session) }
  }

  private static func count(_ app: App, _ session: PostgresSession) throws -> Int {
    let rows = try session.rows(
      "SELECT count(*) FROM (SELECT 1 FROM public.triples WHERE app_id = $1::uuid LIMIT $2::int8) AS t",
      [app.id, String(maxCounted + 1)])
    return try rows.step() ? Int(rows.integer(0)) : 0
  }

  private static func hiddenRows(_ session: PostgresSession) throws -> String? {
    let rows = try session.rows(
      """
      SELECT name FROM pg_catalog.unnest('{public.attrs,public.triples}'::text[]) AS t(name)
      WHERE pg_catalog.row_security_active(name) LIMIT 2
      """)
    var tables: [String] = []
    while try rows.step() { tables.append(rows.text(0)) }
    return PostgresCatalog.hiddenRows(of: tables)
  }

  /// Returns the app that an address selects.
  ///
  /// - Throws: ``StoreError`` if the app is ambiguous, if its data is not in this database, or if
  ///   `access` allows changes.
  func readableApp(_ parameters: PostgresParameters, _ access: StoreAccess) throws -> App {
    let app = try app(named: parameters.app, in: parameters.shown)
    guard !app.isElsewhere else {
      throw StoreError.broken(path: "The data of the app '\(app.title)' is in another database.")
    }
    guard access == .readOnly else {
      throw StoreError.broken(path: ReadOnlyReason.instantApp(app.id))
    }
    return app
  }

  /// Returns the apps with the given id or title. If `name` is nil, returns all apps that are not
  /// marked for deletion.
  private func chosen(_ name: String?) -> [App] {
    guard let name else { return apps.filter { !$0.isMarkedForDeletion } }
    let byID = apps.filter { $0.id == name.lowercased() }
    return byID.isEmpty ? apps.filter { $0.title == name } : byID
  }

  /// Returns the apps to list if the given name does not select one: those with this title, or all.
  private func listed(_ name: String?) -> some Sequence<App> {
    let same = name == nil ? [] : chosen(name)
    return (same.isEmpty ? apps : same).prefix(Self.maxListed)
  }

  /// Returns the app with the given id or title. If `name` is nil, returns the only app.
  ///
  /// - Throws: ``StoreError`` with the list of apps if the app is ambiguous.
  func app(named name: String?, in place: String) throws(StoreError) -> App {
    let chosen = chosen(name)
    if chosen.count == 1 { return chosen[0] }
    let list = listed(name).map { app in
      "  #\(app.id)  \(app.title)\(app.note), \(facts(of: app))"
    }.joined(separator: "\n")
    let words =
      switch name {
      case let name? where chosen.isEmpty: "There is no app '\(name)' in \(place)."
      case let name?: "The title '\(name)' is ambiguous: \(chosen.count) apps have it."
      case nil: "\(place) is the database of an Instant server with \(apps.count) apps."
      }
    let advice = chosen.count > 1 && name != nil ? "#ID" : "#ID or #TITLE"
    throw .broken(path: "\(words) Open one with \(advice) after the address:\n\(list)")
  }

  /// Describes the size and age of an app.
  private func facts(of app: App) -> String {
    let triples =
      switch counts[app.id] ?? 0 {
      case 1: "1 triple"
      case let count where count > Self.maxCounted: "more than \(Self.maxCounted) triples"
      case let count: "\(count) triples"
      }
    return triples + (app.created.isEmpty ? "" : ", created \(app.created)")
  }

  /// The maximum number of triples of an app that is loaded when it is opened. Queries of a larger
  /// app run as SQL.
  static let maxLoadedTriples = 200_000
  /// The maximum number of triples to load when a query or an export needs all data of an app.
  static let maxTriples = 2_000_000

  /// Returns whether an app has more triples than `limit`.
  static func isLarge(_ app: App, _ session: PostgresSession, limit: Int) throws -> Bool {
    let rows = try session.rows(
      "SELECT 1 FROM public.triples WHERE app_id = $1::uuid OFFSET $2::int8 LIMIT 1",
      [app.id, String(limit)])
    return try rows.step()
  }

  /// Reads the attributes of an app, without those of internal namespaces of the server.
  static func attributes(of app: App, _ session: PostgresSession) throws -> [Attribute] {
    let rows = try session.rows(
      """
      SELECT id::text, value_type, cardinality, is_unique, is_indexed, forward_ident::text, etype,
        label, reverse_ident::text, reverse_etype, reverse_label, checked_data_type::text,
        coalesce(indexing, false), coalesce(setting_unique, false),
        coalesce(checking_data_type, false), app_id <> $1::uuid
      FROM public.attrs WHERE app_id IN ($1::uuid, $2::uuid) AND deletion_marked_at IS NULL
      ORDER BY label <> 'id', etype COLLATE "C", label COLLATE "C", id LIMIT 100000
      """, [app.id, systemCatalog])
    var attributes: [Attribute] = []
    while try rows.step() {
      if let attribute = attribute(rows) { attributes.append(attribute) }
    }
    return attributes
  }

  /// Reads all data of an app in the current transaction.
  static func load(_ app: App, _ session: PostgresSession) throws -> TripleStore {
    var store = TripleStore()
    for attribute in try attributes(of: app, session) { store.addAttribute(attribute) }
    let rows = try session.allRows(
      of: """
        SELECT entity_id::text, attr_id::text, value::text, created_at FROM public.triples
        WHERE app_id = '\(EntityID(app.id).text)'::uuid ORDER BY created_at, entity_id, attr_id, value
        LIMIT \(maxTriples + 1)
        """)
    var count = 0
    while try rows.step() {
      count += 1
      guard count <= maxTriples else {
        throw StoreError.broken(
          path:
            "The app '\(app.title)' has more than \(maxTriples) triples and is too large to load."
        )
      }
      guard let attribute = store.schema.attribute(AttributeID(rows.text(1))) else { continue }
      let text = rows.text(2)
      let value =
        (try? JSONReader.value(of: Array(text.utf8), options: SQLColumnType.numberOptions))
        ?? .text(text)
      let entity = store.makeEntity(EntityID(rows.text(0)), in: attribute.namespace)
      store.insert(value, of: entity, attribute.id, at: rows.integer(3))
    }
    return store
  }

  /// Reads an attribute from a row; nil for internal attributes of the server.
  private static func attribute(_ rows: PostgresRows) -> Attribute? {
    let namespace = rows.text(6)
    guard !namespace.hasPrefix("$") || shownNamespaces.contains(namespace) else { return nil }
    var attribute = Attribute(
      id: AttributeID(rows.text(0)), namespace: namespace, label: rows.text(7))
    attribute.name.id = rows.text(5)
    attribute.valueType = rows.text(1) == "ref" ? .ref : .blob
    attribute.cardinality = rows.text(2) == "many" ? .many : .one
    attribute.isUnique = rows.bool(3) && !rows.bool(13)
    attribute.isIndexed = rows.bool(4) && !rows.bool(12)
    if attribute.valueType == .ref {
      let target = rows.text(9)
      guard !target.hasPrefix("$") || shownNamespaces.contains(target) else { return nil }
      attribute.reverse = Attribute.Name(
        id: rows.text(8), namespace: target, label: rows.text(10))
    } else if !rows.isNull(11), !rows.bool(14) {
      attribute.checkedType = CheckedType(rawValue: rows.text(11))
    }
    attribute.catalog = rows.bool(15) ? .system : .user
    return attribute
  }

  /// Returns a fingerprint that changes whenever an attribute of the app changes.
  static func signOfAttributes(of app: App, _ session: PostgresSession) throws -> String {
    let rows = try session.rows(
      """
      SELECT pg_catalog.sum(pg_catalog.hashtextextended(a::text, 0)::numeric)::text
      FROM public.attrs AS a WHERE app_id IN ($1::uuid, $2::uuid) LIMIT 1
      """, [app.id, systemCatalog])
    return try rows.step() ? rows.text(0) : ""
  }

  /// Returns a fingerprint that changes with every transaction of an app. It consists of several
  /// recent transaction numbers, because a lower number can be committed after a higher number. If
  /// row security may hide transactions, it changes with every write transaction of the server.
  static func sign(of app: App, _ session: PostgresSession) throws -> String {
    let rows = try session.rows(
      """
      SELECT pg_catalog.concat_ws(',', pg_catalog.string_agg(t.id::text, ',' ORDER BY t.id),
        CASE WHEN pg_catalog.row_security_active('public.transactions')
          THEN pg_catalog.pg_current_snapshot()::text END)
      FROM (
        SELECT id FROM public.transactions WHERE app_id = $1::uuid ORDER BY id DESC LIMIT 200) AS t
      """, [app.id])
    return try rows.step() ? rows.text(0) : ""
  }
}

extension InstantApps.App {
  /// A note on the app in parentheses; empty if there is nothing to note.
  var note: String {
    if isElsewhere { return " (its data is in another database)" }
    if isMarkedForDeletion { return " (marked for deletion)" }
    return status == "active" ? "" : " (\(status))"
  }
}
