import DataSources
import GRDB
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A `.sonde` file as a database that is open: made when asked, checked for being one of ours.
struct StoreFile: Sendable {
  let path: String
  let database: DatabaseQueue
  /// The file that is open, to tell it from another one that comes under its name.
  private let identity: Files.Identity?

  /// How long a writer waits for another process to end its transaction.
  static let patience = Duration.seconds(10)
  /// Larger pages make large blobs faster, smaller ones small commits.
  static let pageBytes = 8192

  /// What is done when there is no file.
  enum Missing: Sendable {
    case create, fail
  }

  init(
    _ path: String, access: StoreAccess, ifMissing: Missing, patience: Duration = patience
  ) throws(StoreError) {
    switch Files.kind(of: path) {
    case .file: break
    case nil where ifMissing == .create && access == .readWrite: break
    case nil: throw .missing(path: path)
    case .folder, .other: throw .unknownKind(path: path)
    }
    self.path = path
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(patience / .seconds(1))
      configuration.readonly = access == .readOnly
      configuration.foreignKeysEnabled = false
      configuration.label = "sonde.store"
      database = try DatabaseQueue(path: path, configuration: configuration)
      let creating = ifMissing == .create
      try database.inDatabase { db in
        try Self.prepare(db, path: path, access: access, creating: creating)
      }
      identity = Files.Identity(path)
    } catch {
      throw StoreError(error, of: path)
    }
  }

  /// What stands at the path now.
  enum Place { case same, another, gone }

  var place: Place {
    guard let now = Files.Identity(path) else { return .gone }
    return now == identity ? .same : .another
  }

  /// Closes a file that another one took the place of.
  ///
  /// The log beside it has the name that the other's will have: what is in it is brought into the
  /// file that it belongs to first, wherever that was moved, so that it is not taken for the other's.
  func abandon() {
    try? database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try? database.close()
  }

  private static func prepare(
    _ db: Database, path: String, access: StoreAccess, creating: Bool
  ) throws {
    if access == .readOnly { return try check(db, path: path) }
    if creating, try isEmpty(db) {
      try db.execute(sql: "PRAGMA page_size = \(pageBytes)")
      try db.inTransaction(.immediate) {
        // Another process may have been faster.
        if try isEmpty(db) { try StoreTables.create(db) }
        return .commit
      }
    }
    try check(db, path: path)
    if try !StoreTables.hasChecksums(db) {
      try db.inTransaction(.immediate) {
        // Another process may have been faster.
        if try !StoreTables.hasChecksums(db) { try StoreUpgrade.run(db) }
        return .commit
      }
    }
    _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    // With the write-ahead log, FULL syncs the log at each commit: what was acknowledged is there
    // after a loss of power. NORMAL would keep it only over a crash of the program.
    try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1")
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
      && Int64.fetchOne(db, sql: "PRAGMA application_id") == 0
  }

  /// - Throws: when the file is none of ours, or one that a newer Sonde made.
  private static func check(_ db: Database, path: String) throws {
    guard try Int64.fetchOne(db, sql: "PRAGMA application_id") == StoreTables.applicationID else {
      throw StoreError.foreign(path: path)
    }
    let format = try Int64.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    guard format <= StoreTables.format else {
      throw StoreError.newerFormat(path: path, found: Int(format), known: Int(StoreTables.format))
    }
    guard format >= StoreTables.formatWithoutChecksums else {
      throw StoreTables.damage("it has the format \(format)")
    }
  }

  /// Tells those who watch the log that a commit is complete: its bytes were written earlier than
  /// they could be read.
  func announce() {
    utimes(Files.resolved(path) + "-wal", nil)
  }
}

extension StoreError {
  /// What the database or the reading of it said, in words about the file.
  init(_ error: any Error, of path: String) {
    switch error {
    case let known as StoreError: self = known
    case let damage as StoreTables.Damage: self = .damaged(path: path, place: damage.place)
    case let fault as SegmentFault: self = .damaged(path: path, place: fault.reason)
    case is CancellationError: self = .cancelled
    case let error as DatabaseError: self.init(error, of: path)
    default: self = .unreadable(path: path, reason: "\(error)")
    }
  }

  private init(_ error: DatabaseError, of path: String) {
    let words = error.message ?? "no reason is known"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT:
      self = .damaged(path: path, place: words)
    case .SQLITE_FULL: self = .unwritable(path: path, reason: "the disk is full")
    case .SQLITE_READONLY: self = .unwritable(path: path, reason: "it may only be read")
    case .SQLITE_PERM, .SQLITE_AUTH: self = .unreadable(path: path, reason: "permission denied")
    case .SQLITE_CANTOPEN:
      self = .unreadable(path: path, reason: "it or the files beside it cannot be opened")
    case .SQLITE_IOERR: self = .unreadable(path: path, reason: "the disk failed (\(words))")
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
