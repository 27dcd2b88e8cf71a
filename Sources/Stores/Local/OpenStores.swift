package import Dispatch
import GRDB
import Synchronization

/// The store files that this process has open, so that all of them are closed when it ends: a file that
/// is not closed leaves its last changes in the log beside it.
package enum OpenStores {
  private struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
  }

  private struct Registry: Sendable {
    var stores: [Weak<LocalStore>] = []
    /// Those of stores that are still being read, too.
    var databases: [Weak<OpenDatabase>] = []
    var openCount = 0
  }

  private static let registry = Mutex(Registry())
  /// Left by each database once it is closed.
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

  /// Whether every file that was opened is closed.
  package static var isEmpty: Bool { registry.withLock { $0.openCount == 0 } }

  /// Closes all stores; what is being read is given up.
  package static func closeAll() async {
    let (stores, databases) = registry.withLock { registry in
      (registry.stores.compactMap(\.object), registry.databases.compactMap(\.object))
    }
    for store in stores { await store.close() }
    for database in databases {
      database.queue.interrupt()
      database.close()
    }
  }

  /// Waits for files that are closed by other threads at this moment.
  package static func waitUntilClosed(_ deadline: DispatchTime) {
    _ = closing.wait(timeout: deadline)
  }
}

/// The database of an open store file. It is closed once: when asked, or when nothing refers to it
/// anymore.
final class OpenDatabase: Sendable {
  let queue: DatabaseQueue
  private let isOpen = Atomic(true)

  init(_ queue: DatabaseQueue) {
    self.queue = queue
    OpenStores.opened(self)
  }

  func close() {
    guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else { return }
    // One that cannot be closed leaves its log, and nothing is lost.
    try? queue.close()
    OpenStores.closed()
  }

  deinit { close() }
}
