public import DataSources
public import InstaQL
public import Triples

/// Keeps the answers to all subscribed queries up to date while their store changes.
///
/// Equal queries share one answer; each subscriber has its own stream. After a change only the
/// affected queries are evaluated.
///
/// ```swift
/// let manager = QueryManager(store: store)
/// let subscription = await manager.subscribe(to: try QueryDocument(text: "goals with todos"))
/// for await result in subscription.results { show(result) }
/// ```
public actor QueryManager {
  private let store: any StoreDataSource
  private var table: SubscriptionTable
  private var watches: [SubscriptionTable.WatchSubject: Task<Void, Never>] = [:]
  private var evaluations: [QueryNumber: Task<Void, Never>] = [:]
  private var subscribers: [SubscriptionID: Receiver] = [:]
  private var listeners: [Int: AsyncStream<[WatchedQuery]>.Continuation] = [:]
  private var lastNumber = 0
  private let evaluator: Evaluator?

  /// A function that runs an evaluation and returns its outcome, for example on another executor.
  package typealias Evaluator =
    @Sendable (QueryNumber, @escaping @Sendable () -> Evaluation.Outcome) async ->
    Evaluation.Outcome

  /// The recipient of a subscription's results.
  private enum Receiver {
    case sequence(LiveResults.Writer)
    case callback(@Sendable (LiveResult) -> Void)

    func deliver(_ result: LiveResult) {
      switch self {
      case .sequence(let writer): writer.yield(result)
      case .callback(let receive): receive(result)
      }
    }

    func cancel() {
      if case .sequence(let writer) = self { writer.cancel() }
    }
  }

  /// Creates a manager.
  /// - Parameter options: Options for answering queries.
  public init(store: any StoreDataSource, options: QueryOptions = .standard) {
    self.init(store: store, options: options, evaluator: nil)
  }

  /// Creates a manager.
  /// - Parameter evaluator: Runs the evaluations of queries; nil runs them on the default executor.
  package init(
    store: any StoreDataSource, options: QueryOptions = .standard, evaluator: Evaluator?
  ) {
    self.store = store
    self.evaluator = evaluator
    table = SubscriptionTable(options: options)
  }

  deinit {
    for watch in watches.values { watch.cancel() }
    for evaluation in evaluations.values { evaluation.cancel() }
    for receiver in subscribers.values { receiver.cancel() }
    for listener in listeners.values { listener.finish() }
  }

  /// Subscribes to the answer of `document`.
  ///
  /// The results begin with the last known one, or with `loading`. Only the newest unread result
  /// is kept.
  ///
  /// - Parameters:
  ///   - reach: The scope that the subscriber displays; changes beyond it are not delivered.
  ///   - window: The rows that the subscriber displays; a store that reads on demand reads only
  ///     these rows.
  public func subscribe(
    to document: QueryDocument, reach: AnswerReach = .answer, window: AnswerView.Window? = nil
  ) -> Subscription {
    let id = makeID()
    let (results, writer) = LiveResults.make()
    writer.onTermination { [weak self] in
      Task { await self?.unsubscribe(id) }
    }
    add(.sequence(writer), id, to: document, AnswerView(reach: reach, window: window))
    return Subscription(id: id, results: results)
  }

  /// Subscribes to the answer of `document` with a callback, which needs no task, unlike a
  /// sequence.
  ///
  /// - Parameter receive: Called on the manager with every result, until the subscription ends.
  package func subscribe(
    to document: QueryDocument, reach: AnswerReach,
    receive: @escaping @Sendable (LiveResult) -> Void
  ) -> SubscriptionID {
    let id = makeID()
    add(.callback(receive), id, to: document, AnswerView(reach: reach))
    return id
  }

  private func makeID() -> SubscriptionID {
    lastNumber += 1
    return SubscriptionID(number: lastNumber)
  }

  private func add(
    _ receiver: Receiver, _ id: SubscriptionID, to document: QueryDocument, _ view: AnswerView
  ) {
    subscribers[id] = receiver
    perform(table.subscribe(id, to: document, view: view))
  }

  /// Ends a subscription. Nothing more is delivered to it. Repeating the call has no effect.
  public func unsubscribe(_ id: SubscriptionID) {
    subscribers.removeValue(forKey: id)?.cancel()
    perform(table.unsubscribe(id))
    notifyListeners()
  }

  /// Applies a transaction to the store. Affected subscribers get new results.
  ///
  /// - Parameter id: Identifies the transaction permanently: it is applied only once per id.
  /// - Returns: The store after the transaction, with the changes in its history.
  /// - Throws: The store's rejection, with its message, type and hint. In that case nothing has
  ///   changed.
  @discardableResult
  public nonisolated func transact(
    _ transaction: Transaction, id: MutationID = MutationID()
  ) async throws(LiveFailure) -> StoreSnapshot {
    do throws(DataSourceError) {
      return try await store.put(nil, in: TransactionQuery(transaction, id: id))
    } catch {
      throw LiveFailure(error)
    }
  }

  /// Emits the store's snapshots. A caller can display the schema and the counts in them.
  public nonisolated func snapshots() -> DataStream<StoreSnapshot> {
    store.watch(AllObjectsQuery())
  }

  /// Reads the complete content of the store.
  ///
  /// - Throws: The store's failure. A store that cannot provide all of its data fails, too.
  public nonisolated func wholeStore() async throws(LiveFailure) -> WholeStore {
    do throws(DataSourceError) {
      return try await store.wholeStore(bytes: .spelled)
    } catch {
      throw LiveFailure(error)
    }
  }

  /// Reads a single snapshot for a query.
  ///
  /// - Throws: The store's failure.
  public nonisolated func snapshot(for query: any Query) async throws(LiveFailure) -> StoreSnapshot
  {
    do throws(DataSourceError) {
      return try await store.get(query)
    } catch {
      throw LiveFailure(error)
    }
  }

  /// Reads a single snapshot to display a part of the answer, once the store is loaded. The snapshot
  /// may contain only that part.
  ///
  /// - Throws: The store's failure.
  public nonisolated func snapshot(
    of document: QueryDocument, showing view: AnswerView
  ) async throws(LiveFailure) -> StoreSnapshot {
    do throws(DataSourceError) {
      for try await snapshot in store.watch(document, showing: view)
      where snapshot.freshness != .loading {
        return snapshot
      }
      throw DataSourceError.cancelled
    } catch {
      throw LiveFailure(error)
    }
  }

  // MARK: Watched queries

  /// The distinct queries that have subscribers, oldest first.
  ///
  /// - Complexity: O(queries).
  public var watchedQueries: [WatchedQuery] { table.watchedQueries }

  /// Emits the list of watched queries, now and after each change. A slow reader gets only the
  /// newest list.
  public func watchedQueryLists() -> AsyncStream<[WatchedQuery]> {
    let (lists, continuation) = AsyncStream.makeStream(
      of: [WatchedQuery].self, bufferingPolicy: .bufferingNewest(1))
    lastNumber += 1
    let number = lastNumber
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.forgetListener(number) }
    }
    continuation.yield(watchedQueries)
    return lists
  }

  private func forgetListener(_ number: Int) { listeners[number] = nil }

  // MARK: Actions

  private func perform(_ actions: [SubscriptionTable.Action]) {
    for action in actions {
      switch action {
      case .askStore: askStore()
      case .startWatch(let subject): watches.updateValue(watch(subject), forKey: subject)?.cancel()
      case .stopWatch(let subject): watches.removeValue(forKey: subject)?.cancel()
      case .evaluate(let evaluation): evaluations[evaluation.query] = evaluate(evaluation)
      case .stopEvaluating(let query): evaluations.removeValue(forKey: query)?.cancel()
      case .deliver(let result, let ids):
        for id in ids { subscribers[id]?.deliver(result) }
      }
    }
    if !actions.isEmpty { notifyListeners() }
  }

  private func notifyListeners() {
    if listeners.isEmpty { return }
    let list = watchedQueries
    for listener in listeners.values { listener.yield(list) }
  }

  private func askStore() {
    Task { [weak self, store] in
      let holdsEverything = await store.holdsEverything
      await self?.learn(holdsEverything: holdsEverything)
    }
  }

  private func learn(holdsEverything: Bool) {
    perform(table.learn(holdsEverything: holdsEverything))
  }

  private func watch(_ subject: SubscriptionTable.WatchSubject) -> Task<Void, Never> {
    let snapshots = snapshots(of: subject)
    return Task { [weak self, store] in
      var snapshots = snapshots
      while true {
        // The signals are subscribed before the watch starts, so that none is missed.
        let retrySignals = store.retrySignals
        do throws(DataSourceError) {
          for try await snapshot in snapshots {
            guard !Task.isCancelled, let self else { return }
            await self.applySnapshot(snapshot, from: subject)
          }
          return
        } catch {
          if Task.isCancelled { return }
          await self?.fail(subject, LiveFailure(error))
        }
        var hasChance = false
        for await _ in retrySignals {
          hasChance = true
          break
        }
        guard hasChance, !Task.isCancelled, let self else { return }
        snapshots = await self.snapshots(of: subject)
      }
    }
  }

  private func snapshots(
    of subject: SubscriptionTable.WatchSubject
  ) -> DataStream<StoreSnapshot> {
    switch subject {
    case .everything: store.watch(AllObjectsQuery())
    case .query(let number):
      store.watch(table.document(of: number) ?? QueryDocument(), showing: table.view(of: number))
    }
  }

  private func applySnapshot(
    _ snapshot: StoreSnapshot, from subject: SubscriptionTable.WatchSubject
  ) {
    // The watch may have been stopped and restarted while this snapshot was on its way.
    if Task.isCancelled { return }
    perform(table.applySnapshot(snapshot, from: subject))
  }

  private func fail(_ subject: SubscriptionTable.WatchSubject, _ failure: LiveFailure) {
    if Task.isCancelled { return }
    perform(table.fail(subject, failure))
  }

  /// Evaluates a query outside of the actor, so that a long query does not block other subscribers.
  private func evaluate(_ evaluation: Evaluation) -> Task<Void, Never> {
    Task { @concurrent [weak self, evaluator] in
      // The query may have been unsubscribed while this task waited to run.
      if Task.isCancelled { return }
      let outcome =
        await evaluator?(evaluation.query) { evaluation.run() } ?? evaluation.run()
      if Task.isCancelled { return }
      await self?.applyOutcome(outcome)
    }
  }

  private func applyOutcome(_ outcome: Evaluation.Outcome) {
    evaluations[outcome.query] = nil
    perform(table.applyOutcome(outcome))
  }
}
