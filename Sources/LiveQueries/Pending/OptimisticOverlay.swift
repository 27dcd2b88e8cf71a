package import Triples

/// What is shown of one query: the server's answer, and on top of it what was changed here and is
/// not in it yet.
///
///     answer (raw, as of some transaction)  ──►  base store ──┐
///     pending mutations, by order ────────────────────────────┴──►  store shown, and what changed
///
/// Nothing is computed anew unless the answer, the schema or the mutations are others than before.
package struct OptimisticOverlay: Sendable {
  private var base = AnswerStore()
  private var applied: [PendingMutation] = []
  /// Where the store shown differs from the base, and perhaps some more places.
  private var covered: Set<AnswerStore.Cell> = []
  private var processed: Int?
  /// Whether a state was shown yet.
  private var isBegun = false

  /// The store as it is shown. Its transaction id grows with every state; it is that of the server's
  /// transaction where that is greater.
  package private(set) var shown = TripleStore()
  package private(set) var history = ChangeHistory()

  package init() {}

  /// The server's answer alone.
  package var raw: TripleStore { base.store }

  /// Takes what is known now.
  ///
  /// - Parameters:
  ///   - answer: nil leaves the server's answer as it was.
  ///   - schema: nil leaves the attributes as they were.
  ///   - pending: Those that the answer does not show, by their order.
  ///   - least: The least number that another state can have.
  /// - Returns: whether another state is shown now.
  package mutating func update(
    answer: ServedRows? = nil, schema: Schema? = nil, pending: [PendingMutation], least: Int = 0
  ) -> Bool {
    let before = isBegun ? shown : nil
    var cells: Set<AnswerStore.Cell> = []
    var isNewBase = before == nil
    if let schema, base.setSchema(schema) { isNewBase = true }
    if let answer {
      if isOvergrown(for: answer) { return startAnew(answer, pending, least) }
      let known = base.store.knownEntities
      cells = base.setRows(answer.rows)
      isNewBase =
        isNewBase || !cells.isEmpty || answer.processed != processed
        || base.store.knownEntities != known
      processed = answer.processed
    }
    if !isNewBase, pending.starts(with: applied, by: Self.areAlike) {
      if pending.count == applied.count { return false }
    } else {
      cells.formUnion(covered)
      shown = base.store
      covered = []
      applied = []
    }
    for mutation in pending.dropFirst(applied.count) { cells.formUnion(apply(mutation)) }
    applied = pending
    enter(cells, since: before, least)
    return true
  }

  /// The state shown, as those receive it who asked the query.
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
    // What the server says of an attribute counts for more than what was said when it was made.
    transaction.steps.removeAll { step in
      guard case .addAttribute(let attribute) = step else { return false }
      return base.store.schema.attribute(attribute.id) != nil
    }
    // Optimistic rules refuse nothing; if they ever should, the server will say it better.
    guard
      let changes = try? shown.transact(transaction, at: mutation.created, rules: .optimistic)
    else { return [] }
    let cells = Set(
      changes.changes.map { AnswerStore.Cell(entity: $0.entity, attribute: $0.attribute) })
    covered.formUnion(cells)
    return cells
  }

  /// Gives the state a number, and says what it changed.
  private mutating func enter(
    _ cells: Set<AnswerStore.Cell>, since before: TripleStore?, _ least: Int
  ) {
    guard let before else {
      shown.transactionID = max(processed ?? 0, least)
      isBegun = true
      return
    }
    shown.transactionID = max(processed ?? 0, before.transactionID + 1, least)
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

  /// Entities that are gone keep their rows; from so many on it is looked at.
  private static let fewEntities = 20_000

  /// Whether nearly all entities that the base ever met are gone.
  private func isOvergrown(for answer: ServedRows) -> Bool {
    base.store.knownEntities > max(Self.fewEntities, 8 * answer.rows.count)
  }

  /// Begins with a store that knows only what is needed now; handles from before mean nothing in it.
  private mutating func startAnew(
    _ answer: ServedRows, _ pending: [PendingMutation], _ least: Int
  ) -> Bool {
    let state = shown.transactionID
    var fresh = OptimisticOverlay()
    _ = fresh.update(answer: answer, schema: base.store.schema, pending: pending)
    fresh.shown.transactionID = max(fresh.shown.transactionID, state + 1, least)
    self = fresh
    return true
  }

  /// Whether they do the same, and would be seen in the same place.
  private static func areAlike(_ a: PendingMutation, _ b: PendingMutation) -> Bool {
    a.id == b.id && a.transaction == b.transaction
  }
}

extension AnswerStore.Cell: Comparable {
  static func < (a: Self, b: Self) -> Bool {
    (a.entity, a.attribute.text) < (b.entity, b.attribute.text)
  }
}
