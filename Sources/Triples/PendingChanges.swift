/// The changes that a snapshot shows and that the store, or its server, does not have yet.
public struct PendingChanges: Sendable, Hashable {
  /// The number of changes that a server has not confirmed.
  public var count: Int
  /// The entities of all of them, and of `changes`.
  public var entities: Set<EntityID>
  /// The newest of them if an earlier process made it; it can be dropped by this id.
  package var left: MutationID?
  /// Rejections that arrived after the change was reported as queued, the newest
  /// last.
  public var refused: [Refusal] = []
  /// The changes of this process that the store does not have, the oldest first.
  public private(set) var changes: [PendingChange] = []
  /// Whether new changes are staged.
  public private(set) var isStaging = false
  /// What keeps the store from making `changes`, as the beginning of a sentence; nil when nothing
  /// does.
  public private(set) var blocker: String?
  private var staged: Set<EntityID> = []
  private var deleted: Set<EntityID> = []

  /// A change that the server rejected.
  public struct Refusal: Sendable, Hashable {
    /// The id of the rejected change.
    public let id: MutationID
    /// The server's message.
    public let reason: String

    package init(id: MutationID, reason: String) {
      (self.id, self.reason) = (id, reason)
    }
  }

  /// Changes by number, and the entities that they concern.
  public init(count: Int = 0, entities: Set<EntityID> = []) {
    self.count = count
    self.entities = entities
  }

  /// The same with the changes of this process.
  package func with(
    _ changes: [PendingChange], isStaging: Bool, blocker: String?
  ) -> PendingChanges {
    var all = self
    (all.changes, all.isStaging, all.blocker) = (changes, isStaging, blocker)
    var sending: Set<EntityID> = []
    for change in changes {
      for step in change.transaction.steps {
        guard case .id(let entity)? = step.entity else { continue }
        if change.state == .staged { all.staged.insert(entity) } else { sending.insert(entity) }
        if case .deleteEntity = step, change.isShown { all.deleted.insert(entity) }
      }
    }
    all.entities.formUnion(all.staged)
    all.entities.formUnion(sending)
    all.staged.subtract(sending)
    return all
  }

  /// How many of `changes` are staged.
  public var stagedCount: Int { changes.count { $0.state == .staged } }

  /// The most significant pending change of an entity; nil when there is none.
  public func mark(of entity: EntityID) -> Mark? {
    guard entities.contains(entity) else { return nil }
    return deleted.contains(entity) ? .deletion : staged.contains(entity) ? .staged : .sending
  }

  /// What a pending change means for a row.
  public enum Mark: Sendable, Hashable {
    /// It is on its way, or a server has not confirmed it.
    case sending
    /// Collected on screen, not sent.
    case staged
    /// It deletes the entity, which is still shown.
    case deletion
  }
}

/// A change of this process that the store does not have yet.
public struct PendingChange: Sendable, Hashable {
  /// How far a change is.
  public enum State: Sendable, Hashable {
    /// Collected until it is sent.
    case staged
    /// Sent, and not answered.
    case sending
    /// On its way, while something keeps the store from making it.
    case blocked
  }

  /// Its position among all changes of the process.
  public let number: Int
  /// The change itself.
  public let transaction: Transaction
  /// What it does, in words.
  public let summary: String
  /// How far it is.
  public let state: State
  /// How many staged changes it consists of; 0 when it was never staged.
  public let stagedParts: Int

  package init(
    number: Int, transaction: Transaction, summary: String, state: State, stagedParts: Int
  ) {
    self.number = number
    self.transaction = transaction
    self.summary = summary
    self.state = state
    self.stagedParts = stagedParts
  }

  /// Whether snapshots contain it.
  public var isShown: Bool { state != .sending || stagedParts > 0 }
}
