import GRDB
import Synchronization
import Triples

/// The cache of columns in the file, which makes opening fast.
extension LocalStore {
  /// Starts writing the cache if it lacks many changes, unless a write is in progress.
  func writeCacheIfDue() {
    guard access == .readWrite else { return }
    let isDue = state.withLock {
      $0.uncachedChanges >= StoreLoading.changesWorthCaching && !$0.isWritingCache
    }
    if isDue { Task { await self.writeCache() } }
  }

  /// Limits the size of the file in pages, to simulate a full disk.
  package func limitPages(to count: Int) async throws {
    try await file.database.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA max_page_count = \(count)")
    }
  }

  /// Updates the cache. Unchanged segments are not rewritten.
  package func writeCache() async {
    let isFree = state.withLock { state in
      defer { state.isWritingCache = true }
      return !state.isWritingCache
    }
    guard isFree, access == .readWrite else { return }
    // If the cache cannot be written, the next load reads the triples instead.
    let base = try? await stageAndPublish()
    state.withLock { state in
      state.isWritingCache = false
      guard let base else { return }
      state.cache = base.base
      state.uncachedChanges -= min(state.uncachedChanges, base.covered)
    }
  }

  private func stageAndPublish() async throws -> (base: StoreCache.Base, covered: Int)? {
    let (file, store, known, covered) = state.withLock {
      ($0.file, $0.contents.store, $0.cache, $0.uncachedChanges)
    }
    let token = try await file.database.writeWithoutTransaction { try StoreCache.token($0) }
    var rows: [SegmentKey: StoreCache.Place] = [:]
    if let known, known.token == token {
      for (key, row) in known.rows where store.sharesSegment(key, with: known.store) {
        rows[key] = row
      }
    }
    var rest = store.segmentKeys.filter { rows[$0] == nil }[...]
    while !rest.isEmpty {
      let keys = rest
      let staged = try await file.database.write { db in
        try StoreCache.stage(keys, of: store, db)
      }
      rows.merge(staged.rows) { $1 }
      rest = staged.rest
    }
    let all = rows
    let published = try await file.database.write { db in
      try StoreCache.publish(all, of: store, replacing: token, db)
    }
    guard let published else { return nil }
    return (StoreCache.Base(token: published, store: store, rows: all), covered)
  }
}
