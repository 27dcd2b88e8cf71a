/// A store as of one transaction, how it came to be, and how fresh it is.
public struct StoreSnapshot: Sendable {
  public let store: TripleStore
  /// What the transactions before this state changed, as far as it is known.
  public let history: ChangeHistory
  public let freshness: Freshness
  /// Changes that the store shows already and that a server has still to confirm.
  public let pending: PendingChanges
  /// What a server said about its answer, when the store holds no more than what it sent for one
  /// query; nil when the store holds everything, so that pages are cut here.
  public let served: ServedAnswer?
  /// Why those who keep the data take no changes at present, and what would help; nil while they take
  /// them, or have not said.
  public private(set) var whyReadOnly: String?
  /// Whose transactions a person is told of.
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

  /// Whether a server was asked and has not answered yet: nothing is known then but what was made here,
  /// and that there is nothing cannot be told from it.
  public var isUnanswered: Bool { served?.isAwaited == true }

  /// The number of the state: those of one source grow, and no two states have the same.
  public var transactionID: Int { store.transactionID }

  /// The number of the newest transaction in it, as those count who keep the data; nil when they have
  /// not told.
  package var knownTransaction: Int? {
    switch numbering {
    case .own: transactionID
    case .server(let transaction): transaction
    }
  }

  /// Of what a store returned for a transaction that takes another one back: whether that one was
  /// never sent, so that nothing had to be.
  package var isOfNothingSent: Bool { freshness == .live && knownTransaction == nil }

  private enum Numbering: Hashable {
    /// The states are numbered by the transactions.
    case own
    /// A server counts its transactions; the states are numbered here.
    case server(transaction: Int?)
  }

  /// The same as of a transaction of the server's; nil when it has not told of one, 0 when it has seen
  /// none.
  package func counted(byServer transaction: Int?) -> StoreSnapshot {
    var copy = self
    copy.numbering = .server(transaction: transaction == 0 ? nil : transaction)
    return copy
  }

  /// The same from those who take no changes.
  ///
  /// - Parameter reason: Why, and what would help; nil when they do take them.
  package func readOnly(because reason: String?) -> StoreSnapshot {
    var copy = self
    copy.whyReadOnly = reason
    return copy
  }

  /// The same, told by the one who told another snapshot.
  package func told(as other: StoreSnapshot) -> StoreSnapshot {
    var copy = self
    copy.numbering = other.numbering
    copy.whyReadOnly = other.whyReadOnly
    return copy
  }

  /// What the newest transaction changed; nil when that is not known.
  public var changes: ChangeSet? { history.newest }

  /// All that changed since an earlier snapshot of the same source; nil when that is not known.
  package func changes(since earlier: StoreSnapshot) -> ChangeSet? {
    history.continues(earlier.history) ? history.changes(since: earlier.transactionID) : nil
  }

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
    /// The server that knows is being called for the first time.
    case connecting
    /// The server cannot be reached: since when, and when it is tried again, in milliseconds since
    /// 1970; nil when it is tried right now.
    case offline(since: Int64, nextTry: Int64?, reason: String)
  }
}

/// How many transactions wait for a server's word, and whom they touch.
public struct PendingChanges: Sendable, Hashable {
  public var count: Int
  public var entities: Set<EntityID>
  /// The newest of them, where an earlier process left it: it can be dropped by its name.
  package var left: MutationID?
  /// Those that the server refused when whoever made them was told already that they wait; the last.
  public var refused: [Refusal] = []

  /// A change that the server did not take.
  public struct Refusal: Sendable, Hashable {
    public let id: MutationID
    /// The server's words.
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
  /// Equal are snapshots of one and the same store; one filled alike is another.
  ///
  /// - Complexity: O(1).
  public static func == (a: StoreSnapshot, b: StoreSnapshot) -> Bool {
    a.store.isIdentical(to: b.store) && a.transactionID == b.transactionID
      && a.freshness == b.freshness && a.pending == b.pending && a.served == b.served
      && a.numbering == b.numbering && a.whyReadOnly == b.whyReadOnly
  }
}
