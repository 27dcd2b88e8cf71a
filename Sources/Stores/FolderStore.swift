public import DataSources
public import LiveQueries
public import Triples

/// A folder of JSON, JSON Lines, CSV or TSV files as a store: each file a namespace. One such file alone
/// is a store of one namespace, and the folder of an unpacked Instant backup is read as the backup.
///
/// The data is held in memory. The folder is watched: when a file changes, all files are read again, and
/// watchers get a new snapshot if the data differs. A row that cannot be read is left out, and the
/// report says so. A file that becomes unreadable keeps the rows it had until it is repaired, and a new
/// unreadable file is left out; meanwhile the snapshot is stale and gives the reason. If no file can be
/// read, or the schema is broken, all data stays as it was. A file that is unreadable when the folder is
/// opened is left out and reported, as long as another file can be read; its rows appear once it is
/// repaired.
///
/// A row without an id or a key has an id made from its position, so that it stays the same entity
/// while its cells are edited: a cursor on it stays there. What is imported has ids made from the
/// content instead.
///
/// Opened for writing it takes transactions and keeps them in memory, over the files, which it
/// never changes: they end with it. When the files change, the transactions are carried out again over
/// what is new; those that no longer fit are left out, and the snapshot says so.
public actor FolderStore: SnapshotStore {
  private let folder: String
  private let access: StoreAccess
  private let now: @Sendable () -> Int64
  private var contents: StoreContents
  private var overlay: [OverlaidTransaction] = []
  /// Why what is shown may not be what the folder says; nil when it is.
  private var staleness: String?
  /// Of the files, under what was changed in memory.
  private var reading: FolderReading
  /// How many transactions no longer fit the files; reported until the next transaction.
  private var dropped = 0
  private var reloading: Task<Void, Never>?
  public nonisolated let changed = ChangeSignal()
  /// What could not be read, or was read otherwise than it is written, with file and line.
  public var report: ReadReport { reading.report }

  /// A transaction and the moment at which it was made.
  private struct OverlaidTransaction {
    let transaction: Transaction
    let time: Int64
  }

  /// Each transaction is carried out again with each change of the files.
  private static let mostOverlaid = 10_000

  /// Reads the folder, or the one file, and begins to watch it.
  ///
  /// - Parameter progress: Told how many bytes have been read.
  /// - Throws: ``StoreError`` when there is no such folder, no file in it can be
  ///   read, or what one says cannot be.
  public static func open(
    folder: String, access: StoreAccess = .readOnly, progress: ProgressReport = .unread,
    now: @escaping @Sendable () -> Int64 = { Instant.nowInMilliseconds }
  ) async throws(StoreError) -> FolderStore {
    let folder = Files.named(folder)
    let reading = try FolderReading.first(FolderContent(folder), progress)
    let store = FolderStore(folder, access, now, reading)
    await store.startWatching()
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
    reloading?.cancel()
  }

  public func snapshot() -> StoreSnapshot {
    StoreSnapshot(contents.store, history: contents.history, freshness: freshness)
  }

  private var freshness: StoreSnapshot.Freshness {
    if let staleness { return .stale(reason: staleness) }
    if dropped > 0 {
      return .stale(
        reason: dropped == 1
          ? "a change made here no longer fits the files and was left out"
          : "\(dropped) changes made here no longer fit the files and were left out")
    }
    return .live
  }

  /// Carries out a transaction in memory; the files stay as they are.
  ///
  /// - Throws: `refused` when the folder is open for reading only, or with the store's own sentence.
  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    guard access == .readWrite else {
      throw .readOnly(
        Files.kind(of: folder) == .folder
          ? "The folder \(folder) is open read-only: change its files, the screen follows."
          : "The file \(folder) is open read-only: change it, the screen follows.")
    }
    guard let query = query as? TransactionQuery else {
      throw .unsupported(query, source: FolderStore.self, operation: .put)
    }
    guard overlay.count < Self.mostOverlaid else {
      throw .readOnly(
        "The folder \(folder) has \(overlay.count) changes in memory and takes no more: "
          + "import it into a .sonde file.")
    }
    let time = now()
    guard try contents.transact(query, at: time) else { return snapshot() }
    overlay.append(OverlaidTransaction(transaction: query.transaction, time: time))
    dropped = 0
    changed.ring()
    return snapshot()
  }
}

// Following the files.
extension FolderStore {
  private func startWatching() {
    guard let watcher = try? FolderContent.watcher(of: folder) else {
      // Without a watch the folder can still be read; the snapshot says that it will not follow.
      staleness = "changes of the folder are not noticed"
      return
    }
    reloading = Task { [weak self] in
      for await _ in watcher.changes {
        await self?.reload()
      }
    }
  }

  private func reload() async {
    do throws(StoreError) {
      if let next = try await Self.readInBackground(folder, after: reading) {
        let isNew = !next.showsSame(as: reading)
        reading = next
        if isNew {
          contents.replace(with: next.store)
          layOverlay()
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

  /// Carries out again what was changed here. Between reading the files and this nothing is lost:
  /// both are one step of the actor.
  private func layOverlay() {
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

  /// What the files say now; nil when it is what they said then.
  @concurrent
  private static func readInBackground(
    _ folder: String, after reading: FolderReading
  ) async throws(StoreError) -> FolderReading? {
    try reading.next(FolderContent(folder))
  }

  /// The folder's data as it is now.
  /// - Throws: ``StoreError`` when there is no such folder or something in it is wrong.
  public static func load(
    folder: String, progress: ProgressReport = .unread
  ) throws(StoreError) -> TripleStore {
    try FolderReading.once(
      FolderContent(folder), DatasetOptions(isStrict: true), progress
    ).store
  }
}
