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
  private var lastOrder = 0
  /// No mutation is made before this moment.
  private var earliest = Int64.min

  package init() {}

  package var isEmpty: Bool { mutations.isEmpty }

  package subscript(id: MutationID) -> PendingMutation? { mutations.first { $0.id == id } }

  /// Those that the server has to answer for, in the order in which to send them.
  package var waiting: [PendingMutation] { mutations.filter(\.isWaiting) }

  /// Those that an answer does not show.
  package func missing(from answer: AnswerMoment) -> [PendingMutation] {
    mutations.filter { !$0.isShown(by: answer) }
  }

  /// How many the server has still to confirm, and the entities that they name.
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

  // MARK: Its life

  /// Makes a mutation with its place and moment, without entering it: what must not be lost is first
  /// kept and then shown.
  ///
  /// - Parameter now: In milliseconds since 1970.
  package mutating func make(
    _ transaction: Transaction, id: MutationID, at now: Int64
  ) -> PendingMutation {
    let mutation = PendingMutation(
      transaction, id: id, order: lastOrder + 1, created: max(now, earliest))
    take(mutation)
    return mutation
  }

  /// Enters a mutation in its place. One that is known already stays as it is.
  package mutating func insert(_ mutation: PendingMutation) {
    guard self[mutation.id] == nil else { return }
    take(mutation)
    let place = mutations.lastIndex { $0.order < mutation.order }.map { $0 + 1 } ?? 0
    mutations.insert(mutation, at: place)
  }

  /// Makes a mutation and enters it, unless its id is known already.
  package mutating func add(_ transaction: Transaction, id: MutationID, at now: Int64) {
    guard self[id] == nil else { return }
    insert(make(transaction, id: id, at: now))
  }

  /// Each step takes a tenth of a millisecond of its own, so that what is made later sorts later.
  private mutating func take(_ mutation: PendingMutation) {
    lastOrder = max(lastOrder, mutation.order)
    let steps = Int64(mutation.transaction.steps.count)
    earliest = max(earliest, mutation.created + steps / 10 + 1)
  }

  /// The server took it. False when it is not known here any more, or was confirmed before.
  package mutating func confirm(_ id: MutationID, as transactionID: Int, at now: Int64) -> Bool {
    guard let mutation = self[id], mutation.transactionID == nil else { return false }
    change(id) { $0.state = .confirmed(transactionID: transactionID, at: now) }
    return true
  }

  /// The server was lost, or was never called yet: what is confirmed by now is in every answer that
  /// comes over the next connection.
  package mutating func beginConnection() {
    for place in mutations.indices where !mutations[place].isWaiting {
      mutations[place].isOfEarlierConnection = true
    }
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
  /// - Parameter answers: All at hand; one that is still awaited reflects nothing. With none at hand
  ///   nobody needs a confirmed mutation.
  package mutating func drop(shownBy answers: [AnswerMoment], at now: Int64) {
    mutations.removeAll { mutation in
      !mutation.isWaiting && answers.allSatisfy { mutation.isShown(by: $0) }
    }
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
