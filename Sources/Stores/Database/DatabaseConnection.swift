import GRDB
import LiveQueries
import Synchronization
import Triples

/// Connections to one file: for the screen, for slow reads, for sorting, and for writing.
final class DatabaseConnection: Sendable {
  private let path: String
  private let screenQueue: DatabaseQueue
  private let backgroundQueue: DatabaseQueue
  private let openSortingQueue: @Sendable () throws -> DatabaseQueue
  private let sortingQueue = Mutex<DatabaseQueue?>(nil)
  /// The connection for writing, which is opened when the first change is made.
  private let writer = Mutex<DatabaseQueue?>(nil)
  let identity: Files.Identity?
  /// Whether the file is treated as immutable, since its folder is read-only.
  let isUnchanging: Bool

  /// The values of `PRAGMA data_version` and `schema_version`. The first changes when another
  /// connection commits, the second when the schema changes.
  struct Version: Hashable, Sendable {
    var data: Int64
    var schema: Int64
  }

  /// How long to wait for a lock of another process.
  let lockTimeout: Duration
  let limits: ReadingLimits
  /// Waits for a lock of another process before a change.
  private let lockWait: LockWait

  /// Opens the connections for the screen and for slow reads. The others open when they are first
  /// used.
  ///
  /// - Parameter onBlocked: Called with true when another process starts to block changes, and with
  ///   false when it stops.
  init(
    _ path: String, lockTimeout: Duration = StoreFile.lockTimeout,
    limits: ReadingLimits = ReadingLimits(),
    onBlocked: @escaping @Sendable (Bool) -> Void = { _ in }
  ) throws {
    self.path = path
    self.lockTimeout = lockTimeout
    self.limits = limits
    lockWait = LockWait(lockTimeout: lockTimeout, onChange: onBlocked)
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(lockTimeout / .seconds(1))
    configuration.label = "sonde.database"
    configuration.prepareDatabase {
      SchemaMapping.registerFunctions(in: $0)
      $0.endsStatementsOfCanceledTasks()
    }
    let address: String
    (screenQueue, backgroundQueue, address) = try Self.open(path, configuration)
    isUnchanging = address != path
    openSortingQueue = { [configuration] in
      try DatabaseQueue(path: address, configuration: configuration)
    }
    identity = Files.Identity(path)
  }

  private static func open(
    _ path: String, _ configuration: Configuration
  ) throws -> (screenQueue: DatabaseQueue, backgroundQueue: DatabaseQueue, address: String) {
    func queue(_ address: String) throws -> DatabaseQueue {
      try DatabaseQueue(path: address, configuration: configuration)
    }
    do {
      return (try queue(path), try queue(path), path)
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      // A database in WAL mode needs a shared-memory file even for reading.
      let address = Files.databaseAddress(of: path, "immutable=1")
      guard let screenQueue = try? queue(address), let backgroundQueue = try? queue(address) else {
        throw error
      }
      return (screenQueue, backgroundQueue, address)
    }
  }

