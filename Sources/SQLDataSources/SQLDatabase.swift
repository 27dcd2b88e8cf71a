public import DataSources
public import GRDB

/// Opens databases for data sources.
public enum SQLDatabase {
  /// The database in the file at `path`, made when it is not there; readers do not wait for writers.
  ///
  /// - Parameter prepare: Makes the tables; runs in one transaction before anybody else has the
  ///   database.
  /// - Throws: `system` when the file cannot be opened, `dataSerialization` when it is no database.
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

  /// A database in memory, gone with its last holder.
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
