public import DataSources
public import InstaQL
public import Triples

/// The interface of a store for the query manager.
///
/// A store is a data source of snapshots. `get` and `watch` accept a `QueryDocument`, for which a
/// remote store can fetch only the needed data. They also accept `AllObjectsQuery`, for the schema
/// and the available data. A store may return a snapshot for an invalid query, because the query
/// manager checks the query when it evaluates the snapshot.
///
/// While a store is loading, `watch` may deliver the beginning of its data, with the freshness
/// `loading`. All other calls wait until the store is loaded.
public protocol StoreDataSource: QueryStore, PutDataSource<StoreSnapshot> {
  /// Whether each snapshot contains all data, so that it can answer any query.
  ///
  /// If true, the query manager watches the store once for all queries, with `AllObjectsQuery`. If
  /// false, it watches the store once for each distinct query, with the query's `QueryDocument`.
  /// The default is false.
  var holdsEverything: Bool { get async }

  /// Watches a query for a reader that displays only a part of the answer. The snapshots may
  /// contain only that part. The default implementation returns `watch(document)`.
  func watch(_ document: QueryDocument, showing view: AnswerView) -> DataStream<StoreSnapshot>

  /// Returns the complete content of the store. If the store cannot provide all of it, the call
  /// throws, because a backup must not be partial.
  ///
  /// - Parameter bytes: The form of BLOB values.
  func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore

  /// Performs `put(nil, in: change)`, and calls `taken` when the position of the change is fixed.
  ///
  /// Changes that are put later come after this change, and later queries include it. A store that
  /// applies changes immediately does not need to implement this method.
  ///
  /// - Parameter taken: Called at most once, before the call returns. It is not called if the
  ///   change is rejected locally.
  func put(
    _ change: TransactionQuery, taken: @escaping @Sendable () -> Void
  ) async throws(DataSourceError) -> StoreSnapshot

  /// Emits when a failed query is worth retrying, for example because a file reappeared or was
  /// unlocked. The default is an empty stream.
  var retrySignals: AsyncStream<Void> { get }

  /// Emits the reason why writes are blocked at the moment, or nil when they are not blocked. The
  /// reason is the beginning of a sentence. The default is an empty stream.
  ///
  /// To cancel a blocked change, cancel the task that called `put`. Then `put` reports whether the
  /// change was made.
  var writeBlockers: AsyncStream<String?> { get }
}

extension StoreDataSource {
  public var holdsEverything: Bool { false }

  public var retrySignals: AsyncStream<Void> { AsyncStream { $0.finish() } }

  public var writeBlockers: AsyncStream<String?> { AsyncStream { $0.finish() } }

  public func put(
    _ change: TransactionQuery, taken: @escaping @Sendable () -> Void
  ) async throws(DataSourceError) -> StoreSnapshot {
    try await put(nil, in: change)
  }

  public func watch(
    _ document: QueryDocument, showing view: AnswerView
  ) -> DataStream<StoreSnapshot> {
    watch(document)
  }
}
