import Synchronization

/// A table that is made when somebody first looks for something in it, and shared by all copies: a
/// store that was read back can be shown before its texts and ids are hashed.
final class LateSlots: Sendable {
  private let slots = Mutex<HashSlots?>(nil)

  /// The table; `make` is called once, whoever asks first.
  func table(_ make: () -> HashSlots) -> HashSlots {
    slots.withLock { slots in
      if let slots { return slots }
      let made = make()
      slots = made
      return made
    }
  }
}
