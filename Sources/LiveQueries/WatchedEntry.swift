import InstaQL
import Triples

/// What tells one query of a table from another: its canonical JSON, and how far its readers see.
struct QueryKey: Hashable {
  let text: ExactText
  let view: AnswerView
}

/// What the table knows of one query: its subscribers, its answer, and what is under way.
struct WatchedEntry {
  let key: QueryKey
  let document: QueryDocument
  var subscribers: [SubscriptionID]
  private var stage = Stage.waiting
  /// The answers, which hold in the newest snapshot while nothing is under way.
  private var answers: [KeptAnswer]?
  private var failure: LiveFailure?
  private var evaluations = 0
  private var updates = 0
  private var elapsed = Duration.zero
  /// Of what was told last.
  private var told: StoreSnapshot.Standing?

  private enum Stage {
    /// No snapshot has come.
    case waiting
    case evaluating(Running)
    case idle
  }

  private struct Running {
    let number: Int
    /// The snapshot in which the answers hold, if there are any.
    let known: StoreSnapshot?
    let snapshot: StoreSnapshot
    /// Whether something came since that may touch the answer.
    var mustFollow = false
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

  /// The last result, told over the newest snapshot where it still holds there.
  func last(in newest: StoreSnapshot?) -> LiveResult {
    if let failure { return .failed(failure) }
    var snapshot = newest
    if case .evaluating(let running) = stage { snapshot = running.known }
    guard let answers, let snapshot else { return .loading }
    return loaded(answers, in: snapshot)
  }

  private func loaded(_ answers: [KeptAnswer], in snapshot: StoreSnapshot) -> LiveResult {
    if snapshot.isUnanswered, answers.allSatisfy(\.rows.isEmpty) {
      switch snapshot.freshness {
      // The first answer is still on its way.
      case .live, .optimistic, .connecting: return .loading
      case .stale, .offline, .archived: return .failed(LiveFailure(unansweredIn: snapshot))
      }
    }
    return .loaded(
      LiveAnswer(
        document: document, answers: answers.map { $0.answer(in: snapshot.store) },
        snapshot: snapshot, elapsed: elapsed))
  }

  /// The result once more, over a snapshot in which only the standing of the store is different; nil
  /// when there is none yet, or another one is on its way.
  mutating func retold(in snapshot: StoreSnapshot) -> LiveResult? {
    guard case .idle = stage, failure == nil, let answers else { return nil }
    told = snapshot.standing
    return loaded(answers, in: snapshot)
  }

  // MARK: Evaluations

  /// Notes that an evaluation begins, and gives what it can start from.
  mutating func begin(
    _ number: Int, from old: StoreSnapshot?, in snapshot: StoreSnapshot
  ) -> Evaluation.Known? {
    let known = answers.flatMap { answers in
      old.map { Evaluation.Known(answers: answers, snapshot: $0) }
    }
    stage = .evaluating(Running(number: number, known: known?.snapshot, snapshot: snapshot))
    return known
  }

  /// Notes that the answer under way will have to be brought further.
  mutating func mustFollow() {
    guard case .evaluating(var running) = stage else { return }
    running.mustFollow = true
    stage = .evaluating(running)
  }

  struct Ended {
    /// To be told; nil when nobody would see a difference.
    var result: LiveResult?
    /// The answers, by which it can be told what the query depends on; nil when there are none.
    var answers: [KeptAnswer]?
    var mustFollow: Bool
    /// Where the answers hold.
    var snapshot: StoreSnapshot
  }

  /// Takes the outcome of the evaluation that is under way; nil when it is not this one.
  mutating func end(_ outcome: Evaluation.Outcome, newest: StoreSnapshot) -> Ended? {
    guard case .evaluating(let running) = stage, running.number == outcome.number else {
      return nil
    }
    stage = .idle
    elapsed = outcome.elapsed
    if outcome.isAfresh { evaluations += 1 } else { updates += 1 }
    // What was not touched since holds in the newest state too.
    let snapshot = running.mustFollow ? running.snapshot : newest
    var ended = Ended(mustFollow: running.mustFollow, snapshot: snapshot)
    switch outcome.result {
    case .success(let answers):
      ended.answers = answers
      let isNews = outcome.isVisible || failure != nil || told?.isShown(as: snapshot) != true
      self.answers = answers
      failure = nil
      if isNews { ended.result = loaded(answers, in: snapshot) }
    case .failure(let new):
      let isNews = failure != new
      answers = nil
      failure = new
      if isNews { ended.result = .failed(new) }
    }
    if ended.result != nil { told = snapshot.standing }
    return ended
  }

  /// Takes in that the watch failed; gives those who are to be told, nil when they know.
  mutating func fail(_ new: LiveFailure) -> [SubscriptionID]? {
    let isNews = failure != new
    stage = .waiting
    answers = nil
    failure = new
    told = nil
    return isNews ? subscribers : nil
  }

  // MARK: For the screen

  func description(in newest: StoreSnapshot?) -> WatchedQuery {
    var state = WatchedQuery.State.loading
    if answers != nil { state = .loaded }
    if let failure { state = .failed(failure) }
    return WatchedQuery(
      document: document, state: state, subscribers: subscribers.count,
      freshness: newest?.freshness, rows: answers?.reduce(0) { $0 + $1.rows.count } ?? 0,
      evaluations: evaluations, updates: updates, elapsed: elapsed,
      deliveredTransaction: told?.transaction)
  }
}

extension StoreSnapshot {
  /// What is told of a snapshot beside its data.
  struct Standing {
    let transaction: Int?
    let freshness: Freshness
    let pending: PendingChanges
    let whyReadOnly: String?

    /// Whether a screen that shows this shows the snapshot's standing too.
    func isShown(as snapshot: StoreSnapshot) -> Bool {
      freshness == snapshot.freshness && pending == snapshot.pending
        && whyReadOnly == snapshot.whyReadOnly
    }
  }

  var standing: Standing {
    Standing(
      transaction: knownTransaction, freshness: freshness, pending: pending,
      whyReadOnly: whyReadOnly)
  }
}
