public import DataSources
import GRDB
public import LiveQueries
public import Triples

/// Any SQLite database as a store: tables are namespaces, rows entities, foreign keys links that are
/// followed both ways. A table that only joins two others is a link between these.
///
/// All rows are read into memory; what other programs commit is noticed and the rows are read again.
/// It cannot be written through this store. Databases too large for memory are refused.
public actor SQLiteStore: SnapshotStore {
  private let path: String
  private let database: DatabaseQueue
  private var contents: StoreContents
  private var version: Int64
  private var staleness: String?
  private var following: Task<Void, Never>?
  public nonisolated let changed = ChangeSignal()

  /// How long after its bytes a commit can need to be readable.
  private static let commitTime = Duration.milliseconds(250)

  /// - Throws: ``StoreError`` when the file is missing, is no database, or has too many rows.
  /// - Complexity: O(rows).
  @concurrent
  public static func open(
    file path: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> SQLiteStore {
    guard Files.kind(of: path) == .file else { throw .missing(path: path) }
    do {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(StoreFile.patience)
      let database = try DatabaseQueue(path: path, configuration: configuration)
      // Watching begins before reading, so that no commit falls between the two.
      let watchers = [path, path + "-wal"].compactMap {
        try? PathWatcher($0, telling: .atOnceAndAtRest)
      }
      let (content, version) = try await read(database, path, progress)
      let store = SQLiteStore(path, database, content, version)
      await store.follow(watchers)
      return store
    } catch {
      throw StoreError(error, of: path)
    }
  }

  /// The data of a database as it is now.
  /// - Throws: ``StoreError`` as `open` does.
  @concurrent
  public static func load(
    file path: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> TripleStore {
    let store = try await open(file: path, progress: progress)
    return await store.snapshot().store
  }

  private init(
    _ path: String, _ database: DatabaseQueue, _ content: TripleStore, _ version: Int64
  ) {
    self.path = path
    self.database = database
    self.version = version
    contents = StoreContents(TripleStore())
    contents.replace(with: content)
  }

  deinit {
    following?.cancel()
  }

  public func snapshot() -> StoreSnapshot {
    StoreSnapshot(
      contents.store, history: contents.history,
      freshness: staleness.map { .stale(reason: $0) } ?? .live)
  }

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    throw .readOnly(
      "The database \(path) is open read-only: import it into a .sonde file to change it.")
  }

  private static func read(
    _ database: DatabaseQueue, _ path: String, _ progress: ProgressReport
  ) async throws -> (TripleStore, Int64) {
    try await database.read { db in
      // One transaction: all tables are as of the same commit.
      let content = try DatabaseReading.load(db, path: path, progress: progress)
      return (content, try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0)
    }
  }

  // MARK: Following

  private func follow(_ watchers: [PathWatcher]) {
    guard !watchers.isEmpty else {
      staleness = "changes by other programs are not noticed"
      return
    }
    following = Task { [weak self] in
      await withTaskGroup(of: Void.self) { group in
        for watcher in watchers {
          group.addTask { [weak self] in
            for await _ in watcher.changes { await self?.look() }
          }
        }
      }
    }
  }

  /// Reads again if somebody committed; bytes that are written may be a commit a little later.
  private func look() async {
    if await reloadIfChanged() { return }
    // Cancelled: nobody asks any more.
    try? await Task.sleep(for: Self.commitTime)
    _ = await reloadIfChanged()
  }

  private func reloadIfChanged() async -> Bool {
    do {
      let now = try await database.read { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
      if now == version { return false }
      let (content, read) = try await Self.read(database, path, .unread)
      guard read != version else { return true }
      version = read
      contents.replace(with: content)
      staleness = nil
    } catch {
      staleness = StoreError(error, of: path).message
    }
    changed.ring()
    return true
  }
}
