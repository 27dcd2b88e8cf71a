import DataSources
import GRDB
import GRDBSQLite
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open `.sonde` file as a database. Opening checks its format, and creates the file if
/// requested.
struct StoreFile: Sendable {
  let path: String
  var database: DatabaseQueue { handle.queue }
  private let handle: OpenDatabase
  private let access: StoreAccess
  /// The identity of the open file, to detect its replacement.
  private let identity: Files.Identity?

  /// How long to wait for transactions of other processes.
  static let lockTimeout = Duration.seconds(10)
  /// The page size of a file in bytes. Larger pages make large BLOBs faster, smaller pages make
  /// small commits faster.
  static let pageBytes = 8192

  /// The action if the file does not exist.
  enum Missing: Sendable {
    case create, fail
  }

  /// Warnings about the file, each as a sentence.
  let warnings: [String]
  /// Whether the file is treated as immutable, since its folder is read-only.
  let isImmutable: Bool

  init(
    _ path: String, access: StoreAccess, ifMissing: Missing, lockTimeout: Duration = lockTimeout
  ) throws(StoreError) {
    let creating = ifMissing == .create && access == .readWrite
    switch Files.kind(of: path) {
    case .file: break
    case nil where creating: break
    case nil: throw .missing(path: path)
    case .folder, .other: throw .unknownKind(path: path)
    }
    if !creating, Files.size(of: path) == 0 { throw .broken(path: Self.emptySentence(path)) }
    self.path = path
    self.access = access
    let loss = WriteAheadLog.loss(of: path)
    warnings = loss.map { [Self.warning($0, of: path, access: access)] } ?? []
    var configuration = Configuration()
    configuration.busyMode = .timeout(lockTimeout / .seconds(1))
    configuration.foreignKeysEnabled = false
    configuration.label = "sonde.store"
    do {
      let queue: DatabaseQueue
      (queue, isImmutable) = try Self.open(
        path, configuration, access: access, creating: creating, isLogDamaged: loss != nil)
      handle = OpenDatabase(queue)
      identity = Files.Identity(path)
    } catch {
      throw StoreError(error, ofStore: path)
    }
  }

  /// Opens the file and checks its format.
  private static func open(
    _ path: String, _ configuration: Configuration, access: StoreAccess, creating: Bool,
    isLogDamaged: Bool
  ) throws -> (database: DatabaseQueue, isImmutable: Bool) {
    func queue(_ address: String, _ configuration: Configuration) throws -> DatabaseQueue {
      let queue = try DatabaseQueue(path: address, configuration: configuration)
      do {
        try queue.inDatabase { db in
          try prepare(db, path: path, access: access, creating: creating)
        }
        return queue
      } catch {
        try? queue.close()
        throw error
      }
    }
    if creating { return (try queue(path, configuration), false) }
    let isWritable = Self.isWritable(path)
    if access == .readWrite, !isWritable {
      throw StoreError.unwritable(
        path: path, reason: "the file or its folder is read-only")
    }
    // The last connection to close merges the log into the file and removes the log, if it can
    // write. To keep a damaged log, the file is opened read-only unless changes are allowed.
    if access == .readWrite || isWritable && !isLogDamaged {
      return (try queue(path, configuration), false)
    }
    var configuration = configuration
    configuration.readonly = true
    guard (Files.size(of: Files.resolved(path) + "-wal") ?? 0) > 0 else {
      return (try queue(Files.databaseAddress(of: path, "immutable=1"), configuration), true)
    }
    do {
      return (try queue(path, configuration), false)
    } catch let error as DatabaseError
      where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
    {
      throw StoreError.unreadable(
        path: path,
        reason: "its last changes are in \(path)-wal, which can only be read in a writable "
          + "folder. Copy both files to a writable folder and open the copy")
    }
  }

  /// Returns whether the process may write to the file and to its folder. The folder contains
  /// SQLite's log.
  static func isWritable(_ path: String) -> Bool {
    Files.isWritable(path) && Files.isWritable(Files.folder(of: Files.resolved(path)))
  }

  private static func emptySentence(_ path: String) -> String {
    "\(path) is empty (0 bytes). Restore a backup, or delete the file and create a store "
      + "with: sonde import SOURCE --into \(path)"
  }

  /// Returns the warning about a damaged log. The log is copied first if opening the file would
  /// remove it.
  private static func warning(
    _ loss: WriteAheadLog.Loss, of path: String, access: StoreAccess
  ) -> String {
    let sentence = loss.sentence(about: path)
    guard access == .readWrite else { return sentence }
    let copy = path + "-wal.damaged"
    guard Files.kind(of: copy) == nil, let bytes = try? Files.bytes(of: path + "-wal"),
      (try? Files.write(bytes, to: copy)) != nil
    else { return sentence }
    return sentence + " The damaged log is kept as \(copy)."
  }

  /// Whether the file at the path is still the open file, another file, or missing.
  enum Place { case same, another, gone }

  var place: Place {
    guard let now = Files.Identity(path) else { return .gone }
    return now == identity ? .same : .another
  }

  /// Closes a file that was replaced.
  ///
  /// The log of the new file has the same name. The old log is therefore first merged into the old
  /// file, wherever that file was moved, so that it is not applied to the new file.
  func abandon() {
    writeBackLog()
    if place == .another { keepLogOnClose() }
    handle.close()
  }

