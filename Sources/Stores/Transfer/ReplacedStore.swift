import GRDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Draft {
  /// Replaces the target like `replace()`, and also takes care of a database's write-ahead log.
  ///
  /// The log is first merged into the old database. Until it is replaced, the old database is
  /// therefore complete, and SQLite does not apply its log to the new file.
  package func replaceStore() throws(StoreError) {
    do {
      if isDatabase {
        try replaceDatabase()
      } else {
        try replace()
      }
    } catch let error as SystemError {
      throw .unwritable(path: target, reason: error.reason)
    } catch {
      throw StoreError(error, of: target)
    }
  }

  private static let lockTimeout = Duration.seconds(10)
  private static let maxAttempts = 50

  /// Whether the target starts like a SQLite file.
  private var isDatabase: Bool {
    guard Files.kind(of: target) == .file else { return false }
    return (try? Files.bytes(of: target, limit: 16)) == Array("SQLite format 3\0".utf8)
  }

  private func replaceDatabase() throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Self.lockTimeout / .seconds(1))
    do {
      let queue = try DatabaseQueue(path: target, configuration: configuration)
      try queue.writeWithoutTransaction { db in try self.replaceLocked(db) }
      try? queue.close()
    } catch let error as DatabaseError where Self.isDamage(error) {
      // If the log cannot be merged, it is moved away, so that it is not applied to the new file.
      includeFiles(Files.logs(of: target))
      try replace()
    }
  }

  private static func isDamage(_ error: DatabaseError) -> Bool {
    [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT].contains(error.resultCode)
  }

  /// Replaces the file while no other process can write to the old file.
  private func replaceLocked(_ db: Database) throws {
    for _ in 0..<Self.maxAttempts {
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      try db.execute(sql: "BEGIN IMMEDIATE")
      defer { try? db.execute(sql: "ROLLBACK") }
      // Another process may have written to the log in the meantime.
      var status = stat()
      if stat(target + "-wal", &status) == 0, status.st_size > 0 { continue }
      try replace()
      for log in Files.logs(of: target) { unlink(log) }
      return
    }
    throw StoreError.busy(path: target)
  }
}
