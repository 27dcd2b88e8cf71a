package import InstaQL
package import Triples

// Reading the table.
extension StagedChanges {
  var hasStaged: Bool { changes.contains(where: \.isStaged) }

  /// Whether staged changes are being sent.
  var isSendingStaged: Bool { changes.contains { $0.isSending && $0.wasStaged } }

  /// The number of staged changes that the store has not made yet.
  var stagedParts: Int {
    changes.reduce(0) { $0 + ($1.wasStaged && ($1.isStaged || $1.isSending) ? $1.parts.count : 0) }
  }

  /// The number of changes that the store has made and that were not undone.
  var madeCount: Int {
    changes.reduce(permanentCount) { $0 + ($1.undo == nil ? 0 : $1.parts.count) }
  }

  /// The effect of the next undo command.
  package enum NextUndo: Sendable, Equatable {
    case nothing
    /// It reverts a change that is staged, being sent, or stored.
    case change
    /// It retries an undo that the store rejected. `isLast` is true if no earlier change can be
    /// undone.
    case failed(reason: String, isLast: Bool)
  }

  package var nextUndo: NextUndo {
    if hasStaged || isSendingStaged { return .change }
    if changes.contains(where: { $0.isSending && !$0.isUnwanted }) { return .change }
    guard let last = changes.last(where: \.isDone) else { return .nothing }
    guard let failedUndo, failedUndo.number == last.number else { return .change }
    return .failed(
      reason: failedUndo.reason, isLast: changes.count(where: \.isDone) == 1)
  }

  /// The changes that the store does not have yet, oldest first.
  package var pending: [PendingChange] {
    changes.compactMap { change in
      let (transaction, state): (Transaction, PendingChange.State)
      switch change.state {
      case .staged: (transaction, state) = (change.transaction, .staged)
      case .sending:
        (transaction, state) = (change.transaction, change.wasBlocked ? .blocked : .sending)
      case .undoing(let undo):
        (transaction, state) = (undo, change.wasBlocked ? .blocked : .sending)
      case .done: return nil
      }
      return PendingChange(
        number: change.number, transaction: transaction, summary: change.submission.summary,
        state: state,
        stagedParts: change.wasStaged && state == .staged
          ? change.parts.count
          : change.isSending && change.wasStaged ? change.parts.count : 0)
    }
  }

  // MARK: Snapshots

  /// Returns a snapshot that contains the changes that the store does not have yet, and lists them.
  /// Deletions are only listed: the entities remain in the snapshot's data.
  ///
  /// - Parameter document: The query that the snapshot answers; nil when it contains all data.
  /// - Complexity: O(steps), plus the cost of filtering the created entities.
  package func overlaid(
    on snapshot: StoreSnapshot, answering document: QueryDocument? = nil
  ) -> StoreSnapshot {
    let list = pending
    let overlays = changes.compactMap { $0.overlay(on: snapshot.transactionID) }
    if list.isEmpty, overlays.isEmpty, !isStaging { return snapshot }
    var store = snapshot.store
    var isChanged = false
    for overlay in overlays {
      let steps = overlay.steps.filter { !$0.isDeletion }
      // If a change no longer applies, the error is ignored here. The store reports it when the
      // change is sent.
      let changes = try? store.transact(Transaction(steps), rules: .optimistic)
      if changes?.changes.isEmpty == false { isChanged = true }
    }
    return snapshot.overlaid(
      isChanged ? store : nil,
      served: isChanged ? served(in: snapshot, with: store, document) : snapshot.served,
      pending: snapshot.pending.with(
        list, isStaging: isStaging, blocker: list.contains { $0.state == .blocked } ? blocker : nil)
    )
  }

  /// Appends created entities that match the query to the rows that a database found.
  private func served(
    in snapshot: StoreSnapshot, with store: TripleStore, _ document: QueryDocument?
  ) -> ServedAnswer? {
    guard var served = snapshot.served, !served.found.isEmpty, let document else {
      return snapshot.served
    }
    let named = Set(pending.flatMap(\.transaction.steps).compactMap(\.entityID))
    for plan in document.plans {
      // Created rows are only added to a complete answer. Otherwise the rows and counts of the
      // store remain.
      guard var found = served.found[plan.text], found.table == nil, found.skipped == 0,
        found.pageCount == found.rows.count, !plan.isCount
      else { continue }
      let new = named.filter { id in
        snapshot.store.handle(of: id)
          .map { !snapshot.store.contains($0, in: plan.namespace) } ?? true
      }.compactMap { store.handle(of: $0) }
      guard !new.isEmpty, let prepared = try? QueryEngine.prepare(plan, store.schema),
        let rows = try? QueryEngine.matches(prepared, among: RowSet(new), in: store)
      else { continue }
      found.rows += rows.handles
      found.pageCount = found.rows.count
      found.total = found.total.map { $0 + rows.handles.count }
      served.found[plan.text] = found
    }
    return served
  }

  /// Returns a copy of a store with the changes applied, including deletions, and the resulting
  /// change set.
  package static func applying(
    _ changes: [PendingChange], to store: TripleStore
  ) -> (store: TripleStore, changes: ChangeSet) {
    var store = store
    var all = ChangeSet()
    for change in changes {
      guard let more = try? store.transact(change.transaction, rules: .optimistic) else {
        continue
      }
      all.changes += more.changes
    }
    return (store, all)
  }
}

extension TransactionStep {
  var isDeletion: Bool {
    if case .deleteEntity = self { true } else { false }
  }

  fileprivate var entityID: EntityID? {
    if case .id(let entity)? = entity { entity } else { nil }
  }
}
