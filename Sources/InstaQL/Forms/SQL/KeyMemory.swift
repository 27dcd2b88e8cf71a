import Synchronization
package import Triples

/// Maps entity ids to row keys. It is needed for ids that are hashes of keys, since a hash cannot
/// be reversed.
package final class KeyMemory: Sendable {
  private let keys = Mutex<[EntityID: [String]]>([:])
  /// The maximum number of keys. When it is reached, all keys are dropped; those of visible rows
  /// are soon added again.
  private static let maxKeys = 1_000_000

  package init() {}

  package func key(of id: EntityID) -> [String]? { keys.withLock { $0[id] } }

  package func remember(_ key: [String], of id: EntityID) {
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
