public import DataSources
public import LiveQueries
public import Triples

/// A store in memory, whose data is lost when the store is deallocated.
///
/// ```swift
/// let store = MemoryStore()
/// try await store.insert(Employee.self, .set(\.name, "Ada"), .set(\.salary, 80_000))
/// ```
public actor MemoryStore: SnapshotStore {
  private var contents: StoreContents
  private let now: @Sendable () -> Int64
  private let kept: StoreAttachments
  public nonisolated let changed = ChangeSignal()

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - store: The initial contents.
  ///   - attachments: The attachments, which are not triples.
  ///   - now: Returns the time of new triples, in milliseconds since 1970.
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

  /// Applies a transaction.
  ///
  /// - Parameter query: A `TransactionQuery`. If the same transaction is applied again, it has no
  ///   effect. For this, the last 10,000 ids of each author are kept for seven days.
  /// - Throws: `refused` with the store's error, `unsupportedQuery` for any other query.
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
