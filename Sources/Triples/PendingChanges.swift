/// The changes that a snapshot contains but the store, or its server, does not have yet.
public struct PendingChanges: Sendable, Hashable {
  /// The number of changes that a server has not confirmed.
  public var count: Int
  /// The entities that unconfirmed changes affect, including those of `changes`.
  public var entities: Set<EntityID>
  /// The newest unconfirmed change, if an earlier process made it; the user can drop it. Otherwise
  /// nil.
  package var left: MutationID?
  /// The changes that a server rejected after they had been reported as queued, the newest last.
  public var refused: [Refusal] = []
  /// The changes of this process that the store does not have, the oldest first.
  public private(set) var changes: [PendingChange] = []
  /// Whether new changes are staged.
  public private(set) var isStaging = false
  /// The reason why the store cannot make `changes` now; nil when it can make them. The text begins
  /// a sentence.
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

  /// Creates pending changes from their number and the entities that they affect.
  public init(count: Int = 0, entities: Set<EntityID> = []) {
    self.count = count
    self.entities = entities
  }

  /// Returns a copy that lists the changes of this process.
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

  /// The number of `changes` that are staged.
  public var stagedCount: Int { changes.count { $0.state == .staged } }

  /// Returns how pending changes affect an entity. A deletion takes precedence over a staged
  /// change, which takes precedence over other changes. Nil when no pending change affects the
  /// entity.
  public func mark(of entity: EntityID) -> Mark? {
    guard entities.contains(entity) else { return nil }
    return deleted.contains(entity) ? .deletion : staged.contains(entity) ? .staged : .sending
  }

  /// How a pending change affects a row.
  public enum Mark: Sendable, Hashable {
    /// The change is being sent, or a server has not confirmed it.
    case sending
    /// The change is staged and not sent yet.
    case staged
    /// The change deletes the entity, which is still displayed.
    case deletion
  }
}

/// A change of this process that the store does not have yet.
public struct PendingChange: Sendable, Hashable {
  /// The stage that a change has reached.
  public enum State: Sendable, Hashable {
    /// The change waits until the user sends it.
    case staged
    /// The store has not answered the sent change yet.
    case sending
    /// A lock prevents the store from making the sent change.
    case blocked
  }

  /// The position of the change among all changes of the process.
  public let number: Int
  /// The change itself.
  public let transaction: Transaction
  /// A description of the change for users.
  public let summary: String
  /// The stage that the change has reached.
  public let state: State
  /// The number of staged changes that the change combines; 0 if it was never staged.
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

  /// Whether snapshots contain the change.
  public var isShown: Bool { state != .sending || stagedParts > 0 }
}
