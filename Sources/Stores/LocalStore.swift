public import DataSources
public import LiveQueries
public import Triples
import GRDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A store in a `.sonde` file: a SQLite database of triples, a log of transactions, and a cache of
/// columns.
///
/// A transaction is on disk before `put` returns, and survives a crash or a power loss. Several
/// processes can open the file. Each process sees the transactions of the others within
/// milliseconds, and only one at a time can write. Queries are evaluated in memory.
///
/// ```swift
/// let store = try await LocalStore.open(file: "tasks.sonde", ifMissing: .create)
/// try await store.put(nil, in: TransactionQuery(transaction))
/// ```
public final class LocalStore: SnapshotStore {
  /// The action if the file does not exist.
  public enum Missing: Sendable, Hashable {
    /// Creates an empty store, or throws an error.
    case create, fail
  }

  struct State: Sendable {
    var file: StoreFile
    var contents: StoreContents
    /// The reason why changes of the file cannot be detected; nil if they can.
    var staleness: String?
    var cache: StoreCache.Base?
    /// The number of changes since the cache was written.
    var uncachedChanges = 0
    var isWritingCache = false
  }

  let path: String
  let lockTimeout: Duration
  let access: StoreAccess
  private let author: String
  private let logLimits = Mutex(LogLimits())
  private let now: @Sendable () -> Int64
  /// The current state. It is changed only on the database's serial queue, and read from any
  /// thread.
  let state: Mutex<State>
  let following = Mutex<Task<Void, Never>?>(nil)
  /// The task that opens the new file after the open file was replaced.
  let reopening = Mutex<Task<StoreFile, any Error>?>(nil)
  public let changed = ChangeSignal()

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - author: The default author of changes in the log; by default, the user's name.
  ///   - now: Returns the time of new triples, in milliseconds since 1970.
  ///   - lockTimeout: How long to wait for transactions of other processes.
  ///   - progress: Receives the number of triples read if there is no cache.
  /// - Throws: ``StoreError`` if the file is missing, damaged, of a newer format or not a store.
  /// - Complexity: O(bytes of the cache + changes since then); without a cache, O(triples).
  @concurrent
  public static func open(
    file path: String, access: StoreAccess = .readWrite, ifMissing: Missing = .fail,
    author: String = LocalStore.userName,
    now: @escaping @Sendable () -> Int64 = { Instant.nowInMilliseconds },
    lockTimeout: Duration = .seconds(10), progress: ProgressReport = .unread
  ) async throws(StoreError) -> LocalStore {
    let file = try StoreFile(
      path, access: access, ifMissing: ifMissing == .create ? .create : .fail,
      lockTimeout: lockTimeout)
    do {
      // Watching starts before reading, so that no commit is missed.
      let watcher = try? PathWatcher(database: path)
      let state = try await StoreLoading.load(file, progress: progress)
      let store = LocalStore(path, access, author, now, lockTimeout, state)
      OpenStores.register(store)
      store.follow(watcher)
      store.writeCacheIfDue()
      return store
    } catch {
      file.close()
      throw StoreError(error, ofStore: path)
    }
  }

  private init(
    _ path: String, _ access: StoreAccess, _ author: String,
    _ now: @escaping @Sendable () -> Int64, _ lockTimeout: Duration, _ state: State
  ) {
    self.path = path
    self.lockTimeout = lockTimeout
    self.access = access
    self.author = author
    self.now = now
    self.state = Mutex(state)
  }

  /// Replaces the limits of the log.
  package func limitLog(_ limits: LogLimits) { logLimits.withLock { $0 = limits } }

  deinit {
    following.withLock { $0?.cancel() }
  }

  /// Returns whether the process may change the store file at a path.
  package static func isWritable(file path: String) -> Bool { StoreFile.isWritable(path) }

  var file: StoreFile { state.withLock { $0.file } }

  /// The user's login name; empty if unknown.
  public static var userName: String {
    for variable in ["USER", "LOGNAME"] {
      if let name = getenv(variable) { return String(cString: name) }
    }
    return ""
  }

  public func snapshot() -> StoreSnapshot {
    state.withLock { state in
      StoreSnapshot(
        state.contents.shown, history: state.contents.history,
        freshness: state.staleness.map { .stale(reason: $0) } ?? .live)
    }
  }

