package import InstaQL
package import Triples

/// The table of a manager's subscriptions. It decides what to watch, evaluate and deliver.
///
/// Subscribers to queries with equal canonical JSON share one entry. The table only changes its
/// state; each call returns the actions that its owner must perform.
package struct SubscriptionTable {
  package enum Action: Equatable, Sendable {
    /// Find out whether the store holds everything, and call `learn(holdsEverything:)`.
    case askStore
    case startWatch(WatchSubject)
    case stopWatch(WatchSubject)
    case evaluate(Evaluation)
    /// Stop the evaluation of a query without subscribers.
    case stopEvaluating(QueryNumber)
    case deliver(LiveResult, to: [SubscriptionID])
  }

  /// What a single watch of the store delivers.
  package enum WatchSubject: Hashable, Sendable {
    /// All data of the store. This watch serves all queries.
    case everything
    case query(QueryNumber)
  }

  private let options: QueryOptions
  private var holdsEverything: Bool?
  private var isAsking = false
  private var watches: [WatchSubject: Watch] = [:]
  private var queries: [QueryNumber: QueryEntry] = [:]
  private var numbers: [QueryKey: QueryNumber] = [:]
  private var queryOf: [SubscriptionID: QueryNumber] = [:]
  private var lastNumber = 0

  private struct Watch {
    var snapshot: StoreSnapshot?
    var index = InvalidationIndex()
    var queries: Set<QueryNumber> = []
    /// The queries with unknown dependencies. Any change may affect them.
    var unindexed: Set<QueryNumber> = []
    /// The failure that ended the watch. When a new subscriber arrives, the watch is restarted.
    var failure: LiveFailure?
  }

  package init(options: QueryOptions = .standard) {
    self.options = options
  }

  package func document(of query: QueryNumber) -> QueryDocument? { queries[query]?.document }

  /// Returns the part of the answer that the subscribers of a query display.
  package func view(of query: QueryNumber) -> AnswerView {
    queries[query]?.key.view ?? AnswerView()
  }

  /// All queries with subscribers, the oldest first.
  package var watchedQueries: [WatchedQuery] {
    queries.sorted { $0.key < $1.key }.map { number, entry in
      entry.description(in: watches[subject(of: number)]?.snapshot)
    }
  }

  // MARK: Subscribers

  /// Adds a subscriber. The first subscriber of a query starts a watch; a later subscriber gets the
  /// last result.
  package mutating func subscribe(
    _ id: SubscriptionID, to document: QueryDocument, view: AnswerView = AnswerView()
  ) -> [Action] {
    precondition(queryOf[id] == nil, "A subscription id must not be reused")
    let key = QueryKey(text: ExactText(document.canonicalJSON), view: view)
    if let number = numbers[key], let entry = queries[number] {
      queryOf[id] = number
      queries[number]?.subscribers.append(id)
      let last = entry.last(in: watches[subject(of: number)]?.snapshot)
      return [.deliver(last, to: [id])] + join(number)
    }
    lastNumber += 1
    let number = QueryNumber(lastNumber)
    numbers[key] = number
    queryOf[id] = number
    queries[number] = QueryEntry(key: key, document: document, subscriber: id)
    guard holdsEverything != nil else {
      let mustAsk = !isAsking
      isAsking = true
      return [.deliver(.loading, to: [id])] + (mustAsk ? [.askStore] : [])
    }
    return [.deliver(.loading, to: [id])] + join(number)
  }

  /// Removes a subscriber. When the last subscriber of a query is removed, its watch ends.
  /// Repeating the call has no effect.
  package mutating func unsubscribe(_ id: SubscriptionID) -> [Action] {
    guard let number = queryOf.removeValue(forKey: id) else { return [] }
    queries[number]?.subscribers.removeAll { $0 == id }
    guard let entry = queries[number], entry.subscribers.isEmpty else { return [] }
    queries[number] = nil
    numbers[entry.key] = nil
    // Emptied tables keep their memory, so they are replaced when no query is left.
    if queries.isEmpty { (queries, numbers, queryOf) = ([:], [:], [:]) }
    let stop: [Action] = entry.isEvaluating ? [.stopEvaluating(number)] : []
    let subject = subject(of: number)
    guard watches[subject] != nil else { return stop }
    watches[subject]?.queries.remove(number)
    watches[subject]?.index.remove(number)
    watches[subject]?.unindexed.remove(number)
    guard watches[subject]?.queries.isEmpty == true else { return stop }
    watches[subject] = nil
    return stop + [.stopWatch(subject)]
  }

  /// Records whether the store holds everything, and starts the watches.
  package mutating func learn(holdsEverything: Bool) -> [Action] {
    guard self.holdsEverything == nil else { return [] }
    self.holdsEverything = holdsEverything
    return queries.keys.sorted().flatMap { join($0) }
  }

  private func subject(of query: QueryNumber) -> WatchSubject {
    holdsEverything == true ? .everything : .query(query)
  }

  /// Adds a query to its watch, and starts the watch if it is not running or has failed.
  private mutating func join(_ number: QueryNumber) -> [Action] {
    guard holdsEverything != nil else { return [] }
    let subject = subject(of: number)
    let mustStart = watches[subject].map { $0.failure != nil } ?? true
    if watches[subject, default: Watch()].queries.insert(number).inserted {
      watches[subject]?.unindexed.insert(number)
    }
    watches[subject]?.failure = nil
    if mustStart { return [.startWatch(subject)] }
    guard let snapshot = watches[subject]?.snapshot, queries[number]?.isWaiting == true,
      isAnswerable(number, in: snapshot)
    else { return [] }
    return [evaluate(number, in: snapshot)]
  }

  // MARK: Snapshots

  /// Processes the newest snapshot of a watch, and requests evaluations of the affected answers.
  package mutating func applySnapshot(
    _ snapshot: StoreSnapshot, from subject: WatchSubject
  ) -> [Action] {
    guard let watch = watches[subject] else { return [] }
    let old = watch.snapshot
    watches[subject]?.snapshot = snapshot
    let touched: Set<QueryNumber>
    switch old?.difference(to: snapshot) {
    case .none?: touched = []
    case .changed(let changes)?:
      touched = watch.index.touched(
        by: changes, from: old?.store ?? snapshot.store, to: snapshot.store
      ).union(watch.unindexed)
    case .unknown?, nil:
      touched = watch.queries
      watches[subject]?.index = InvalidationIndex()
      watches[subject]?.unindexed = watch.queries
    }
    var actions: [Action] = []
    let isNews = old?.standing.isShown(as: snapshot) == false
    for number in touched.sorted() where isAnswerable(number, in: snapshot) {
      if queries[number]?.isEvaluating == true {
        queries[number]?.markForRerun()
      } else {
        actions.append(evaluate(number, from: old, in: snapshot))
      }
    }
    guard isNews, old != nil else { return actions }
    for number in watch.queries.subtracting(touched).sorted() {
      actions += deliverIfIdle(number, in: snapshot)
    }
    return actions
  }

  /// Records that a watch failed, and returns the actions that inform its subscribers.
  package mutating func fail(_ subject: WatchSubject, _ failure: LiveFailure) -> [Action] {
    guard let watch = watches[subject] else { return [] }
    watches[subject]?.failure = failure
    watches[subject]?.snapshot = nil
    watches[subject]?.index = InvalidationIndex()
    watches[subject]?.unindexed = watch.queries
    return watch.queries.sorted().flatMap { number -> [Action] in
      guard let subscribers = queries[number]?.fail(failure) else { return [] }
      return [.deliver(.failed(failure), to: subscribers)]
    }
  }

  // MARK: Evaluations

  /// Returns whether a snapshot can answer a query. While a store is loading, its beginning answers
  /// few queries; all others wait.
  private func isAnswerable(_ number: QueryNumber, in snapshot: StoreSnapshot) -> Bool {
    guard snapshot.freshness == .loading, let document = queries[number]?.document else {
      return true
    }
    return document.plans.allSatisfy(\.isAnsweredByBeginning)
  }

  private mutating func evaluate(
    _ number: QueryNumber, from old: StoreSnapshot? = nil, in snapshot: StoreSnapshot
  ) -> Action {
    lastNumber += 1
    let known = queries[number]?.begin(lastNumber, from: old, in: snapshot)
    return .evaluate(
      Evaluation(
        query: number, number: lastNumber, document: queries[number]?.document ?? QueryDocument(),
        options: options, reach: view(of: number).reach, known: known ?? nil,
        snapshot: snapshot))
  }

  /// Processes the result of an evaluation, and returns the actions that deliver it. If the watch
  /// or the query has ended in the meantime, the result is dropped.
  package mutating func applyOutcome(_ outcome: Evaluation.Outcome) -> [Action] {
    let number = outcome.query
    let subject = subject(of: number)
    guard let newest = watches[subject]?.snapshot,
      let ended = queries[number]?.end(outcome, newest: newest)
    else { return [] }
    if let answers = ended.answers {
      if watches[subject]?.unindexed.remove(number) != nil {
        watches[subject]?.index.insert(number, answers)
      }
    } else {
      watches[subject]?.unindexed.insert(number)
    }
    var actions: [Action] = []
    if let result = ended.result, let subscribers = queries[number]?.subscribers {
      actions.append(.deliver(result, to: subscribers))
    }
    if ended.needsRerun { actions.append(evaluate(number, from: ended.snapshot, in: newest)) }
    return actions
  }

  private mutating func deliverIfIdle(
    _ number: QueryNumber, in snapshot: StoreSnapshot
  ) -> [Action] {
    guard let result = queries[number]?.redelivered(in: snapshot),
      let subscribers = queries[number]?.subscribers
    else { return [] }
    return [.deliver(result, to: subscribers)]
  }
}
