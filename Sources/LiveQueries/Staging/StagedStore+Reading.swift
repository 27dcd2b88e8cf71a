public import DataSources
public import InstaQL
public import Triples

// Reading the store together with its changes.
extension StagedStore {
  public var holdsEverything: Bool { get async { await store.holdsEverything } }
  public var retrySignals: AsyncStream<Void> { store.retrySignals }
  public var writeBlockers: AsyncStream<String?> { store.writeBlockers }

  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    shown.overlaid(on: try await store.get(query), answering: query as? QueryDocument)
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    let shown = shown
    return try await store.getAll(query).map {
      shown.overlaid(on: $0, answering: query as? QueryDocument)
    }
  }

  public func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    try await store.wholeStore(bytes: bytes)
  }

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    try await store.put(object, in: query)
  }

  public func put(
    _ change: TransactionQuery, taken: @escaping @Sendable () -> Void
  ) async throws(DataSourceError) -> StoreSnapshot {
    try await store.put(change, taken: taken)
  }

  @discardableResult
  public func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    try await store.putAll(objects, in: query)
  }

  public func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    overlaid(query as? QueryDocument) { $0.watch(query) }
  }

  public func watch(
    _ document: QueryDocument, showing view: AnswerView
  ) -> DataStream<StoreSnapshot> {
    overlaid(document) { $0.watch(document, showing: view) }
  }

  /// Returns the snapshots of a watch with the staged changes added. It also emits a snapshot when
  /// only the staged changes have changed.
  private func overlaid(
    _ document: QueryDocument?,
    _ watch: (any StoreDataSource) -> DataStream<StoreSnapshot>
  ) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    let relay = OverlaidWatch(document, continuation)
    let rings = changed.ringsToCome()
    let snapshots = watch(store)
    let relaying = Task {
      do throws(DataSourceError) {
        for try await snapshot in snapshots {
          if !snapshot.pending.refused.isEmpty { reject(snapshot.pending.refused) }
          relay.deliver(snapshot) { shown }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    let following = Task {
      for await _ in rings { relay.refresh { shown } }
    }
    continuation.onTermination {
      relaying.cancel()
      following.cancel()
    }
    return stream
  }
}
