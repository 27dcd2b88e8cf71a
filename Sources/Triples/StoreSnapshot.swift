/// A store as of one transaction, how it came to be, and how fresh it is.
public struct StoreSnapshot: Sendable {
  public let store: TripleStore
  /// What changed since the snapshot before; nil when that is not known.
  public let changes: ChangeSet?
  public let freshness: Freshness

  public init(_ store: TripleStore, changes: ChangeSet? = nil, freshness: Freshness = .live) {
    self.store = store
    self.changes = changes
    self.freshness = freshness
  }

  public var transactionID: Int { store.transactionID }

  /// How much what a snapshot says can be trusted to be true now.
  public enum Freshness: Hashable, Sendable {
    /// True now, as far as the source can know.
    case live
    /// The last that could be read; the reason says why nothing newer can.
    case stale(reason: String)
    /// Kept from earlier; the moment in milliseconds since 1970.
    case archived(since: Int64)
    /// With changes that are not confirmed yet.
    case optimistic
  }
}

extension StoreSnapshot: Equatable {
  /// Equal are snapshots of one and the same store; one filled alike is another.
  ///
  /// - Complexity: O(1).
  public static func == (a: StoreSnapshot, b: StoreSnapshot) -> Bool {
    a.store.isIdentical(to: b.store) && a.transactionID == b.transactionID
      && a.freshness == b.freshness
  }
}
