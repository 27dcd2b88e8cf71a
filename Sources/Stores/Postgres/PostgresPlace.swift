import InstaQL
package import LiveQueries
import Triples

/// The place to which the unqualified table names of a session refer.
struct PostgresPlace: Sendable {
  /// The start time of the server, which no other server has.
  private let server: String
  private let database: String
  /// The schemas of the search path; new tables are created in the first one.
  private let schemas: [String]

  init(_ session: PostgresSession) throws {
    let rows = try session.rows(
      """
      SELECT EXTRACT(EPOCH FROM pg_catalog.pg_postmaster_start_time())::text,
        pg_catalog.current_database(), n.name
      FROM pg_catalog.unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY AS n(name, place)
      ORDER BY n.place LIMIT 10000
      """)
    var (server, database, schemas) = ("", "", [] as [String])
    while try rows.step() {
      (server, database) = (rows.text(0), rows.text(1))
      schemas.append(rows.text(2))
    }
    (self.server, self.database, self.schemas) = (server, database, schemas)
  }

  /// Returns whether tables that are created at the other place can be named here.
  func containsTables(createdAt other: PostgresPlace) -> Bool {
    guard server == other.server, database == other.database, let schema = other.schemas.first
    else { return false }
    return schemas.contains(schema)
  }
}

/// A PostgreSQL database to which a store is exported.
package struct PostgresTarget: Sendable {
  let parameters: PostgresParameters
  /// The only session of the export, which opens on demand.
  let connection: PostgresConnection

  /// Creates a target without connecting to it.
  ///
  /// - Throws: ``StoreError`` if the library is unavailable or the parameters are invalid.
  package init(_ parameters: PostgresParameters) throws(StoreError) {
    self.parameters = parameters
    do {
      connection = try PostgresConnection(parameters, isWritable: true)
    } catch {
      throw StoreError(writing: error, to: parameters)
    }
  }

  /// Returns whether an export would create its tables among those that a store reads; false if that
  /// is unknown.
  ///
  /// - Throws: ``StoreError`` if the target cannot be reached.
  package func isRead(by store: any StoreDataSource) async throws(StoreError) -> Bool {
    guard let source = store as? PostgresStore else { return false }
    if source.parameters == parameters { return true }
    do {
      // Some servers that are not PostgreSQL lack the functions that identify a place.
      let place = try await connection.read { try? PostgresPlace($0) }
      let own = try? await source.screenConnection.read { try PostgresPlace($0) }
      guard let place, let own else { return false }
      return own.containsTables(createdAt: place)
    } catch {
      throw StoreError(writing: error, to: parameters)
    }
  }
}

extension StoreError {
  /// Converts an error of writing to a database to a store error with a message for the user.
  init(writing error: any Error, to parameters: PostgresParameters) {
    guard let error = error as? PostgresError else {
      self.init(postgres: error, of: parameters)
      return
    }
    self = .unwritable(
      path: parameters.shown, reason: error.isRejection ? error.rejection : error.reason)
  }
}
