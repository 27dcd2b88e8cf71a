package import Triples

/// The table of local changes that the server's answers do not include yet.
///
/// A mutation is queued, then confirmed, and removed when every current answer includes it. A
/// rejected mutation is removed immediately. The table only changes its state; its owner sends,
/// stores and reports mutations.
///
/// - Source: the client of InstantDB, except that answers are kept as the server sent them, and
///   mutations are applied on display.
package struct PendingMutations: Equatable, Sendable {
  /// The number of mutations at which old confirmed mutations are dropped.
  package static let maxMutations = 200
  /// How long a confirmed mutation is kept beyond ``maxMutations``, in milliseconds.
  package static let keptAfterConfirming: Int64 = 30_000

  /// The mutations in the order in which they are applied.
  package internal(set) var mutations: [PendingMutation] = []
  private var lastOrder = 0
  /// The earliest possible creation time of the next mutation, in milliseconds since 1970.
  private var earliest = Int64.min

  package init() {}

  package var isEmpty: Bool { mutations.isEmpty }

  package subscript(id: MutationID) -> PendingMutation? { mutations.first { $0.id == id } }

  /// The mutations that the server has not confirmed, in sending order.
  package var waiting: [PendingMutation] { mutations.filter(\.isWaiting) }

  /// Returns the mutations that an answer does not include.
  package func missing(from answer: AnswerMoment) -> [PendingMutation] {
    mutations.filter { !$0.isShown(by: answer) }
  }

  /// The number of unconfirmed mutations and the entities that they affect.
  package var changes: PendingChanges {
    var changes = PendingChanges()
    for mutation in mutations where mutation.transactionID == nil {
      changes.count += 1
      changes.left = mutation.mayHaveArrived ? mutation.id : nil
      for step in mutation.transaction.steps {
        if case .id(let entity)? = step.entity { changes.entities.insert(entity) }
      }
    }
    return changes
  }

  // MARK: Transitions

  /// Creates a mutation with its order and creation time, without inserting it. The caller must
  /// store the mutation on disk before displaying it.
  ///
  /// - Parameter now: The current time in milliseconds since 1970.
  package mutating func make(
    _ transaction: Transaction, id: MutationID, at now: Int64
  ) -> PendingMutation {
    let mutation = PendingMutation(
      transaction, id: id, order: lastOrder + 1, created: max(now, earliest))
    updateOrder(after: mutation)
    return mutation
  }

  /// Inserts a mutation at its position, unless the table already contains its id.
  package mutating func insert(_ mutation: PendingMutation) {
    guard self[mutation.id] == nil else { return }
    updateOrder(after: mutation)
    let place = mutations.lastIndex { $0.order < mutation.order }.map { $0 + 1 } ?? 0
    mutations.insert(mutation, at: place)
  }

  /// Creates and inserts a mutation, unless the table already contains this id.
  package mutating func add(_ transaction: Transaction, id: MutationID, at now: Int64) {
    guard self[id] == nil else { return }
    insert(make(transaction, id: id, at: now))
  }

  /// Updates the order and the earliest creation time for the next mutation. Each step of a
  /// mutation counts as a tenth of a millisecond, so that the next mutation is later.
  private mutating func updateOrder(after mutation: PendingMutation) {
    lastOrder = max(lastOrder, mutation.order)
    let steps = Int64(mutation.transaction.steps.count)
    earliest = max(earliest, mutation.created + steps / 10 + 1)
  }

  /// Records the server's confirmation. Returns false when the mutation is unknown or already
  /// confirmed.
  package mutating func confirm(_ id: MutationID, as transactionID: Int, at now: Int64) -> Bool {
    guard let mutation = self[id], mutation.transactionID == nil else { return false }
    change(id) { $0.state = .confirmed(transactionID: transactionID, at: now) }
    return true
  }

  /// Records a new connection. All answers over it include the mutations confirmed so far.
  package mutating func beginConnection() {
    for place in mutations.indices where !mutations[place].isWaiting {
      mutations[place].isOfEarlierConnection = true
    }
  }

  /// Removes and returns a mutation that the server rejected; nil when it is unknown.
  package mutating func reject(_ id: MutationID) -> PendingMutation? {
    guard let place = mutations.firstIndex(where: { $0.id == id }) else { return nil }
    return mutations.remove(at: place)
  }

  /// Removes mutations that all current answers include. If too many remain, it also removes old
  /// confirmed mutations.
  ///
  /// - Parameter answers: One entry for each current query; the entry of a query without an answer
  ///   includes no mutations. If the list is empty, all confirmed mutations are removed.
  package mutating func drop(shownBy answers: [AnswerMoment], at now: Int64) {
    mutations.removeAll { mutation in
      !mutation.isWaiting && answers.allSatisfy { mutation.isShown(by: $0) }
    }
    guard mutations.count >= Self.maxMutations else { return }
    mutations.removeAll { mutation in
      guard case .confirmed(_, let moment) = mutation.state else { return false }
      return moment + Self.keptAfterConfirming < now
    }
  }

  private mutating func change(_ id: MutationID, _ body: (inout PendingMutation) -> Void) {
    guard let place = mutations.firstIndex(where: { $0.id == id }) else { return }
    body(&mutations[place])
  }
}
