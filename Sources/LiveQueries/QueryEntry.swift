import InstaQL
import Triples

/// The identity of a query within a table: its canonical JSON, and which part of its answer is
/// displayed.
struct QueryKey: Hashable {
  let text: ExactText
  let view: AnswerView
}

/// The state of one query: its subscribers, its answer, and the running evaluation.
struct QueryEntry {
  let key: QueryKey
  let document: QueryDocument
  var subscribers: [SubscriptionID]
  private var stage = Stage.waiting
  /// The answers; while no evaluation runs, they are valid in the newest snapshot.
  private var answers: [MaterializedAnswer]?
  private var failure: LiveFailure?
  private var work = WatchedQuery.Work()
  /// The store's status when a result was last delivered.
  private var lastDelivered: StoreSnapshot.Standing?

  private enum Stage {
    /// No snapshot has arrived yet.
    case waiting
    /// An evaluation is running. The case is indirect, because two snapshots in each of thousands
    /// of idle entries would take several megabytes.
    indirect case evaluating(Running)
    case idle
  }

  private struct Running {
    let number: Int
    /// The snapshot in which the previous answers are valid; nil if there are no previous answers.
    let known: StoreSnapshot?
    let snapshot: StoreSnapshot
    /// Whether a later change may affect the answer.
    var needsRerun = false
  }

  init(key: QueryKey, document: QueryDocument, subscriber: SubscriptionID) {
    self.key = key
    self.document = document
    subscribers = [subscriber]
  }

  var isWaiting: Bool {
    if case .waiting = stage { return true }
    return false
  }

  var isEvaluating: Bool {
    if case .evaluating = stage { return true }
    return false
  }

  /// Returns the last result. If the result is still valid in the newest snapshot, it refers to
  /// that snapshot.
  func last(in newest: StoreSnapshot?) -> LiveResult {
    if let failure { return .failed(failure) }
    var snapshot = newest
    if case .evaluating(let running) = stage { snapshot = running.known }
    guard let answers, let snapshot else { return .loading }
    return loaded(answers, in: snapshot)
  }

  private func loaded(_ answers: [MaterializedAnswer], in snapshot: StoreSnapshot) -> LiveResult {
    if snapshot.isUnanswered, answers.allSatisfy(\.rows.isEmpty) {
      switch snapshot.freshness {
      // The first answer has not arrived yet.
      case .live, .loading, .optimistic, .connecting: return .loading
      case .stale, .offline, .archived: return .failed(LiveFailure(unansweredIn: snapshot))
      }
    }
    return .loaded(
      LiveAnswer(
        document: document, answers: answers.map { $0.answer(in: snapshot.store) },
        snapshot: snapshot, elapsed: work.elapsed))
  }

  /// Returns the last result for a newer snapshot with the same data and another store status. Nil
  /// when there is no result yet, or when an evaluation is running.
  mutating func redelivered(in snapshot: StoreSnapshot) -> LiveResult? {
    guard case .idle = stage, failure == nil, let answers else { return nil }
    lastDelivered = snapshot.standing
    return loaded(answers, in: snapshot)
  }

  // MARK: Evaluations

  /// Records the start of an evaluation. Returns the previous answers, which the evaluation can
  /// update.
  mutating func begin(
    _ number: Int, from old: StoreSnapshot?, in snapshot: StoreSnapshot
  ) -> Evaluation.Known? {
    let known = answers.flatMap { answers in
      old.map { Evaluation.Known(answers: answers, snapshot: $0) }
    }
    stage = .evaluating(Running(number: number, known: known?.snapshot, snapshot: snapshot))
    return known
  }

  /// Records that another evaluation must follow the running one.
  mutating func markForRerun() {
    guard case .evaluating(var running) = stage else { return }
    running.needsRerun = true
    stage = .evaluating(running)
  }

  struct Ended {
    /// The result to deliver; nil when nothing visible changed.
    var result: LiveResult?
    /// The answers, from which the caller derives the query's dependencies; nil if there are no
    /// answers.
    var answers: [MaterializedAnswer]?
    var needsRerun: Bool
    /// The snapshot in which the answers are valid.
    var snapshot: StoreSnapshot
  }

  /// Processes the result of the running evaluation. Returns nil if the result belongs to another
  /// evaluation.
  mutating func end(_ outcome: Evaluation.Outcome, newest: StoreSnapshot) -> Ended? {
    guard case .evaluating(let running) = stage, running.number == outcome.number else {
      return nil
    }
    stage = .idle
    work.elapsed = outcome.elapsed
    if outcome.isFullEvaluation { work.evaluations += 1 } else { work.updates += 1 }
    // If no later change affected the answer, it is also valid in the newest snapshot.
    let snapshot = running.needsRerun ? running.snapshot : newest
    var ended = Ended(needsRerun: running.needsRerun, snapshot: snapshot)
    switch outcome.result {
    case .success(let answers):
      ended.answers = answers
      let isNews =
        outcome.isVisible || failure != nil || lastDelivered?.isShown(as: snapshot) != true
      self.answers = answers
      failure = nil
      if isNews { ended.result = loaded(answers, in: snapshot) }
    case .failure(let new):
      if failure != new {
        ended.result =
          (outcome.keepsAnswers ? outdated(running.known, because: new) : nil) ?? .failed(new)
      }
      answers = nil
      failure = new
    }
    if ended.result != nil { lastDelivered = snapshot.standing }
    return ended
  }

  /// Records that the watch failed, and returns the subscribers to notify. Nil when they were
  /// already notified of this failure.
  mutating func fail(_ new: LiveFailure) -> [SubscriptionID]? {
    let isNews = failure != new
    stage = .waiting
    answers = nil
    failure = new
    lastDelivered = nil
    return isNews ? subscribers : nil
  }

  /// Returns the answers in an earlier snapshot, marked as outdated; nil if there are none.
  private func outdated(_ known: StoreSnapshot?, because failure: LiveFailure) -> LiveResult? {
    guard let answers, let known else { return nil }
    return loaded(answers, in: known.with(.stale(reason: failure.message)))
  }

  // MARK: Store status

  func description(in newest: StoreSnapshot?) -> WatchedQuery {
    var state = WatchedQuery.State.loading
    if answers != nil { state = .loaded }
    if let failure { state = .failed(failure) }
    return WatchedQuery(
      document: document, state: state, subscribers: subscribers.count,
      freshness: newest?.freshness, rows: answers?.reduce(0) { $0 + $1.rows.count } ?? 0,
      work: work, deliveredTransaction: lastDelivered?.transaction)
  }
}

extension StoreSnapshot {
  /// The status of a snapshot, without its data.
  struct Standing {
    let transaction: Int?
    let freshness: Freshness
    let pending: PendingChanges
    let readOnlyReason: String?

    /// Returns whether this status looks the same to a user as that of `snapshot`.
    func isShown(as snapshot: StoreSnapshot) -> Bool {
      freshness == snapshot.freshness && pending == snapshot.pending
        && readOnlyReason == snapshot.readOnlyReason
    }
  }

  var standing: Standing {
    Standing(
      transaction: knownTransaction, freshness: freshness, pending: pending,
      readOnlyReason: readOnlyReason)
  }
}
