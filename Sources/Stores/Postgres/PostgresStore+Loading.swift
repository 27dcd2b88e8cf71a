import InstaQL
import LiveQueries
import Triples

// Loads all rows of a database, or all data of an app, into memory.
extension PostgresStore {
  /// Reads all rows of tables in one transaction, except of foreign tables that cannot be read.
  func wholeTables(_ bytes: AnswerView.Bytes) async throws -> WholeStore {
    let (shape, name) = (shape, parameters.shown)
    let tables = try await backgroundConnection.read(isSnapshot: true) { session in
      try DatabaseLoader.loadReadable(
        shape, session, path: name, for: bytes == .counted ? .showing : .writing,
        progress: .unread)
    }
    var whole = whole(snapshot(tables.store, nil), without: tables.unreadable)
    whole.jsonStrings = tables.jsonStrings
    return whole
  }

  /// Reads all rows in one transaction, if there are not too many to evaluate a query in memory.
  ///
  /// - Parameters:
  ///   - reason: The reason why the query needs all rows, for the error if there are too many.
  ///   - views: The views and foreign tables whose rows are read, too.
  ///   - shape: The mapping with the partitions whose rows are read, too.
  func everything(
    _ bytes: AnswerView.Bytes, for reason: QueryError, views: Set<String>, in shape: SchemaMapping
  ) async throws -> StoreSnapshot {
    let name = parameters.shown
    if case .app(let app) = content { return try await everything(of: app, for: reason) }
    if let maxRows = shape.limits?.rowsInMemory {
      let size = try await backgroundConnection.read { session in
        try shape.names.namespaces.filter {
          !($0.table.isView || $0.table.isForeign) || views.contains($0.table.name)
        }.reduce(0) { size, namespace in
          // Views have no statistics.
          size > maxRows
            ? size
            : try size
              + (namespace.table.estimate
                ?? PostgresCounts.count(namespace.table, session, maxCount: maxRows) ?? maxRows + 1)
        }
      }
      guard size <= maxRows else {
        throw StoreError.unreadable(
          path: name,
          reason: "\(reason.message) The database has more than \(maxRows) rows, too many to "
            + "evaluate the query in memory")
      }
    }
    let store = try await backgroundConnection.read(isSnapshot: true) { session in
      try DatabaseLoader.load(
        shape, session, path: name, for: bytes == .counted ? .showing : .writing, views: views,
        progress: .unread)
    }
    return snapshot(store, nil)
  }

  /// Reads all data of an app in one transaction.
  func everything(
    of app: InstantApps.App, for reason: QueryError?
  ) async throws -> StoreSnapshot {
    let name = parameters.shown
    let store = try await backgroundConnection.read(isSnapshot: true) { session in
      let limit = InstantApps.maxTriples
      guard try !InstantApps.isLarge(app, session, limit: limit) else {
        throw StoreError.unreadable(
          path: name,
          reason: (reason.map { $0.message + " " } ?? "")
            + "The app has more than \(limit) triples, too many to load")
      }
      return try InstantApps.load(app, session)
    }
    return snapshot(store, nil)
  }
}
