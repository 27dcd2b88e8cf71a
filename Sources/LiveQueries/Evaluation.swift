package import InstaQL
package import Triples

/// One query to be answered in a snapshot, from its answer in an earlier one where there is one.
package struct Evaluation: Sendable {
  package let query: QueryNumber
  /// Tells this evaluation from all others of one table.
  package let number: Int
  package let document: QueryDocument
  package let options: QueryOptions
  package let reach: AnswerReach
  package let known: Known?
  package let snapshot: StoreSnapshot

  /// The answers of a document in a snapshot, one a plan.
  package struct Known: Sendable {
    package let answers: [KeptAnswer]
    package let snapshot: StoreSnapshot
  }

  /// What came of it.
  package struct Outcome: Sendable {
    package let query: QueryNumber
    package let number: Int
    package let result: Result<[KeptAnswer], LiveFailure>
    /// Whether a subscriber would see any difference to what was known.
    package let isVisible: Bool
    /// Whether the store was asked for a whole answer, rather than for what changed.
    package let isAfresh: Bool
    package let elapsed: Duration
  }

  package func run() -> Outcome {
    let clock = ContinuousClock()
    let start = clock.now
    var isVisible = true
    var isAfresh = true
    let result: Result<[KeptAnswer], LiveFailure>
    do throws(QueryError) {
      if let updated = try updated(known) {
        isVisible = updated.isVisible
        isAfresh = updated.isAfresh
        result = .success(updated.answers)
      } else {
        result = .success(try answers())
      }
    } catch {
      result = .failure(LiveFailure(message: error.message, hint: error.hint))
    }
    return Outcome(
      query: query, number: number, result: result, isVisible: isVisible, isAfresh: isAfresh,
      elapsed: clock.now - start)
  }

  private func answers() throws(QueryError) -> [KeptAnswer] {
    var answers: [KeptAnswer] = []
    for plan in document.plans {
      let options = options.answering(plan, in: snapshot)
      answers.append(try KeptAnswer(plan, in: snapshot.store, options: options, reach: reach))
    }
    return answers
  }

  private struct Updated {
    var answers: [KeptAnswer]
    var isVisible = false
    var isAfresh = false
  }

  /// The known answers brought to the snapshot; nil when it is not known what changed since.
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
      if update.isAfresh { updated.isAfresh = true }
    }
    return updated
  }
}

extension Evaluation: Equatable {
  /// The same evaluation of one table.
  package static func == (a: Evaluation, b: Evaluation) -> Bool {
    a.query == b.query && a.number == b.number && a.snapshot == b.snapshot
      && a.known?.snapshot == b.known?.snapshot
  }
}

extension StoreSnapshot {
  /// What is known of the way from one snapshot to another.
  package enum Difference: Sendable {
    /// It is the same store; only how fresh it is may be different.
    case none
    case changed(ChangeSet)
    /// Anything may be different, the schema too.
    case unknown
  }

  /// What changed from this snapshot to a later one of the same source.
  package func difference(to later: StoreSnapshot) -> Difference {
    if served != later.served { return .unknown }
    if store.isIdentical(to: later.store) { return .none }
    // Another store of the same number is not the one that a history speaks of.
    guard transactionID != later.transactionID, let changes = later.changes(since: self),
      !changes.schemaChanged
    else { return .unknown }
    return .changed(changes)
  }
}
