import CMemory
import GRDB
import LiveQueries
import Triples

/// Loads a store from the cache and later transactions, or from all triples.
enum StoreLoading {
  /// The minimum number of changes since the last cache for which an open store writes a new cache.
  static let changesWorthCaching = 20_000
  /// The minimum number of changes since the last cache for which closing the file writes a new
  /// cache.
  static let changesWorthClosing = 2_000

  static func load(
    _ file: StoreFile, progress: ProgressReport
  ) async throws -> LocalStore.State {
    if let state = try await cached(file) { return state }
    return try await file.database.writeWithoutTransaction { db in
      var store = TripleStore()
      var count = 0
      try db.inTransaction(.deferred) {
        store = try StoreTables.load(db, progress: progress)
        count = try StoreTables.head(db).triples.count
        // The cache is unusable, so it should be written again.
        if try StoreCache.token(db) != 0 { count = max(count, changesWorthCaching) }
        return .commit
      }
      return LocalStore.State(
        file: file, contents: StoreContents(store), uncachedChanges: count)
    }
  }

  /// Loads the store from the cache and the log. Returns nil if either is missing or unreadable, so
  /// that triples must be read.
  static func cached(_ file: StoreFile) async throws -> LocalStore.State? {
    let (parts, reading) = AsyncStream.makeStream(of: RawPart.self)
    // One thread reads the file while others build columns.
    async let source = file.database.writeWithoutTransaction { db in
      defer { reading.finish() }
      memory_prefer_large_pages()
      var source: Source?
      try db.inTransaction(.deferred) {
        source = try read(db) { reading.yield($0) }
        return .commit
      }
      return source
    }
    let columns = await withTaskGroup(of: SegmentedStore.LoadedPart?.self) { group in
      for await part in parts {
        group.addTask {
          memory_prefer_large_pages()
          return try? part.load()
        }
      }
      var loaded: [SegmentedStore.LoadedPart] = []
      for await part in group {
        if let part { loaded.append(part) }
      }
      return loaded
    }
    guard let source = try await source, let store = try? source.store.store(of: columns) else {
      return nil
    }
    var contents = StoreContents(store)
    for record in source.records { contents.apply(record) }
    let base = StoreCache.Base(
      token: source.manifest.token, store: store, rows: source.manifest.rows)
    return LocalStore.State(
      file: file, contents: contents, cache: base,
      uncachedChanges: source.records.reduce(0) { $0 + $1.changes.count + 4 })
  }

  private struct RawPart: Sendable {
    let store: SegmentedStore
    let part: SegmentedStore.Part
    let cells: [StoreCache.Segment]
    let texts: [StoreCache.Segment]

    /// Builds a column, or the ids, from the bytes of its segments.
    ///
    /// - Throws: An error if the bytes are damaged.
    func load() throws(SegmentFault) -> SegmentedStore.LoadedPart {
      guard cells.allSatisfy(\.isSound), texts.allSatisfy(\.isSound) else {
        throw SegmentFault("a part of the cache does not match its checksum")
      }
      return try store.load(part, cells: cells.map(\.bytes), texts: texts.map(\.bytes))
    }
  }

  private struct Source: Sendable {
    let store: SegmentedStore
    let manifest: StoreCache.Manifest
    let records: [ChangeRecord]
  }

  private static func read(_ db: Database, _ yield: (RawPart) -> Void) throws -> Source? {
    guard let manifest = try StoreCache.manifest(db),
      let store = try? SegmentedStore(head: manifest.head),
      let records = try StoreLog.records(
        after: store.transactionID, upTo: StoreTables.transactionID(db), db)
    else { return nil }
    func segments(_ kind: SegmentKey.Kind, _ column: Int) -> [StoreCache.Segment]? {
      StoreCache.segments(kind, column, of: manifest, db)
    }
    for part in store.parts {
      let (cells, texts) =
        switch part {
        case .ids: (segments(.ids, 0), segments(.idTexts, 0))
        case .column(let column): (segments(.cells, column), segments(.texts, column))
        }
      guard let cells, let texts else { return nil }
      yield(RawPart(store: store, part: part, cells: cells, texts: texts))
    }
    return Source(store: store, manifest: manifest, records: records)
  }

  /// Applies the transactions of other processes.
  static func catchUp(_ contents: inout StoreContents, _ db: Database) throws {
    let known = contents.store.transactionID
    let last = try StoreTables.transactionID(db)
    if last == known { return }
    if let records = try StoreLog.records(after: known, upTo: last, db) {
      for record in records { contents.apply(record) }
    } else {
      contents.reload(try StoreTables.load(db, progress: .unread))
    }
  }
}
