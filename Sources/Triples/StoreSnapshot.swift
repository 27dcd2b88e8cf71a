/// The state of a store after a transaction, with its recent changes and its freshness.
public struct StoreSnapshot: Sendable {
  /// The data of the snapshot.
  public let store: TripleStore
  /// The known changes that led to this state.
  public let history: ChangeHistory
  /// The freshness of the data.
  public private(set) var freshness: Freshness
  /// Displayed changes that a server has not confirmed yet.
  public let pending: PendingChanges
  /// The server's information about its answer. It is nil when the store contains all data rather
  /// than a server's answer to one query.
  public let served: ServedAnswer?
  /// The reason why changes are currently rejected, with advice. Nil when they are accepted, or
  /// when the store does not know.
  public private(set) var readOnlyReason: String?
  /// How the store detects changes of other programs, as a text for display. Nil when the store
  /// reports all changes itself, or when the method never changes.
  public private(set) var changeDetection: String?
  /// How the transaction number of the snapshot is determined.
  private var numbering = Numbering.own
  /// The snapshot without the changes of this process; empty when there are no such changes. The
  /// property is an array because a struct cannot contain itself.
  private var beneath: [StoreSnapshot] = []

  /// Creates a snapshot; see the properties.
  public init(
    _ store: TripleStore, history: ChangeHistory = ChangeHistory(), freshness: Freshness = .live,
    pending: PendingChanges = PendingChanges(), served: ServedAnswer? = nil
  ) {
    self.store = store
    self.history = history
    self.freshness = freshness
    self.pending = pending
    self.served = served
  }

  /// Whether a server has not answered yet. In that case the store contains only local changes, and
  /// missing data may exist on the server.
  public var isUnanswered: Bool { served?.isAwaited == true }

  /// The number of the state. It is unique and increases within one source.
  public var transactionID: Int { store.transactionID }

  /// The number that the store or server gave to the newest transaction; nil when it is unknown.
  package var knownTransaction: Int? {
    switch numbering {
    case .own: transactionID
    case .server(let transaction): transaction
    }
  }

  /// Whether the snapshot is the result of an undo that only dropped a queued change, without a
  /// transaction.
  package var isOfNothingSent: Bool { freshness == .live && knownTransaction == nil }

  private enum Numbering: Hashable {
    /// State numbers are transaction numbers.
    case own
    /// The server counts transactions, while states are numbered locally.
    case server(transaction: Int?)
  }

  /// Returns a copy with the server's transaction number. `transaction` is nil when the number is
  /// unknown, and 0 when the server has no transactions.
  package func counted(byServer transaction: Int?) -> StoreSnapshot {
    var copy = self
    copy.numbering = .server(transaction: transaction == 0 ? nil : transaction)
    return copy
  }

  /// Returns a copy that says whether the store accepts changes.
  ///
  /// - Parameter reason: The reason why the store rejects changes, with advice; nil when it accepts
  ///   them.
  package func readOnly(because reason: String?) -> StoreSnapshot {
    var copy = self
    copy.readOnlyReason = reason
    return copy
  }

  /// Returns a copy with another freshness.
  package func with(_ freshness: Freshness) -> StoreSnapshot {
    var copy = self
    copy.freshness = freshness
    return copy
  }

  /// Returns a copy that says how the store detects changes of other programs.
  package func detecting(_ method: String?) -> StoreSnapshot {
    var copy = self
    copy.changeDetection = method
    return copy
  }

  /// The snapshot without those changes of this process that the store does not have yet.
  public var base: StoreSnapshot { beneath.first ?? self }

  /// Whether the snapshot contains changes of this process that the store does not have yet. In
  /// that case, only `base` has the history.
  package var hasOverlay: Bool {
    beneath.first.map { !$0.store.isIdentical(to: store) } ?? false
  }

  /// Returns a copy that contains changes of this process.
  ///
  /// - Parameters:
  ///   - shown: The store with the changes; nil when the changes have no effect on the data.
  ///   - served: The server's information about its answer, adapted to the changes.
  package func overlaid(
    _ shown: TripleStore?, served: ServedAnswer?, pending: PendingChanges
  ) -> StoreSnapshot {
    var store = shown ?? store
    if shown != nil { store.transactionID = transactionID }
    var copy = StoreSnapshot(
      store, history: history, freshness: freshness, pending: pending, served: served)
    (copy.numbering, copy.readOnlyReason) = (numbering, readOnlyReason)
    copy.changeDetection = changeDetection
    copy.beneath = [self]
    return copy
  }

  /// The changes of the newest transaction; nil when they are unknown.
  public var changes: ChangeSet? { history.newest }

  /// Returns all changes since an earlier snapshot of the same source; nil when they are unknown.
  package func changes(since earlier: StoreSnapshot) -> ChangeSet? {
    history.continues(earlier.history) ? history.changes(since: earlier.transactionID) : nil
  }

  /// The freshness of a snapshot's data.
  public enum Freshness: Hashable, Sendable {
    /// The data is current according to the source.
    case live
    /// The data is the beginning of a source that is still loading.
    case loading
    /// The data is the last readable state. The reason says why no newer state can be read.
    case stale(reason: String)
    /// The data comes from an archive, which stored it at this time, in milliseconds since 1970.
    case archived(since: Int64)
    /// The data includes local changes that a server has not confirmed.
    case optimistic
    /// The first connection to the server is being established.
    case connecting
    /// The server has been unreachable since a time, in milliseconds since 1970. `nextTry` is the
    /// time of the next attempt; nil during an attempt.
    case offline(since: Int64, nextTry: Int64?, reason: String)
  }
}

extension StoreSnapshot: Equatable {
  /// Returns whether both are snapshots of one store in the same state. Separate stores with equal
  /// content are not equal.
  ///
  /// - Complexity: O(1).
  public static func == (a: StoreSnapshot, b: StoreSnapshot) -> Bool {
    a.store.isIdentical(to: b.store) && a.transactionID == b.transactionID
      && a.freshness == b.freshness && a.pending == b.pending && a.served == b.served
      && a.numbering == b.numbering && a.readOnlyReason == b.readOnlyReason
      && a.changeDetection == b.changeDetection
  }
}
