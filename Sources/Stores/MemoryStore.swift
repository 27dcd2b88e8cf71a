public import DataSources
public import LiveQueries
public import Triples

/// A store in this process and nowhere else: what is written to it is gone when it is.
///
/// ```swift
/// let store = MemoryStore()
/// try await store.put(nil, in: TransactionQuery(transaction))
/// ```
public actor MemoryStore: SnapshotStore {
  private var contents: StoreContents
  private let now: @Sendable () -> Int64
  private let kept: StoreAttachments
  public nonisolated let changed = ChangeSignal()

  /// - Parameters:
  ///   - store: What is there at the beginning.
  ///   - attachments: What is kept beside the triples.
  ///   - now: The moment that new triples are given, in milliseconds since 1970.
  public init(
    _ store: TripleStore = TripleStore(), attachments: StoreAttachments = StoreAttachments(),
    now: @escaping @Sendable () -> Int64 = { Instant.nowInMilliseconds }
  ) {
    contents = StoreContents(store)
    self.now = now
    kept = attachments
  }

  public func attachments() -> StoreAttachments { kept }

  public func snapshot() -> StoreSnapshot {
    StoreSnapshot(contents.store, history: contents.history)
  }

  /// Carries out a transaction.
  ///
  /// - Parameter query: A `TransactionQuery`. One whose id was given before changes nothing; the
  ///   last 10,000 ids of each author are remembered, for seven days.
  /// - Throws: `refused` with the store's own sentence, `unsupportedQuery` for any other query.
  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    guard let query = query as? TransactionQuery else {
      throw .unsupported(query, source: MemoryStore.self, operation: .put)
    }
    if try contents.transact(query, at: now()) { changed.ring() }
    return snapshot()
  }
}
