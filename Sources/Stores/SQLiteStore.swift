public import DataSources
import GRDB
public import LiveQueries
public import Triples

/// Any SQLite database as a store: tables are namespaces, rows entities, foreign keys links that are
/// followed both ways. A table that only joins two others is a link between these.
///
/// All rows are read into memory; what other programs commit is noticed and the rows are read again.
/// It cannot be written through this store. Databases too large for memory are refused.
public actor SQLiteStore: ReadOnlyStore {
  private let path: String
  private var database: DatabaseQueue
  private var identity: Files.Identity?
  private var contents: StoreContents
  private var version: Int64
  private var staleness: String?
  private var following: Task<Void, Never>?
  /// Looks again, some times, for what was written and could not be read yet.
  private var lookingAgain: Task<Void, Never>?
  public nonisolated let changed = ChangeSignal()

  /// How long after its bytes a commit can need to be readable: on a slow disk seconds.
  private static let commitTimes = [5, 25, 100, 500, 2_500].map { Duration.milliseconds($0) }

  /// - Throws: ``StoreError`` when the file is missing, is no database, or has too many rows.
  /// - Complexity: O(rows).
  @concurrent
  public static func open(
    file path: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> SQLiteStore {
    guard Files.kind(of: path) == .file else { throw .missing(path: path) }
    do {
      // Watching begins before reading, so that no commit falls between the two.
      let watcher = try? PathWatcher(database: path)
      let (database, identity) = try connect(path)
      let (content, version) = try await read(database, path, progress)
      let store = SQLiteStore(path, database, identity, content, version)
      await store.follow(watcher)
      return store
    } catch {
      throw StoreError(error, of: path)
    }
  }

  private static func connect(_ path: String) throws -> (DatabaseQueue, Files.Identity?) {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(StoreFile.patience / .seconds(1))
    return (try DatabaseQueue(path: path, configuration: configuration), Files.Identity(path))
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
    _ path: String, _ database: DatabaseQueue, _ identity: Files.Identity?,
    _ content: TripleStore, _ version: Int64
  ) {
    self.path = path
    self.database = database
    self.identity = identity
    self.version = version
    contents = StoreContents(TripleStore())
    contents.replace(with: content)
  }

  deinit {
    following?.cancel()
    lookingAgain?.cancel()
  }

  public func snapshot() -> StoreSnapshot {
    StoreSnapshot(
      contents.store, history: contents.history,
      freshness: staleness.map { .stale(reason: $0) } ?? .live)
  }

  nonisolated var refusal: String {
    "The database \(path) is open read-only: import it into a .sonde file to change it."
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

  private func follow(_ watcher: PathWatcher?) {
    guard let watcher else {
      staleness = "changes by other programs are not noticed"
      return
    }
    following = Task { [weak self] in
      for await _ in watcher.changes { await self?.look() }
    }
  }

  /// Reads again if somebody committed. Bytes that are written may be a commit a little later, of
  /// which the system does not tell.
  private func look() async {
    lookingAgain?.cancel()
    lookingAgain = nil
    if await reloadIfChanged() { return }
    lookingAgain = Task { [weak self] in
      for time in Self.commitTimes {
        // Cancelled: somebody else looks, or nobody asks any more.
        guard (try? await Task.sleep(for: time)) != nil, let self else { return }
        if await self.reloadIfChanged() { return }
      }
    }
  }

  private func reloadIfChanged() async -> Bool {
    do {
      try takeWhatIsInPlace()
      let now = try await database.read { try Int64.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
      if now == version, staleness == nil { return false }
      let (content, read) = try await Self.read(database, path, .unread)
      guard read != version || staleness != nil else { return true }
      version = read
      contents.replace(with: content)
      staleness = nil
    } catch {
      let reason = StoreError(error, of: path).reason
      if staleness == reason { return false }
      staleness = reason
    }
    changed.ring()
    return true
  }

  /// Turns to another file that came under the name of the one that is open.
  private func takeWhatIsInPlace() throws {
    guard let now = Files.Identity(path) else { throw StoreError.gone(path: path) }
    if now == identity { return }
    let (new, found) = try Self.connect(path)
    // It is closed once nobody reads it any more.
    (database, identity) = (new, found)
    version = -1
  }
}
