import InstaQL

/// The part of a PostgreSQL database that a store shows.
enum PostgresContent: Sendable, Hashable {
  /// All tables and views.
  case tables
  /// An app in the database of an Instant server.
  case app(InstantApps.App)

  /// Reads the tables or attributes.
  ///
  /// - Parameter partitions: The partitions to read as tables of their own, too.
  func shape(
    _ session: PostgresSession, limits: ReadingLimits, partitions: Set<String> = []
  ) throws -> SchemaMapping {
    switch self {
    case .tables:
      try SchemaMapping(
        PostgresCatalog(session, limits: limits, partitions: partitions), limits: limits)
    case .app(let app):
      try SchemaMapping(InstantTables(app, session, limits: limits), limits: limits)
    }
  }

  /// Returns the reason why changes are rejected when the store is read-only.
  func readOnlyReason(of database: String) -> String {
    switch self {
    case .tables: ReadOnlyReason.postgres(database)
    case .app(let app): ReadOnlyReason.instantApp(app.id)
    }
  }

  /// A note on the content for the user; nil if there is none.
  var remark: String? {
    switch self {
    case .tables: nil
    case .app(let app): ExportRemark.withoutRules(app.title, app.note)
    }
  }
}