  /// Keeps the log on close. SQLite would remove a log by its name, which now belongs to the new
  /// file.
  private func keepLogOnClose() {
    database.writeWithoutTransaction { db in
      guard let connection = db.sqliteConnection else { return }
      var isKept: Int32 = 1
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }
  }

  /// Closes the file. The log is merged into a writable file, even if other processes have it open.
  func close() {
    if place != .same { return abandon() }
    if access == .readWrite { writeBackLog() }
    // The last connection removes the log.
    handle.close()
  }

  private func writeBackLog() {
    // If this fails, the log remains and nothing is lost.
    try? database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA busy_timeout = \(Self.writeBackTimeout)")
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// How long merging the log may wait for readers, in milliseconds.
  private static let writeBackTimeout = 500

  private static func prepare(
    _ db: Database, path: String, access: StoreAccess, creating: Bool
  ) throws {
    if access == .readOnly {
      try check(db, path: path)
      return try db.execute(sql: "PRAGMA query_only = 1")
    }
    if creating, try isEmpty(db) {
      try db.execute(sql: "PRAGMA page_size = \(pageBytes)")
      try db.inTransaction(.immediate) {
        // Another process may have created the tables in the meantime.
        if try isEmpty(db) { try StoreTables.create(db) }
        return .commit
      }
    }
    try check(db, path: path)
    if try !StoreTables.hasChecksums(db) {
      try db.inTransaction(.immediate) {
        // Another process may have upgraded the file in the meantime.
        if try !StoreTables.hasChecksums(db) { try StoreUpgrade.run(db) }
        return .commit
      }
    }
    _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    // In WAL mode, FULL flushes the log on each commit, so that confirmed transactions survive a
    // power loss. With NORMAL they would survive only a crash of the program.
    try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1")
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
      && Int64.fetchOne(db, sql: "PRAGMA application_id") == 0
  }

  /// Checks the format of a file.
  ///
  /// - Throws: An error if the file is not a store, or has a newer format.
  private static func check(_ db: Database, path: String) throws {
    guard try Int64.fetchOne(db, sql: "PRAGMA application_id") == StoreTables.applicationID else {
      throw StoreError.foreign(path: path)
    }
    let format = try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard format <= StoreTables.format else {
      throw StoreError.newerFormat(path: path, found: Int(format), known: Int(StoreTables.format))
    }
    guard format >= StoreTables.formatWithoutChecksums else {
      throw StoreTables.damage("it has the unknown format \(format)")
    }
  }

  /// Notifies processes that watch the log that a commit can be read now.
  ///
  /// They may have been notified earlier, when its bytes were written but not readable yet.
  func announce() {
    utimes(Files.resolved(path) + "-wal", nil)
  }
}

extension StoreError {
  /// Converts an error of a database operation to an error whose message names the file.
  init(_ error: any Error, of path: String) {
    switch error {
    case let known as StoreError: self = known
    case let damage as StoreTables.Damage: self = .damaged(path: path, place: damage.place)
    case let fault as SegmentFault: self = .damaged(path: path, place: fault.reason)
    case is CancellationError: self = .cancelled
    case let error as DatabaseError: self.init(error, of: path)
    default: self = .unreadable(path: path, reason: "\(error)".withoutFullStop)
    }
  }

  /// Converts an error of a store file to an error whose message names the file.
  ///
  /// An SQL error means that another program changed the tables.
  init(_ error: any Error, ofStore path: String) {
    if let error = error as? DatabaseError, error.resultCode == .SQLITE_ERROR {
      self = .damaged(
        path: path, place: error.message ?? "its tables were changed by another program")
    } else {
      self.init(error, of: path)
    }
  }

  private init(_ error: DatabaseError, of path: String) {
    let words = error.message ?? "the reason is unknown"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
    case .SQLITE_NOTADB where FileKind(path) == .database:
      self = .broken(path: "\(path) is not a SQLite database, or it is encrypted.")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT:
      self = .damaged(path: path, place: words)
    case .SQLITE_FULL: self = .unwritable(path: path, reason: "the disk is full")
    case .SQLITE_READONLY: self = .unwritable(path: path, reason: "it is read-only")
    case .SQLITE_PERM, .SQLITE_AUTH: self = .unreadable(path: path, reason: "permission denied")
    case .SQLITE_CANTOPEN:
      self = .unreadable(path: path, reason: "the file, or its -wal or -shm file, cannot be opened")
    case .SQLITE_IOERR: self = .unreadable(path: path, reason: "a disk error occurred (\(words))")
    case .SQLITE_INTERRUPT: self = .cancelled
    default: self = .unreadable(path: path, reason: words)
    }
  }
}

extension DataSourceError {
  init(_ error: StoreError) {
    switch error {
    case .cancelled: self = .cancelled
    case .busy: self = .system(errno: EBUSY, error.message)
    case .damaged: self = .dataSerialization(error.message)
    case .missing, .gone, .unreadable, .unwritable, .empty, .broken, .unknownKind, .foreign,
      .newerFormat,
      .exists:
      self = .failed(error.message)
    }
  }
}