  /// Returns a snapshot with all transactions that any process has finished, regardless of the
  /// query.
  ///
  /// ``snapshot()`` may lack a transaction of another process that finished a moment ago.
  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    // If changes cannot be detected, the snapshot remains marked as stale.
    if following.withLock({ $0 != nil }) { await catchUp() }
    return snapshot()
  }

  /// Applies a transaction. The transaction is on disk when the call returns.
  ///
  /// - Parameter query: A `TransactionQuery`. If the same transaction is applied again, it has no
  ///   effect. For this, the log keeps the last 10,000 ids of each author for seven days, across
  ///   processes.
  /// - Throws: `refused` with the store's error or if the file is read-only, `system` if another
  ///   process holds the lock, `unsupportedQuery` for any other query.
  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    guard access == .readWrite else {
      throw .readOnly(ReadOnlyReason.storeFile(path))
    }
    guard let query = query as? TransactionQuery else {
      throw .unsupported(query, source: LocalStore.self, operation: .put)
    }
    let time = now()
    do {
      let file = try await fileInPlace()
      let snapshot = try await file.database.writeWithoutTransaction { db in
        try self.commit(query, at: time, to: file, db)
      }
      writeCacheIfDue()
      return snapshot
    } catch let error as TransactionError {
      throw DataSourceError(error)
    } catch {
      throw DataSourceError(StoreError(error, ofStore: path))
    }
  }

  /// Updates the cache if it lacks many changes, and closes the file. The store must not be used
  /// afterward.
  public func close() async {
    following.withLock { $0?.cancel() }
    if state.withLock({ $0.uncachedChanges > StoreLoading.changesWorthClosing }) {
      await writeCache()
    }
    file.close()
  }

  /// Warnings about the file, each as a sentence.
  package var warnings: [String] { file.warnings }
}

// Writing, which runs on the database's queue.
extension LocalStore {
  private func commit(
    _ query: TransactionQuery, at time: Int64, to file: StoreFile, _ db: Database
  ) throws -> StoreSnapshot {
    let known = state.withLock { $0.contents }
    var contents = known
    try db.inTransaction(.immediate) {
      try StoreLoading.catchUp(&contents, db)
      if try !StoreLog.contains(query.id, db) {
        try carryOut(query, at: time, &contents, db)
      }
      return .commit
    }
    if contents.store.transactionID != known.store.transactionID {
      publish(contents)
      file.announce()
    }
    return snapshot()
  }

  /// Applies the transaction to a copy, and then writes the resulting changes to store and file.
  ///
  /// Since all processes apply the same changes, they reach the same state.
  private func carryOut(
    _ query: TransactionQuery, at time: Int64, _ contents: inout StoreContents, _ db: Database
  ) throws {
    let before = contents.store
    var tried = before
    var head = try StoreTables.head(db)
    // Creation times never decrease, even if the system's clock is set back.
    let time = max(time, min(head.lastTime + 1, StoreTables.maxNumber))
    let changes = try tried.transact(query.transaction, at: time)
    let record = ChangeRecord(changes, from: before, to: tried, at: time)
    contents.apply(record)
    head.transactionID = record.transactionID
    let remade = record.attributes.map(\.attribute).filter { attribute in
      before.attributeOrHidden(attribute.id).map { !$0.storesLike(attribute) } ?? false
    }
    try StoreTables.apply(record, rewriting: remade, to: contents.store, &head, db)
    if changes.schemaChanged {
      head.layout = JSONWriter.bytes(contents.store.schema.layout)
      head.attributeSum = try StoreTables.writeAttributes(of: contents.store, db)
    }
    try StoreTables.write(head, db)
    try StoreLog.append(
      StoreLog.Entry(record: record, author: query.author ?? author, mutation: query.id),
      logLimits.withLock { $0 },
      db)
  }

  func publish(_ contents: StoreContents) {
    state.withLock { state in
      let news = contents.history.changes(since: state.contents.shown.transactionID)
      state.uncachedChanges += news.map { $0.changes.count + 4 } ?? StoreLoading.changesWorthCaching
      state.contents = contents
      state.staleness = nil
    }
    changed.ring()
  }
}

extension Attribute {
  /// Returns whether values of both attributes are stored in the same way.
  fileprivate func storesLike(_ other: Attribute) -> Bool {
    valueType == other.valueType && cardinality == other.cardinality
      && isIdentity == other.isIdentity
  }
}
