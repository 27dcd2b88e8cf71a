public import DataSources
public import InstaQL
public import Triples

/// Keeps the answers of all subscribed queries true while their store changes.
///
/// Equal queries share one watch of the store; each subscriber has its own stream and its own end.
public actor QueryManager {
  private let store: any StoreDataSource
  private var table = SubscriptionTable()
  private var watches: [QueryDocument: Task<Void, Never>] = [:]
  private var subscribers: [SubscriptionID: AsyncStream<LiveResult>.Continuation] = [:]
  private var lastNumber = 0

  public init(store: any StoreDataSource) {
    self.store = store
  }

  /// Subscribes to the answer of `document`.
  ///
  /// The stream begins with what is known, `loading` at the least. It keeps only the newest result
  /// that was not yet read.
  public func subscribe(to document: QueryDocument) -> Subscription {
    lastNumber += 1
    let id = SubscriptionID(number: lastNumber)
    let (results, continuation) = AsyncStream.makeStream(
      of: LiveResult.self, bufferingPolicy: .bufferingNewest(1))
    subscribers[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.unsubscribe(id) }
    }
    perform(table.subscribe(id, to: document))
    return Subscription(id: id, results: results)
  }

  /// Ends a subscription; it hears nothing more. Repeating the call does nothing.
  public func unsubscribe(_ id: SubscriptionID) {
    subscribers.removeValue(forKey: id)?.finish()
    perform(table.unsubscribe(id))
  }

  /// The store's snapshots as they come, for those who show its schema and counts.
  public nonisolated func snapshots() -> DataStream<StoreSnapshot> {
    store.watch(AllObjectsQuery())
  }

  private func perform(_ actions: [SubscriptionTable.Action]) {
    for action in actions {
      switch action {
      case .startWatch(let document): watches[document] = watch(document)
      case .stopWatch(let document): watches.removeValue(forKey: document)?.cancel()
      case .deliver(let result, let ids):
        for id in ids { subscribers[id]?.yield(result) }
      }
    }
  }

  private func watch(_ document: QueryDocument) -> Task<Void, Never> {
    let snapshots = store.watch(document)
    return Task { [weak self] in
      do throws(DataSourceError) {
        for try await snapshot in snapshots {
          let result = await Self.evaluate(document, in: snapshot)
          guard !Task.isCancelled else { return }
          await self?.receive(result, for: document)
        }
      } catch {
        guard !Task.isCancelled else { return }
        await self?.receive(.failed(LiveFailure(message: error.description)), for: document)
      }
    }
  }

  private func receive(_ result: LiveResult, for document: QueryDocument) {
    perform(table.receive(result, for: document))
  }

  /// Evaluates away from the actor, so that a long question holds up no other subscriber.
  @concurrent
  private static func evaluate(
    _ document: QueryDocument, in snapshot: StoreSnapshot
  ) async -> LiveResult {
    let clock = ContinuousClock()
    let start = clock.now
    do throws(QueryError) {
      var answers: [Answer] = []
      for plan in document.plans {
        answers.append(try QueryEngine.answer(plan, in: snapshot.store))
      }
      return .loaded(
        LiveAnswer(
          document: document, answers: answers, snapshot: snapshot,
          elapsed: clock.now - start))
    } catch {
      return .failed(LiveFailure(message: error.message, hint: error.hint))
    }
  }
}
