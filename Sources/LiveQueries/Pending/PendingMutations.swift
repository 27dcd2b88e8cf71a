package import Triples

/// The changes that were made here and that the server's answers do not show yet: a pure table.
///
/// A mutation waits, is confirmed, and goes when every answer at hand shows it. One that is refused
/// goes at once. The table sends, stores and tells nothing itself.
///
/// - Source: the client of InstantDB, with the difference that answers are kept as the server gave
///   them, and mutations are applied when somebody looks.
package struct PendingMutations: Equatable, Sendable {
  /// From so many mutations on those are let go that were confirmed long ago.
  package static let mostMutations = 200
  /// How long a confirmed one is kept then, in milliseconds.
  package static let keptAfterConfirming: Int64 = 30_000

  /// By their order.
  package internal(set) var mutations: [PendingMutation] = []

  package init() {}

  package var isEmpty: Bool { mutations.isEmpty }

  package subscript(id: MutationID) -> PendingMutation? { mutations.first { $0.id == id } }

  /// Those that the server has to answer for, in the order in which to send them.
  package var waiting: [PendingMutation] { mutations.filter(\.isWaiting) }

  /// Those that an answer does not show which reflects all transactions up to `processed`.
  package func missing(from processed: Int?) -> [PendingMutation] {
    mutations.filter { !$0.isShown(by: processed) }
  }

  /// How many the server has still to confirm, and the entities that they name.
  package var changes: PendingChanges {
    var changes = PendingChanges()
    for mutation in mutations where mutation.transactionID == nil {
      changes.count += 1
      for step in mutation.transaction.steps {
        if case .id(let entity)? = step.entity { changes.entities.insert(entity) }
      }
    }
    return changes
  }

  // MARK: Its life

  /// Enters a mutation. One that is known already stays as it is.
  ///
  /// - Parameter now: In milliseconds since 1970.
  package mutating func add(_ transaction: Transaction, id: MutationID, at now: Int64) {
    guard self[id] == nil else { return }
    // Each step takes a tenth of a millisecond of its own, so that what is made later sorts later.
    let earliest = mutations.last.map { $0.created + Int64($0.transaction.steps.count) / 10 + 1 }
    mutations.append(
      PendingMutation(
        transaction, id: id, order: (mutations.last?.order ?? 0) + 1,
        created: max(now, earliest ?? now)))
  }

  /// The server took it. False when it is not known here any more, or was confirmed before.
  package mutating func confirm(_ id: MutationID, as transactionID: Int, at now: Int64) -> Bool {
    guard let mutation = self[id], mutation.transactionID == nil else { return false }
    change(id) { $0.state = .confirmed(transactionID: transactionID, at: now) }
    return true
  }

  /// Takes out one that the server refused; nil when it is not known here any more.
  package mutating func reject(_ id: MutationID) -> PendingMutation? {
    guard let place = mutations.firstIndex(where: { $0.id == id }) else { return nil }
    return mutations.remove(at: place)
  }

  /// Takes out all, for another user.
  package mutating func removeAll() -> [PendingMutation] {
    defer { mutations = [] }
    return mutations
  }

  /// Lets go of those that every answer at hand shows, and when there are very many, of those that
  /// were confirmed long ago.
  ///
  /// - Parameter processed: What each answer at hand reflects; of one that is still awaited 0. With
  ///   none at hand nobody needs a confirmed mutation.
  package mutating func drop(shownBy processed: [Int], at now: Int64) {
    let oldest = processed.min() ?? .max
    mutations.removeAll { $0.isShown(by: oldest) }
    guard mutations.count >= Self.mostMutations else { return }
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
