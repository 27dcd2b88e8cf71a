import InstaQL
import Triples

/// The place to which the unqualified table names of a session refer.
struct PostgresPlace: Sendable {
  /// The start time of the server, which no other server has.
  let server: String
  let database: String
  /// The schemas of the search path; new tables are created in the first one.
  let schemas: [String]

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
}

extension PostgresParameters {
  /// Returns whether an export to other parameters would create its tables among those that a
  /// store on these parameters reads.
  ///
  /// - Throws: ``StoreError`` if a server cannot be reached.
  @concurrent
  public func hasTables(ofExportTo target: PostgresParameters) async throws(StoreError) -> Bool {
    let (own, other) = (try await place(), try await target.place())
    guard own.server == other.server, own.database == other.database,
      let schema = other.schemas.first
    else { return false }
    return own.schemas.contains(schema)
  }

  private func place() async throws(StoreError) -> PostgresPlace {
    do {
      let connection = try PostgresConnection(self)
      let place = try await connection.read { try PostgresPlace($0) }
      await connection.close()
      return place
    } catch {
      throw StoreError(postgres: error, of: self)
    }
  }
}
