import Synchronization

/// A hash table that is built at its first use and shared by all copies.
///
/// A screen can therefore show a loaded store before its texts and ids are hashed.
final class LazyHashTable: Sendable {
  private let slots = Mutex<HashTable?>(nil)

  /// Returns the table. The first caller builds it by calling `make`.
  func table(_ make: () -> HashTable) -> HashTable {
    slots.withLock { slots in
      if let slots { return slots }
      let made = make()
      slots = made
      return made
    }
  }
}
