public import DataSources
public import GRDB

/// Opens databases for data sources.
public enum SQLDatabase {
  /// How long to wait while another process locks the database.
  private static let maxLockWait: Duration = .seconds(5)

  /// Opens the database in the file at `path`, and creates the file if necessary. Reads do not wait
  /// for writes (WAL). While another process locks the database, waits up to 5 seconds.
  ///
  /// - Parameter prepare: Creates the tables. It runs in one transaction before any other access.
  /// - Throws: `system` when the file cannot be opened or stays locked, `dataSerialization` when it
  ///   is not a database.
  public static func open(
    path: String, prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
  ) async throws(DataSourceError) -> any DatabaseWriter {
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(maxLockWait / .seconds(1))
      let settings = configuration
      return try await retryWhileLocked(for: maxLockWait) {
        let pool = try DatabasePool(path: path, configuration: settings)
        try await pool.write(prepare)
        return pool
      }
    } catch {
      throw DataSourceError(database: error, source: SQLDatabase.self, operation: nil)
    }
  }

  /// Creates a database in memory. It is discarded when the last reference to it is released.
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

  /// Calls `open` again until the database is no longer locked, at most for `maxWait`.
  ///
  /// A busy timeout is not enough: SQLite's switch to WAL fails immediately while another
  /// connection reads or writes.
  ///
  /// - Throws: The last error of `open`. An error that is not caused by a lock is thrown
  ///   immediately.
  package static func retryWhileLocked<Opened>(
    for maxWait: Duration, _ open: () async throws -> Opened
  ) async throws -> Opened {
    let deadline = ContinuousClock.now + maxWait
    while true {
      do {
        return try await open()
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
      {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
  }
}
