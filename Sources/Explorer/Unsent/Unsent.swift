import InstaQL
import Triples

/// Changes that were made here and are kept back until somebody sends them together.
///
/// The screen shows them on top of what the store says; what is to be deleted stays to be seen, and is
/// marked.
struct Unsent: Sendable, Equatable {
  struct Change: Sendable, Equatable {
    let steps: [TransactionStep]
    let sentence: String
    /// What was seen in the store when they were made, by their places.
    var seen: [Int: Value] = [:]
  }

  private(set) var changes: [Change] = []
  /// Those that the changes name, and among them those that are to be deleted.
  private(set) var entities: Set<EntityID> = []
  private(set) var deleted: Set<EntityID> = []
  /// How many of them, the oldest, are on their way.
  private(set) var sending = 0

  var isSending: Bool { sending > 0 }
  var isEmpty: Bool { changes.isEmpty }
  /// How many nobody has sent yet.
  var waiting: Int { changes.count - sending }

  init(_ changes: [Change] = []) {
    self.changes = changes
    nameEntities()
  }

  mutating func add(_ transaction: Transaction, _ sentence: String) {
    changes.append(
      Change(steps: transaction.steps, sentence: sentence, seen: transaction.seen))
    nameEntities()
  }

  /// Adds the changes of another one behind these.
  mutating func add(_ other: Unsent) {
    changes += other.changes
    nameEntities()
  }

  /// Takes the newest back that is not on its way.
  mutating func removeLast() -> Change? {
    guard waiting > 0 else { return nil }
    let last = changes.popLast()
    nameEntities()
    return last
  }

  /// Takes all back that are not on their way.
  mutating func removeWaiting() {
    changes.removeLast(waiting)
    nameEntities()
  }

  /// Sends all of them as one.
  mutating func send() -> Transaction {
    sending = changes.count
    var all = Transaction()
    for change in changes {
      for (place, value) in change.seen { all.seen[all.steps.count + place] = value }
      all.steps += change.steps
    }
    return all
  }

  /// Those that were sent are with the store.
  mutating func removeSent() {
    changes.removeFirst(sending)
    sending = 0
    nameEntities()
  }

  /// Those that were sent are refused, and wait again.
  mutating func takeBackSent() { sending = 0 }

  private mutating func nameEntities() {
    (entities, deleted) = ([], [])
    for step in changes.flatMap(\.steps) {
      guard case .id(let entity)? = step.entity else { continue }
      entities.insert(entity)
      if step.isDeletion { deleted.insert(entity) }
    }
  }

  /// A snapshot as it is shown with the changes, still with its own number.
  ///
  /// - Complexity: O(steps).
  func shown(on snapshot: StoreSnapshot) -> StoreSnapshot {
    guard !changes.isEmpty else { return snapshot }
    var store = snapshot.store
    for change in changes {
      // What cannot be shown any more is for the store to refuse when it is sent.
      _ = try? store.transact(
        Transaction(change.steps.filter { !$0.isDeletion }), rules: .optimistic)
    }
    store.transactionID = snapshot.transactionID
    return StoreSnapshot(
      store, history: snapshot.history, freshness: snapshot.freshness,
      pending: PendingChanges(
        count: snapshot.pending.count, entities: snapshot.pending.entities.union(entities)),
      served: snapshot.served
    ).told(as: snapshot)
  }

  /// An answer with the entities at its end that the changes make and the query asks for.
  ///
  /// - Parameter store: As it is shown with the changes.
  /// - Complexity: O(steps), and what the query's filter takes for these entities alone.
  func adding(to answer: Answer, in store: TripleStore) -> Answer {
    // A part of a long answer has no end, and numbers are those of the store.
    guard answer.stretch == nil, answer.table == nil, answer.count == nil else { return answer }
    let new = entities.filter { id in
      answer.store.handle(of: id).map { !answer.store.contains($0, in: answer.namespace) } ?? true
    }
    .compactMap { store.handle(of: $0) }
    guard !new.isEmpty,
      let found = try? QueryEngine.matches(answer.prepared, among: RowSet(new), in: store),
      !found.handles.isEmpty
    else { return answer }
    return answer.adding(Array(found.handles), in: store)
  }

  /// What the changes change, old and new, a line each.
  func entries(on snapshot: StoreSnapshot) -> [ChangeLog.Entry] {
    var store = snapshot.store
    var all = ChangeSet()
    for change in changes {
      guard let more = try? store.transact(Transaction(change.steps), rules: .optimistic) else {
        continue
      }
      all.changes += more.changes
    }
    return ChangeLog.entries(
      of: all, from: snapshot, to: StoreSnapshot(store, served: snapshot.served), number: nil)
  }
}

/// What is known, with what is kept back on top of it.
struct UnsentView: Sendable, Equatable {
  let catalog: Catalog
  /// What the changes change, a line each.
  let entries: [ChangeLog.Entry]
}

extension TransactionStep {
  fileprivate var isDeletion: Bool {
    if case .deleteEntity = self { true } else { false }
  }
}

/// What shall become of the changes that are kept back.
enum UnsentWish: Sendable, Equatable {
  case send, drop, quitWithout
}
