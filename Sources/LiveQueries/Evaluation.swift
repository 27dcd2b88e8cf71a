package import InstaQL
package import Triples

/// The evaluation of a query in a snapshot. It updates earlier answers if there are any.
package struct Evaluation: Sendable {
  package let query: QueryNumber
  /// The number of this evaluation, unique within its table.
  package let number: Int
  package let document: QueryDocument
  package let options: QueryOptions
  package let reach: AnswerReach
  package let known: Known?
  package let snapshot: StoreSnapshot

  /// The answers to a document in a snapshot, one for each plan of the document.
  package struct Known: Sendable {
    package let answers: [MaterializedAnswer]
    package let snapshot: StoreSnapshot
  }

  /// The result of an evaluation.
  package struct Outcome: Sendable {
    package let query: QueryNumber
    package let number: Int
    package let result: Result<[MaterializedAnswer], LiveFailure>
    /// Whether a subscriber sees a difference from the previous answers.
    package let isVisible: Bool
    /// Whether the plans were evaluated in full, instead of updating the earlier answers.
    package let isFullEvaluation: Bool
    package let elapsed: Duration
    /// Whether the evaluation failed because the store lost a name that the query reads. Then the
    /// earlier answers remain visible.
    package var keepsAnswers = false
  }

  package func run() -> Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    var isVisible = true
    var isFullEvaluation = true
    let result: Result<[MaterializedAnswer], LiveFailure>
    var keepsAnswers = false
    do throws(QueryError) {
      if let updated = try updated(known) {
        isVisible = updated.isVisible
        isFullEvaluation = updated.isFullEvaluation
        result = .success(updated.answers)
      } else if let name = lostName {
        result = .failure(LiveFailure(message: "The \(name) no longer exists"))
        keepsAnswers = true
      } else {
        result = .success(try answers())
      }
    } catch {
      result = .failure(LiveFailure(error))
    }
    return Outcome(
      query: query, number: number, result: result, isVisible: isVisible,
      isFullEvaluation: isFullEvaluation,
      elapsed: clock.now - start, keepsAnswers: keepsAnswers)
  }

  /// The first name that the query reads and that the store has lost; nil if there is none.
  private var lostName: String? {
    document.plans.lazy.compactMap { $0.lostName(in: snapshot.store.schema) }.first
  }

  private func answers() throws(QueryError) -> [MaterializedAnswer] {
    var answers: [MaterializedAnswer] = []
    for plan in document.plans {
      let options = options.answering(plan, in: snapshot)
      answers.append(
        try MaterializedAnswer(plan, in: snapshot.store, options: options, reach: reach))
    }
    return answers
  }

  private struct Updated {
    var answers: [MaterializedAnswer]
    var isVisible = false
    var isFullEvaluation = false
  }

  /// Returns the earlier answers, updated to the snapshot. Nil if there are no earlier answers, or
  /// if it is unknown what changed since then.
  private func updated(_ known: Known?) throws(QueryError) -> Updated? {
    guard let known, case .changed(let changes) = known.snapshot.difference(to: snapshot) else {
      return nil
    }
    var updated = Updated(answers: known.answers)
    let byAttribute = changes.byAttribute
    for place in updated.answers.indices {
      let update = try updated.answers[place].update(
        from: known.snapshot.store, to: snapshot.store, byAttribute)
      if update.isVisible { updated.isVisible = true }
      if update.isFullEvaluation { updated.isFullEvaluation = true }
    }
    return updated
  }
}

extension Evaluation: Equatable {
  /// Returns whether two evaluations of the same table have equal queries, numbers and snapshots.
  package static func == (a: Evaluation, b: Evaluation) -> Bool {
    a.query == b.query && a.number == b.number && a.snapshot == b.snapshot
      && a.known?.snapshot == b.known?.snapshot
  }
}

extension StoreSnapshot {
  /// The difference between two snapshots.
  package enum Difference: Sendable {
    /// The data is identical; the freshness may differ.
    case none
    case changed(ChangeSet)
    /// The difference is unknown; anything may differ, including the schema.
    case unknown
  }

  /// Returns the difference between this snapshot and a later snapshot of the same source.
  package func difference(to later: StoreSnapshot) -> Difference {
    if served != later.served { return .unknown }
    if store.isIdentical(to: later.store) { return .none }
    // Two different stores with the same transaction number have no common history, and no history
    // contains staged changes.
    guard transactionID != later.transactionID, !hasOverlay, !later.hasOverlay,
      let changes = later.changes(since: self),
      !changes.schemaChanged
    else { return .unknown }
    return .changed(changes)
  }
}
