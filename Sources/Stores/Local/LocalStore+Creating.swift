import DataSources
import GRDB
public import LiveQueries
public import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LocalStore {
  /// Creates a file with a whole store atomically.
  ///
  /// The file is written under a hidden name next to its path, flushed to disk, and renamed. If the
  /// process is killed, the hidden file remains.
  ///
  /// - Throws: ``StoreError`` if the file exists or cannot be written.
  /// - Complexity: O(triples).
  @concurrent
  public static func create(
    file path: String, of store: TripleStore, progress: ProgressReport = .unread
  ) async throws(StoreError) {
    try await create(file: path, of: store, documents: [:], progress: progress)
  }

  /// Creates a file with documents; see ``documents()``.
  @concurrent
  package static func create(
    file path: String, of store: TripleStore, documents: [String: [UInt8]],
    progress: ProgressReport = .unread
  ) async throws(StoreError) {
    guard Files.kind(of: path) == nil else { throw .exists(path: path) }
    do {
      let draft = try Draft(for: path)
      let queue = try DatabaseQueue(path: draft.path)
      var store = store
      store.transactionID = 1
      let content = store
      try await queue.writeWithoutTransaction { db in
        try fill(db, with: content, documents, progress: progress)
      }
      try queue.close()
      try draft.publishDatabase(at: path)
    } catch let error as SystemError {
      throw error.errno == EEXIST
        ? .exists(path: path) : .unwritable(path: path, reason: error.reason)
    } catch {
      throw StoreError(error, of: path)
    }
  }

  private static func fill(
    _ db: Database, with store: TripleStore, _ documents: [String: [UInt8]],
    progress: ProgressReport
  ) throws {
    // The draft has no readers, so it needs no rollback journal, and only one sync at the end.
    try db.execute(
      sql: """
        PRAGMA page_size = \(StoreFile.pageBytes); PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE
        """)
    try db.inTransaction(.immediate) {
      try StoreTables.create(db)
      let attributeSum = try StoreTables.writeAttributes(of: store, db)
      let triples = try StoreTables.fill(with: store, db, progress: progress)
      try StoreTables.write(
        StoreTables.Head(
          transactionID: store.transactionID, triples: triples.sum, attributeSum: attributeSum,
          lastTime: triples.lastTime, layout: JSONWriter.bytes(store.schema.layout)), db)
      try StoreDocuments.write(documents, db)
      if store.hasAllColumns { try writeCache(db, of: store) }
      return .commit
    }
  }

  private static func writeCache(_ db: Database, of store: TripleStore) throws {
    var rows: [SegmentKey: StoreCache.Place] = [:]
    var rest = store.segmentKeys[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let staged = try StoreCache.stage(rest, of: store, db)
      rows.merge(staged.rows) { $1 }
      rest = staged.rest
    }
    _ = try StoreCache.publish(rows, of: store, replacing: 0, db)
  }
}

extension Draft {
  fileprivate func publishDatabase(at path: String) throws(SystemError) {
    // Processes that create the same file take turns, so that no process removes another's log. A
    // file within a draft has only one creator, whose folder is locked already.
    let parent = Files.folder(of: path)
    let folder =
      Draft.isDraft(Files.name(of: parent)) ? -1 : open(parent, O_RDONLY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    // Without file locks, creators are not serialized.
    if folder >= 0 { while flock(folder, LOCK_EX) != 0, errno == EINTR {} }
    // SQLite would apply the log of a killed store at this path to the new file.
    if Files.kind(of: path) == nil { for log in Files.logs(of: path) { unlink(log) } }
    try publish()
  }
}

extension Files {
  /// Returns the paths of SQLite's log files for a database.
  package static func logs(of database: String) -> [String] {
    ["-wal", "-shm", "-journal"].map { database + $0 }
  }

  /// Returns the URI that opens a file with a parameter, such as `immutable=1`.
  ///
  /// - Source: SQLite, "Uniform Resource Identifiers".
  static func databaseAddress(of path: String, _ parameter: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var text = "file:"
    for byte in resolved(path).utf8 {
      let isPlain =
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "-")...UInt8(ascii: "9")).contains(byte)
      text +=
        isPlain
        ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
    return text + "?" + parameter
  }

  /// Returns the folder of a path.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Flushes a file or folder to disk.
  static func sync(_ path: String) throws(SystemError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno: errno) }
    defer { close(descriptor) }
    if fsync(descriptor) != 0 { throw SystemError(errno: errno) }
  }
}
