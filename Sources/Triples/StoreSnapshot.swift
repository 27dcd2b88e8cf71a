/// A store at one transaction, with its recent changes and its freshness.
public struct StoreSnapshot: Sendable {
  public let store: TripleStore
  /// The recent changes before this state, as far as they are known.
  public let history: ChangeHistory
  public let freshness: Freshness
  /// Displayed changes that a server has not confirmed yet.
  public let pending: PendingChanges
  /// The server's information about its answer, if the store contains only what a server sent for
  /// one query; nil when it contains everything.
  public let served: ServedAnswer?
  /// Why changes are currently rejected, and advice; nil when they are accepted or this is
  /// unknown.
  public private(set) var whyReadOnly: String?
  /// The source of displayed transaction numbers.
  private var numbering = Numbering.own

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

  /// Whether a server has not answered yet; the store contains only local changes then, and
  /// missing data means nothing.
  public var isUnanswered: Bool { served?.isAwaited == true }

  /// The number of the state; it increases within one source and is unique.
  public var transactionID: Int { store.transactionID }

  /// The number of the newest transaction as counted by the store or server; nil when it is
  /// unknown.
  package var knownTransaction: Int? {
    switch numbering {
    case .own: transactionID
    case .server(let transaction): transaction
    }
  }

  /// For the result of an undo: whether the undone transaction had not been sent, so that nothing
  /// had to be sent.
  package var isOfNothingSent: Bool { freshness == .live && knownTransaction == nil }

  private enum Numbering: Hashable {
    /// States are numbered by transactions.
    case own
    /// The server counts transactions, and states are numbered locally.
    case server(transaction: Int?)
  }

  /// A copy with the server's transaction number; nil when it is unknown, 0 when there was none.
  package func counted(byServer transaction: Int?) -> StoreSnapshot {
    var copy = self
    copy.numbering = .server(transaction: transaction == 0 ? nil : transaction)
    return copy
  }

  /// A copy for a store that accepts no changes.
  ///
  /// - Parameter reason: Why, and advice; nil when changes are accepted.
  package func readOnly(because reason: String?) -> StoreSnapshot {
    var copy = self
    copy.whyReadOnly = reason
    return copy
  }

  /// A copy with the numbering and status of another snapshot.
  package func told(as other: StoreSnapshot) -> StoreSnapshot {
    var copy = self
    copy.numbering = other.numbering
    copy.whyReadOnly = other.whyReadOnly
    return copy
  }

  /// The changes of the newest transaction; nil when they are unknown.
  public var changes: ChangeSet? { history.newest }

  /// All changes since an earlier snapshot of the same source; nil when they are unknown.
  package func changes(since earlier: StoreSnapshot) -> ChangeSet? {
    history.continues(earlier.history) ? history.changes(since: earlier.transactionID) : nil
  }

  /// How current the data of a snapshot is.
  public enum Freshness: Hashable, Sendable {
    /// Current, as far as the source knows.
    case live
    /// The last readable state, with the reason why no newer one can be read.
    case stale(reason: String)
    /// Archived at this time, in milliseconds since 1970.
    case archived(since: Int64)
    /// With unconfirmed local changes.
    case optimistic
    /// The first connection to the server is being established.
    case connecting
    /// The server is unreachable since a time; the next attempt is at another, in milliseconds
    /// since 1970, or nil when it is being made now.
    case offline(since: Int64, nextTry: Int64?, reason: String)
  }
}

/// The unconfirmed transactions: their number and affected entities.
public struct PendingChanges: Sendable, Hashable {
  public var count: Int
  public var entities: Set<EntityID>
  /// The newest of them if an earlier process made it; it can be dropped by this id.
  package var left: MutationID?
  /// Rejections that arrived after the caller was told that the change is queued, the newest
  /// last.
  public var refused: [Refusal] = []

  /// A change that the server rejected.
  public struct Refusal: Sendable, Hashable {
    public let id: MutationID
    /// The server's message.
    public let reason: String

    package init(id: MutationID, reason: String) {
      (self.id, self.reason) = (id, reason)
    }
  }

  public init(count: Int = 0, entities: Set<EntityID> = []) {
    self.count = count
    self.entities = entities
  }
}

extension StoreSnapshot: Equatable {
  /// Snapshots of one store are equal; a separate store with equal content is not.
  ///
  /// - Complexity: O(1).
  public static func == (a: StoreSnapshot, b: StoreSnapshot) -> Bool {
    a.store.isIdentical(to: b.store) && a.transactionID == b.transactionID
      && a.freshness == b.freshness && a.pending == b.pending && a.served == b.served
      && a.numbering == b.numbering && a.whyReadOnly == b.whyReadOnly
  }
}
