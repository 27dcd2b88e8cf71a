public import DataSources
public import LiveQueries
public import Triples

/// A folder of JSON, JSON Lines, CSV or TSV files as a store: each file is a namespace.
///
/// A single such file is a store with one namespace. The folder of an unpacked Instant backup is
/// read as the backup.
///
/// The data is in memory, and the folder is watched. When a file changes, all files are read again,
/// and watchers get a new snapshot if the data differs. Unreadable rows are skipped and reported. A
/// file that becomes unreadable keeps its previous rows until it is fixed, and a new unreadable
/// file is skipped; until then the snapshot is stale and contains the reason. If no file can be
/// read, or the schema is invalid, all data stays unchanged. A file that is unreadable when the
/// folder is opened is skipped and reported, provided that another file can be read. Its rows
/// appear when it is fixed.
///
/// A row without an id or a key has an id derived from its position, so that a cursor stays on the
/// row while its cells are edited. Imported rows have ids derived from their content instead.
///
/// A writable store applies transactions in memory and never changes the files; the changes are
/// lost when the store is deallocated. When the files change, the transactions are applied again to
/// the new data. Changes that conflict with the new data are dropped, and the snapshot reports how
/// many.
public actor FolderStore: SnapshotStore {
  private let folder: String
  private let access: StoreAccess
  private let now: @Sendable () -> Int64
  private var contents: StoreContents
  private var overlay: [OverlaidTransaction] = []
  /// The reason why the data may differ from the files; nil if they match.
  private var staleness: String?
  /// The data of the files, without changes made in memory.
  private var reading: FolderReading
  /// The number of transactions dropped because they conflict with changed files, reported until
  /// the next transaction.
  private var dropped = 0
  private var watcher: PathWatcher?
  /// The task that reads the files again after each report of the watcher.
  private var following: Task<Void, Never>?
  /// The last reading of the files, which waits for earlier readings.
  private var lastReload: Task<Void, Never>?
  public nonisolated let changed = ChangeSignal()
  /// The report of skipped and changed data, with file and line.
  public var report: ReadReport { reading.report }

  /// A transaction in memory, with its time.
  private struct OverlaidTransaction {
    let transaction: Transaction
    let time: Int64
  }

  /// The maximum number of transactions that are applied again after the files change.
  private static let maxOverlaid = 10_000

  /// Reads the folder or file and starts watching it.
  ///
  /// - Parameter progress: Receives the number of bytes read.
  /// - Throws: ``StoreError`` if the folder does not exist, no file can be read, or the data is
  ///   invalid.
  public static func open(
    folder: String, access: StoreAccess = .readOnly, progress: ProgressReport = .unread,
    now: @escaping @Sendable () -> Int64 = { Instant.nowInMilliseconds }
  ) async throws(StoreError) -> FolderStore {
    let folder = Files.named(folder)
    // The watcher comes first, so that changes made while the files are read are noticed.
    let watcher = try? FolderContent.watcher(of: folder)
    let reading = try FolderReading.first(FolderContent(folder), progress)
    let store = FolderStore(folder, access, now, reading)
    await store.follow(watcher)
    return store
  }

  private init(
    _ folder: String, _ access: StoreAccess, _ now: @escaping @Sendable () -> Int64,
    _ reading: FolderReading
  ) {
    self.folder = folder
    self.access = access
    self.now = now
    contents = StoreContents(TripleStore())
    contents.replace(with: reading.store)
    self.reading = reading
  }

  deinit {
    following?.cancel()
  }

  public func snapshot() -> StoreSnapshot {
    StoreSnapshot(contents.store, history: contents.history, freshness: freshness)
  }

  /// Returns the current snapshot with all changes of files that a program has finished, regardless
  /// of the query.
  ///
  /// ``snapshot()`` may lack a change that a program finished a moment ago.
  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    if watcher?.takeFinishedChange() == true {
      await reload()
    } else {
      // A reading in progress may be of such a change.
      await lastReload?.value
    }
    return snapshot()
  }

  private var freshness: StoreSnapshot.Freshness {
    if let staleness { return .stale(reason: staleness) }
    if dropped > 0 { return .stale(reason: StaleReason.dropped(dropped)) }
    return .live
  }

  /// Applies a transaction in memory; the files do not change.
  ///
  /// - Throws: `refused` if the folder is read-only, or with the store's error.
  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    guard access == .readWrite else {
      throw .readOnly(
        Files.kind(of: folder) == .folder
          ? ReadOnlyReason.folder(folder) : ReadOnlyReason.file(folder))
    }
    guard let query = query as? TransactionQuery else {
      throw .unsupported(query, source: FolderStore.self, operation: .put)
    }
    guard overlay.count < Self.maxOverlaid else {
      throw .readOnly(ReadOnlyReason.tooManyChanges(overlay.count, of: folder))
    }
    let time = now()
    guard try contents.transact(query, at: time) else { return snapshot() }
    overlay.append(OverlaidTransaction(transaction: query.transaction, time: time))
    dropped = 0
    changed.ring()
    return snapshot()
  }
}

// Following changes of the files.
extension FolderStore {
  private func follow(_ watcher: PathWatcher?) {
    guard let watcher else {
      // Without a watcher, the snapshot says that changes are not followed.
      staleness = StaleReason.unwatchedFolder
      return
    }
    self.watcher = watcher
    following = Task { [weak self] in
      for await _ in watcher.changes {
        await self?.reload()
      }
    }
  }

  /// Reads the files again, after the readings in progress.
  private func reload() async {
    let task = Task { [lastReload] in
      await lastReload?.value
      await readAgain()
    }
    lastReload = task
    await task.value
  }

  private func readAgain() async {
    // The files are read after all changes that are finished now.
    _ = watcher?.takeFinishedChange()
    do throws(StoreError) {
      if let next = try await Self.readInBackground(folder, after: reading) {
        let isNew = !next.showsSame(as: reading)
        reading = next
        if isNew {
          contents.replace(with: next.store)
          reapplyOverlay()
        }
      } else if staleness == reading.notice {
        return
      }
      staleness = reading.notice
    } catch {
      staleness = error.reason
    }
    changed.ring()
  }

  /// Applies the transactions in memory again to the new data of the files.
  ///
  /// The actor does this in one step, so that no transaction is lost in the meantime.
  private func reapplyOverlay() {
    let all = overlay
    overlay = []
    for entry in all {
      do throws(TransactionError) {
        try contents.transact(entry.transaction, at: entry.time)
        overlay.append(entry)
      } catch {
        dropped += 1
      }
    }
  }

  /// Reads the current data of the files; nil if they did not change.
  @concurrent
  private static func readInBackground(
    _ folder: String, after reading: FolderReading
  ) async throws(StoreError) -> FolderReading? {
    try reading.next(FolderContent(folder))
  }

  /// Reads the data of a folder or file once.
  ///
  /// - Throws: ``StoreError`` if the folder does not exist or its data is invalid.
  public static func load(
    folder: String, progress: ProgressReport = .unread
  ) throws(StoreError) -> TripleStore {
    try FolderReading.once(
      FolderContent(folder), DatasetOptions(isStrict: true), progress
    ).store
  }
}
