package import Dispatch
import GRDB
import Synchronization

/// The open store files of this process, so that it can close all of them before it ends.
///
/// If a file is not closed, its last changes remain in the write-ahead log.
package enum OpenStores {
  private struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
  }

  private struct Registry: Sendable {
    var stores: [Weak<LocalStore>] = []
    /// The open databases, including those of stores that are still loading.
    var databases: [Weak<OpenDatabase>] = []
    var openCount = 0
  }

  private static let registry = Mutex(Registry())
  /// The dispatch group that each database leaves when it is closed.
  private static let closing = DispatchGroup()

  static func register(_ store: LocalStore) {
    registry.withLock { registry in
      registry.stores.removeAll { $0.object == nil }
      registry.stores.append(Weak(object: store))
    }
  }

  fileprivate static func opened(_ database: OpenDatabase) {
    closing.enter()
    registry.withLock { registry in
      registry.databases.removeAll { $0.object == nil }
      registry.databases.append(Weak(object: database))
      registry.openCount += 1
    }
  }

  fileprivate static func closed() {
    registry.withLock { $0.openCount -= 1 }
    closing.leave()
  }

  /// Whether all files are closed.
  package static var isEmpty: Bool { registry.withLock { $0.openCount == 0 } }

  /// Closes all stores; loading is canceled.
  package static func closeAll() async {
    let (stores, databases) = registry.withLock { registry in
      (registry.stores.compactMap(\.object), registry.databases.compactMap(\.object))
    }
    for store in stores { await store.close() }
    for database in databases { database.cancelAndClose() }
  }

  /// Waits for files that other threads are closing.
  package static func waitUntilClosed(_ deadline: DispatchTime) {
    _ = closing.wait(timeout: deadline)
  }
}

/// The database of an open store file, closed once: on request, or when nothing refers to it.
final class OpenDatabase: Sendable {
  let queue: DatabaseQueue
  private let isOpen = Atomic(true)

  init(_ queue: DatabaseQueue) {
    self.queue = queue
    OpenStores.opened(self)
  }

  func close() {
    if startClosing() { finishClosing() }
  }

  /// Cancels the current operation and closes the database.
  func cancelAndClose() {
    // The thread that closes a database is not interrupted, since closing merges the log.
    guard startClosing() else { return }
    queue.interrupt()
    finishClosing()
  }

  /// Returns whether the caller must close the database; false if another thread does.
  private func startClosing() -> Bool {
    isOpen.exchange(false, ordering: .acquiringAndReleasing)
  }

  private func finishClosing() {
    // An interruption lasts until the next statement. Otherwise closing would not merge the log.
    try? queue.inDatabase { try $0.execute(sql: "SELECT 1") }
    // If closing fails, the log remains and nothing is lost.
    try? queue.close()
    OpenStores.closed()
  }

  deinit { close() }
}
