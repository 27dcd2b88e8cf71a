import GRDB
import LiveQueries
import Synchronization
import Triples

/// A file opened for reading twice, so that the screen does not wait for counting, and a third time
/// for background work.
final class DatabaseConnection: Sendable {
  private let path: String
  private let front: DatabaseQueue
  private let behind: DatabaseQueue
  private let openAside: @Sendable () throws -> DatabaseQueue
  private let aside = Mutex<DatabaseQueue?>(nil)
  /// Opened by the first change.
  private let writer = Mutex<DatabaseQueue?>(nil)
  let identity: Files.Identity?
  /// Whether the file is treated as immutable, since its folder is read-only.
  let isUnchanging: Bool

  /// `PRAGMA data_version` and `schema_version`: whether another connection committed, or changed
  /// the schema.
  struct Version: Hashable, Sendable {
    var data: Int64
    var schema: Int64
  }

  /// How long another program that holds the file is waited for.
  let patience: Duration
  /// Waits for that program when something is to be changed.
  private let lockWait: LockWait

  /// Opens a connection.
  ///
  /// - Parameter tellHeld: Called when another process blocks changes, and when it no longer does.
  init(
    _ path: String, patience: Duration = StoreFile.lockTimeout,
    tellHeld: @escaping @Sendable (Bool) -> Void = { _ in }
  ) throws {
    self.path = path
    self.patience = patience
    lockWait = LockWait(patience: patience, tell: tellHeld)
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(patience / .seconds(1))
    configuration.label = "sonde.database"
    configuration.prepareDatabase {
      DatabaseShape.teach($0)
      $0.endsStatementsOfCancelledTasks()
    }
    let address: String
    (front, behind, address) = try Self.open(path, configuration)
    isUnchanging = address != path
    openAside = { [configuration] in
      try DatabaseQueue(path: address, configuration: configuration)
    }
    identity = Files.Identity(path)
  }

  private static func open(
    _ path: String, _ configuration: Configuration
  ) throws -> (front: DatabaseQueue, behind: DatabaseQueue, address: String) {
    func queue(_ address: String) throws -> DatabaseQueue {
      try DatabaseQueue(path: address, configuration: configuration)
    }
    do {
      return (try queue(path), try queue(path), path)
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      // A database with a log needs a file beside it, also for reading.
      let address = Files.databaseAddress(of: path, "immutable=1")
      guard let front = try? queue(address), let behind = try? queue(address) else { throw error }
      return (front, behind, address)
    }
  }

  /// Carries out what changes the file, all of it or nothing.
  ///
  /// - Throws: ``StoreError/gone(path:)`` when the file is not there any more: none is made in its place;
  ///   `CancellationError` when the task was cancelled before it was done, and nothing was.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    guard !isUnchanging else {
      throw StoreError.unwritable(path: path, reason: "nothing can be written beside it")
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

  /// Opening looks into the file, for which another program may have to be waited: where GRDB runs
  /// statements, and on no thread that others need.
  private func openWriter() async throws -> DatabaseQueue {
    if let known = writer.withLock({ $0 }) { return known }
    guard Files.Identity(path) == identity else { throw StoreError.gone(path: path) }
    let new = try await behind.read { [path, lockWait] _ in
      var configuration = Configuration()
      configuration.busyMode = .callback { lockWait.isWorthAnother($0) }
      configuration.foreignKeysEnabled = true
      configuration.label = "sonde.database.writer"
      configuration.prepareDatabase { DatabaseShape.teach($0) }
      return try DatabaseQueue(path: path, configuration: configuration)
    }
    writer.withLock { $0 = new }
    return new
  }

  /// What the database is, and the version that it was read as.
  func shape() async throws -> (shape: DatabaseShape, version: Version) {
    try await front.read { db in (try DatabaseShape(db), try Self.version(db)) }
  }

  func version() async throws -> Version {
    try await front.read { db in try Self.version(db) }
  }

  static func version(_ db: Database) throws -> Version {
    Version(
      data: try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0,
      schema: try Int64.fetchOne(db, sql: "PRAGMA schema_version") ?? 0)
  }

  /// In bytes, without what stands in the log alone.
  func size() async throws -> Int {
    try await front.read { db in
      (try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
        * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }

  /// Everything, as of one commit.
  func everything(
    _ shape: DatabaseShape, for purpose: ReadingPurpose = .showing,
    _ progress: ProgressReport
  ) async throws -> TripleStore {
    try await behind.read { [path] db in
      try DatabaseReading.load(shape, db, path: path, for: purpose, progress: progress)
    }
  }

  /// How many rows each table has, but for those that are damaged, and what was said of these.
  func counts(
    _ shape: DatabaseShape
  ) async throws -> (numbers: [String: Int], damage: DatabaseError?) {
    var counts: [String: Int] = [:]
    var damage: DatabaseError?
    for name in shape.names.namespaces.map(\.table.name) {
      do {
        counts[name] = try await behind.read { db in
          try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name.quotedSQL)")
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        // The others can be counted, and its first rows perhaps be read.
        damage = damage ?? error
      }
    }
    return (counts, damage)
  }

  /// The connection for the screen, for other readers, and for background work.
  enum Place { case front, behind, aside }

  /// Reads answers, as of one commit; a task that is cancelled interrupts the database.
  func read<Result: Sendable>(
    _ place: Place, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    switch place {
    case .front: try await front.read(body)
    case .behind: try await behind.read(body)
    case .aside: try await queueAside().read(body)
    }
  }

  private func queueAside() throws -> DatabaseQueue {
    try aside.withLock { queue in
      if let queue { return queue }
      let new = try openAside()
      queue = new
      return new
    }
  }
}
