public import DataSources
public import LiveQueries
public import Triples

/// A folder of JSON, JSON Lines or CSV files as a store: each file a namespace.
///
/// The store lies in memory. The folder is watched: when a file changes, all are read again, and
/// whoever watches gets the new snapshot. A folder that cannot be read after a change, because a
/// file is half written or broken, leaves the last good snapshot in place, which then says why it
/// is stale. It cannot be written through this store.
public actor FolderStore: StoreDataSource {
  private let folder: String
  private var content: TripleStore
  private var freshness = StoreSnapshot.Freshness.live
  private var watchers: [Int: DataStream<StoreSnapshot>.Continuation] = [:]
  private var lastWatcher = 0
  private var reloading: Task<Void, Never>?

  /// Reads the folder and begins to watch it.
  /// - Throws: ``StoreError`` when there is no such folder or a file in it is broken.
  public static func open(folder: String) async throws(StoreError) -> FolderStore {
    let store = FolderStore(folder: folder, content: try read(folder))
    await store.startWatching()
    return store
  }

  private init(folder: String, content: TripleStore) {
    self.folder = folder
    self.content = content
    self.content.transactionID = 1
  }

  deinit {
    reloading?.cancel()
  }

  private var snapshot: StoreSnapshot { StoreSnapshot(content, freshness: freshness) }

  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    snapshot
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    [snapshot]
  }

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    throw .notValid("The folder \(folder) is open read-only: change its files, the screen follows")
  }

  @discardableResult
  public func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "FolderStore", operation: .putAll)
  }

  public nonisolated func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    let entering = Task { await enter(continuation) }
    continuation.onTermination { [weak self] in
      Task { await self?.leave(entering.value) }
    }
    return stream
  }

  private func enter(_ continuation: DataStream<StoreSnapshot>.Continuation) -> Int {
    lastWatcher += 1
    watchers[lastWatcher] = continuation
    continuation.yield(snapshot)
    return lastWatcher
  }

  private func leave(_ watcher: Int) {
    watchers[watcher] = nil
  }
}

// Following the files.
extension FolderStore {
  private func startWatching() {
    guard let watcher = try? FolderWatcher(folder: folder) else {
      // Without a watch the folder can still be read; the snapshot says that it will not follow.
      freshness = .stale(reason: "changes of the folder are not noticed")
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
      var fresh = try await Self.readInBackground(folder)
      fresh.transactionID = content.transactionID + 1
      content = fresh
      freshness = .live
    } catch {
      freshness = .stale(reason: error.message)
    }
    for watcher in watchers.values { watcher.yield(snapshot) }
  }

  @concurrent
  private static func readInBackground(_ folder: String) async throws(StoreError) -> TripleStore {
    try read(folder)
  }

  private static func read(_ folder: String) throws(StoreError) -> TripleStore {
    let files = try readFiles(folder)
    guard !files.isEmpty else { throw .empty(folder: folder) }
    do throws(DatasetError) {
      return try Dataset.load(files)
    } catch {
      throw .broken(path: folder + "/" + error.message)
    }
  }

  private static func readFiles(
    _ folder: String
  ) throws(StoreError) -> [(name: String, bytes: [UInt8])] {
    var path = folder
    do throws(SystemError) {
      var files: [(name: String, bytes: [UInt8])] = []
      for file in try Files.files(in: folder) where isData(file) {
        path = file
        files.append((Files.name(of: file), try Files.bytes(of: file)))
      }
      return files
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
  }

  private static func isData(_ path: String) -> Bool {
    [".json", ".jsonl", ".csv"].contains { path.hasSuffix($0) }
  }
}
