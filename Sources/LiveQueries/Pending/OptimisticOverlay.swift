package import Triples

/// Computes the displayed state of one query: the server's answer with pending mutations applied.
///
///     answer (raw, as of some transaction)  ──►  base store ──┐
///     pending mutations, by order ────────────────────────────┴──►  store shown, and what changed
///
/// The state is recomputed only when the answer, the schema or the mutations change.
package struct OptimisticOverlay: Sendable {
  private var base = AnswerStore()
  private var applied: [PendingMutation] = []
  /// The cells in which the displayed store may differ from the base.
  private var covered: Set<AnswerStore.Cell> = []
  private var processed: Int?
  /// Whether there was an earlier displayed state.
  private var isBegun = false

  /// The displayed store. Its transaction number increases with every state, and is never below the
  /// server's number.
  package private(set) var shown = TripleStore()
  package private(set) var history = ChangeHistory()

  package init() {}

  /// The server's answer without pending mutations.
  package var raw: TripleStore { base.store }

  /// Updates the displayed state.
  ///
  /// - Parameters:
  ///   - answer: The server's new answer; nil when it is unchanged.
  ///   - schema: The new schema; nil when it is unchanged.
  ///   - pending: The mutations that the answer does not include yet, in the order in which to
  ///     apply them.
  ///   - minNumber: The lowest transaction number that a new state may have.
  /// - Returns: Whether the displayed state changed.
  package mutating func update(
    answer: ServedRows? = nil, schema: Schema? = nil, pending: [PendingMutation], minNumber: Int = 0
  ) -> Bool {
    let before = isBegun ? shown : nil
    var cells: Set<AnswerStore.Cell> = []
    var isNewBase = before == nil
    if let schema, base.setSchema(schema) { isNewBase = true }
    if let answer {
      if isOvergrown(for: answer) { return rebuild(answer, pending, minNumber) }
      let known = base.store.knownEntities
      cells = base.setRows(answer.rows)
      isNewBase =
        isNewBase || !cells.isEmpty || answer.processed != processed
        || base.store.knownEntities != known
      processed = answer.processed
    }
    if !isNewBase, pending.starts(with: applied, by: Self.areSameMutation) {
      if pending.count == applied.count { return false }
    } else {
      cells.formUnion(covered)
      shown = base.store
      covered = []
      applied = []
    }
    for mutation in pending.dropFirst(applied.count) { cells.formUnion(apply(mutation)) }
    applied = pending
    enter(cells, since: before, minNumber)
    return true
  }

  /// Returns a snapshot of the displayed state for subscribers of the query.
  package func snapshot(
    freshness: StoreSnapshot.Freshness, pending: PendingChanges,
    served: ServedAnswer? = nil
  ) -> StoreSnapshot {
    StoreSnapshot(
      shown, history: history, freshness: freshness, pending: pending, served: served)
  }

  // MARK: Steps

  private mutating func apply(_ mutation: PendingMutation) -> Set<AnswerStore.Cell> {
    let reservations = mutation.transaction.reservations(shown.schema)
    base.reserve(reservations)
    shown.reserve(reservations)
    var transaction = mutation.transaction
    // The server's definition of an attribute takes precedence over the mutation's.
    transaction.steps.removeAll { step in
      guard case .addAttribute(let attribute) = step else { return false }
      return base.store.schema.attribute(attribute.id) != nil
    }
    // With optimistic rules, this should not fail. If it does, the mutation is not displayed, and
    // the server's rejection is reported later.
    guard
      let changes = try? shown.transact(transaction, at: mutation.created, rules: .optimistic)
    else { return [] }
    let cells = Set(
      changes.changes.map { AnswerStore.Cell(entity: $0.entity, attribute: $0.attribute) })
    covered.formUnion(cells)
    return cells
  }

  /// Assigns a transaction number to the new state, and appends its changes to the history.
  private mutating func enter(
    _ cells: Set<AnswerStore.Cell>, since before: TripleStore?, _ minNumber: Int
  ) {
    guard let before else {
      shown.transactionID = max(processed ?? 0, minNumber)
      isBegun = true
      return
    }
    shown.transactionID = max(processed ?? 0, before.transactionID + 1, minNumber)
    var changes = ChangeSet(schemaChanged: shown.schema != before.schema)
    for cell in cells.sorted() {
      guard
        let attribute =
          shown.schema.attribute(cell.attribute) ?? before.schema.attribute(cell.attribute)
      else { continue }
      changes.append(attribute, of: cell.entity, from: before, to: shown)
    }
    history.append(changes, from: before.transactionID, to: shown.transactionID)
  }

  // MARK: Growth

  /// A store with at most this many entities is never replaced, even if most were removed.
  private static let overgrowthThreshold = 20_000

  /// Returns whether most of the entities that the base ever contained were removed.
  private func isOvergrown(for answer: ServedRows) -> Bool {
    base.store.knownEntities > max(Self.overgrowthThreshold, 8 * answer.rows.count)
  }

  /// Starts again with a new store that contains only the needed entities. All handles become
  /// invalid.
  private mutating func rebuild(
    _ answer: ServedRows, _ pending: [PendingMutation], _ minNumber: Int
  ) -> Bool {
    let state = shown.transactionID
    var fresh = OptimisticOverlay()
    _ = fresh.update(answer: answer, schema: base.store.schema, pending: pending)
    fresh.shown.transactionID = max(fresh.shown.transactionID, state + 1, minNumber)
    self = fresh
    return true
  }

  /// Returns whether two mutations have the same id and the same transaction.
  private static func areSameMutation(_ a: PendingMutation, _ b: PendingMutation) -> Bool {
    a.id == b.id && a.transaction == b.transaction
  }
}

extension AnswerStore.Cell: Comparable {
  static func < (a: Self, b: Self) -> Bool {
    (a.entity, a.attribute.text) < (b.entity, b.attribute.text)
  }
}
