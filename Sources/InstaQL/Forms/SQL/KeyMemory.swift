import Synchronization
package import Triples

/// The keys of rows whose ids were made of them, as long as a store is open: from such an id alone no
/// database finds its row.
package final class KeyMemory: Sendable {
  private let keys = Mutex<[EntityID: [String]]>([:])
  /// More are forgotten at once: what is on screen is soon noted again.
  private static let maxKeys = 1_000_000

  package init() {}

  package func key(of id: EntityID) -> [String]? { keys.withLock { $0[id] } }

  package func note(_ key: [String], of id: EntityID) {
    keys.withLock { keys in
      if keys.count >= Self.maxKeys { keys = [:] }
      keys[id] = key
    }
  }
}

extension KeyMemory: Hashable {
  package static func == (a: KeyMemory, b: KeyMemory) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