  /// Runs `body` in one write transaction.
  ///
  /// - Throws: ``StoreError/gone(path:)`` if the file no longer exists, since no new file is
  ///   created in its place; `CancellationError` if the task was canceled before the commit.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    guard !isUnchanging else {
      throw StoreError.unwritable(path: path, reason: "its folder is read-only")
    }
    defer { lockWait.end() }
    do {
      return try await openWriter().writeWithoutTransaction { db in
        var result: Result?
        try db.inTransaction(.immediate) {
          result = try body(db)
          return .commit
        }
        guard let result else { throw CancellationError() }
        return result
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      try Task.checkCancellation()
      throw error
    }
  }

  /// Opens the connection for writing. This runs on GRDB's queue, since it may wait for a lock.
  private func openWriter() async throws -> DatabaseQueue {
    if let known = writer.withLock({ $0 }) { return known }
    guard Files.Identity(path) == identity else { throw StoreError.gone(path: path) }
    let new = try await backgroundQueue.read { [path, lockWait] _ in
      var configuration = Configuration()
      configuration.busyMode = .callback { lockWait.isWorthAnother($0) }
      configuration.foreignKeysEnabled = true
      configuration.label = "sonde.database.writer"
      configuration.prepareDatabase { SchemaMapping.registerFunctions(in: $0) }
      return try DatabaseQueue(path: path, configuration: configuration)
    }
    writer.withLock { $0 = new }
    return new
  }

  /// Reads the schema mapping, and the version of the database from which it was read.
  ///
  /// - Parameter isInMemory: Whether all rows are read into memory. If so, views that are slow to
  ///   read are not namespaces.
  func shape(
    isInMemory: Bool = false
  ) async throws -> (shape: SchemaMapping, version: Version) {
    try await screenQueue.read { [limits] db in
      (try SchemaMapping(db, isInMemory: isInMemory, limits: limits), try Self.version(db))
    }
  }

  func version() async throws -> Version {
    try await screenQueue.read { db in try Self.version(db) }
  }

  static func version(_ db: Database) throws -> Version {
    Version(
      data: try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0,
      schema: try Int64.fetchOne(db, sql: "PRAGMA schema_version") ?? 0)
  }

  /// Returns the size of the database in bytes, without the write-ahead log.
  func size() async throws -> Int {
    try await screenQueue.read { db in
      (try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
        * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }

  /// Loads all rows of the database into a store, from one commit.
  func everything(
    _ shape: SchemaMapping, for purpose: ReadingPurpose = .showing, views: Set<String> = [],
    _ progress: ProgressReport
  ) async throws -> TripleStore {
    try await backgroundQueue.read { [path] db in
      try DatabaseLoader.load(
        shape, db, path: path, for: purpose, views: views, progress: progress)
    }
  }

  /// Counts the rows of each readable table. Also returns the first error of a damaged table.
  func counts(
    _ shape: SchemaMapping
  ) async throws -> (numbers: [String: Int], damage: DatabaseError?) {
    var counts: [String: Int] = [:]
    var damage: DatabaseError?
    let views = shape.views
    for name in shape.names.namespaces.map(\.table.name) {
      if views.contains(name) {
        counts[name] = try await count(ofView: name)
        continue
      }
      do {
        counts[name] = try await backgroundQueue.read { db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name.quotedSQL)")
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        // Other tables can still be counted.
        damage = damage ?? error
      }
    }
    return (counts, damage)
  }

  /// Returns the number of rows of a view. Nil if it has too many rows, cannot be read, or takes
  /// too long.
  private func count(ofView name: String) async throws -> Int? {
    let count = try await withThrowingTaskGroup(of: Int?.self) { group in
      group.addTask { [backgroundQueue] in
        try? await backgroundQueue.read { db in
          let rows = "SELECT 1 FROM \(name.quotedSQL) LIMIT \(Self.maxCounted + 1)"
          return try Int.fetchOne(db, sql: "SELECT count(*) FROM (\(rows))")
        }
      }
      group.addTask {
        try? await Task.sleep(for: Self.maxCounting)
        return nil
      }
      let first = try await group.next() ?? nil
      group.cancelAll()
      return first
    }
    try Task.checkCancellation()
    return count.flatMap { $0 > Self.maxCounted ? nil : $0 }
  }

  private static let maxCounted = 50_000
  private static let maxCounting = Duration.seconds(1)

  /// The connections for reading: for the screen, for slow reads, and for
  /// sorting.
  enum Place { case screen, background, sorting }

  /// Runs `body`, which reads from one commit. Canceling the task interrupts the running statement.
  func read<Result: Sendable>(
    _ place: Place, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    switch place {
    case .screen: try await screenQueue.read(body)
    case .background: try await backgroundQueue.read(body)
    case .sorting: try await openedSortingQueue().read(body)
    }
  }

  private func openedSortingQueue() throws -> DatabaseQueue {
    try sortingQueue.withLock { queue in
      if let queue { return queue }
      let new = try openSortingQueue()
      queue = new
      return new
    }
  }
}
