public import DataSources
public import GRDB

/// Opens databases for data sources.
public enum SQLDatabase {
  /// Opens the database in the file at `path`, which is created if necessary. Reads do not wait for
  /// writes (WAL).
  ///
  /// - Parameter prepare: Creates the tables. It runs in one transaction before any other access.
  /// - Throws: `system` when the file cannot be opened, `dataSerialization` when it is not a
  ///   database.
  public static func open(
    path: String, prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) async throws(DataSourceError) -> any DatabaseWriter {
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(5)
      let pool = try DatabasePool(path: path, configuration: configuration)
      try await pool.write(prepare)
      return pool
    } catch {
      throw DataSourceError(database: error, source: SQLDatabase.self, operation: nil)
    }
  }

  /// Creates a database in memory. The database is discarded with its last reference.
  public static func inMemory(
    prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) async throws(DataSourceError) -> any DatabaseWriter {
    do {
      let queue = try DatabaseQueue()
      try await queue.write(prepare)
      return queue
    } catch {
      throw DataSourceError(database: error, source: SQLDatabase.self, operation: nil)
    }
  }
}
