import DataSources
import GRDB
import LiveQueries
import Synchronization
import Triples

/// Detects changes of other processes, and files that replace the open file.
extension LocalStore {
  func follow(_ watcher: PathWatcher?) {
    guard let watcher else {
      state.withLock { $0.staleness = StaleReason.unwatched }
      return
    }
    following.withLock { following in
      following = Task { [weak self] in
        for await _ in watcher.changes { await self?.catchUp() }
      }
    }
    // Reads a commit that was made between opening and watching the file.
    Task { [weak self] in await self?.catchUp() }
  }

  /// Reads the changes of other processes.
  func catchUp() async {
    do {
      if file.isImmutable { return try await reloadImmutable() }
      let file = try await fileInPlace()
      try await file.database.writeWithoutTransaction { db in
        let known = self.state.withLock { $0.contents }
        if try StoreTables.transactionID(db) == known.store.transactionID {
          self.publishFresh()
          return
        }
        var contents = known
        try db.inTransaction(.deferred) {
          try StoreLoading.catchUp(&contents, db)
          return .commit
        }
        self.publish(contents)
      }
      writeCacheIfDue()
    } catch {
      // If the store was closed in the meantime, it has no watchers left.
      publishStale(StoreError(error, ofStore: path).reason)
    }
  }

  /// Reopens a file that was opened as immutable and has changed.
  private func reloadImmutable() async throws {
    let known = state.withLock { $0.contents.store.transactionID }
    let file = try StoreFile(path, access: access, ifMissing: .fail, lockTimeout: lockTimeout)
    let number = try await file.database.writeWithoutTransaction {
      try StoreTables.transactionID($0)
    }
    if number == known, self.file.place == .same {
      file.close()
      return publishFresh()
    }
    try await replaceFile(with: file)
  }

  /// Notifies watchers, if the store was stale, that it follows the file again with the same data.
  private func publishFresh() {
    let isNews = state.withLock { state in
      defer { state.staleness = nil }
      return state.staleness != nil
    }
    if isNews { changed.ring() }
  }

  private func publishStale(_ reason: String) {
    let isNews = state.withLock { state in
      defer { state.staleness = reason }
      return state.staleness != reason
    }
    if isNews { changed.ring() }
  }

  /// Returns the file that is now at the path: the open file, or a new file that replaced it.
  ///
  /// A new file is opened and read first. Without this check, changes would be written to the
  /// replaced file and lost.
  func fileInPlace() async throws -> StoreFile {
    let file = file
    switch file.place {
    case .same: return file
    case .gone: throw StoreError.gone(path: path)
    case .another: break
    }
    let task = reopening.withLock { task in
      if let task { return task }
      let new = Task { try await self.reopen() }
      task = new
      return new
    }
    defer { reopening.withLock { if $0 == task { $0 = nil } } }
    return try await task.value
  }

  private func reopen() async throws -> StoreFile {
    self.file.abandon()
    let file = try StoreFile(path, access: access, ifMissing: .fail, lockTimeout: lockTimeout)
    try await replaceFile(with: file)
    return file
  }

  private func replaceFile(with file: StoreFile) async throws {
    let new = try await StoreLoading.load(file, progress: .unread)
    state.withLock { state in
      // The changes between the two files are unknown.
      let contents = state.contents.reloaded(new.contents.store)
      state = new
      state.contents = contents
    }
    changed.ring()
  }
}
