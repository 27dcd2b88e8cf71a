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
    var databases: [Weak<DatabaseQueue>] = []
  }

  private static let registry = Mutex(Registry())

  static func register(_ store: LocalStore) {
    registry.withLock { registry in
      registry.stores.removeAll { $0.object == nil }
      registry.stores.append(Weak(object: store))
    }
  }

  static func register(_ database: DatabaseQueue) {
    registry.withLock { registry in
      registry.databases.removeAll { $0.object == nil }
      registry.databases.append(Weak(object: database))
    }
  }

  /// Whether no file was opened that is still in use.
  package static var isEmpty: Bool {
    registry.withLock { $0.databases.allSatisfy { $0.object == nil } }
  }

  /// Closes all stores; what is being read is given up.
  package static func closeAll() async {
    let (stores, databases) = registry.withLock { registry in
      defer { registry = Registry() }
      return (
        registry.stores.compactMap(\.object), registry.databases.compactMap(\.object)
      )
    }
    for store in stores { await store.close() }
    for database in databases {
      database.interrupt()
      // One that was closed above is closed; one that cannot be leaves its log, and nothing is lost.
      try? database.close()
    }
  }
}
