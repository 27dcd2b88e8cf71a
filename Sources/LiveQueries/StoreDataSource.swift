public import DataSources
public import InstaQL
public import Triples

/// What a query manager asks of a store, and the plug that every store fits.
///
/// A store is a data source of snapshots. `get` and `watch` take the `QueryDocument` that shall be
/// answered, so that a store elsewhere can fetch just what it needs, or `AllObjectsQuery` for the
/// schema and whatever is at hand.
public protocol StoreDataSource: QueryStore, PutDataSource<StoreSnapshot> {
  /// Whether each snapshot holds all there is, so that one of them answers any query.
  ///
  /// Such a store is watched once for all queries, with `AllObjectsQuery`. Any other is watched once
  /// for each distinct query, with its `QueryDocument`; this is assumed of a store that does not say.
  var holdsEverything: Bool { get async }

  /// The same as `watch(document)` for a reader who sees only a part of the answer: the snapshots need
  /// hold no more than that. A store that gives all of it anyway does not implement this.
  func watch(_ document: QueryDocument, showing view: AnswerView) -> DataStream<StoreSnapshot>

  /// Everything that the store holds. A store that cannot give all of it throws: a part is never the
  /// answer, because a backup would be made of it.
  ///
  /// - Parameter bytes: How values that are bytes are given.
  func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore

  /// The same as `put(nil, in: change)`, and tells on the way that the change has its place: what is
  /// put from then on comes after it, and what is asked from then on shows it.
  ///
  /// A store that carries changes out at once has nothing to tell before it returns, and does not
  /// implement this.
  ///
  /// - Parameter taken: Called once at most, before the call returns; never for a change that is
  ///   refused here.
  func put(
    _ change: TransactionQuery, taken: @escaping @Sendable () -> Void
  ) async throws(DataSourceError) -> StoreSnapshot

  /// Tells whenever a question that failed may have an answer: a file is back, or let go of. A store
  /// that never tells ends it at once, and does not implement this.
  var secondChances: AsyncStream<Void> { get }

  /// Tells what keeps changes from being made at this moment, as the first half of a sentence, and nil
  /// when nothing does any more. A store that nothing keeps ends it at once, and does not implement this.
  ///
  /// A change that waits so long is given up by cancelling its task: it is then made or it is not, and
  /// the call says which.
  var obstructions: AsyncStream<String?> { get }
}

extension StoreDataSource {
  public var holdsEverything: Bool { false }

  public var secondChances: AsyncStream<Void> { AsyncStream { $0.finish() } }

  public var obstructions: AsyncStream<String?> { AsyncStream { $0.finish() } }

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
