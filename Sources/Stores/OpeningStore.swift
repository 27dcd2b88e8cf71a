public import DataSources
public import InstaQL
public import LiveQueries
public import Triples

/// A store that is still being opened; every call waits until it is open.
///
/// So a screen can be drawn, and subscriptions be made, before the data is read. When opening fails,
/// every call fails with that reason.
public struct OpeningStore: StoreDataSource {
  private let opening: Task<any StoreDataSource, any Error>
  /// How far the opening has come, for one reader: the newest word only; ends when the store is
  /// open, or will never be.
  public let progress: AsyncStream<LoadingProgress>

  /// Begins to open a store.
  public init(_ open: @escaping @Sendable () async throws -> any StoreDataSource) {
    self.init { _ in try await open() }
  }

  /// Begins to open a store whose opening tells how far it has come.
  public init(
    _ open: @escaping @Sendable (ProgressReport) async throws -> any StoreDataSource
  ) {
    let (progress, continuation) = AsyncStream.makeStream(
      of: LoadingProgress.self, bufferingPolicy: .bufferingNewest(1))
    self.progress = progress
    opening = Task {
      defer { continuation.finish() }
      return try await open(ProgressReport { continuation.yield($0) })
    }
  }

  /// Cancels the opening; waiting calls fail with that reason. Has no effect once the store is open.
  public func cancel() { opening.cancel() }

  /// The store, as soon as it is there; nil when it cannot be opened, which every call tells.
  package var opened: (any StoreDataSource)? {
    get async { try? await opening.value }
  }

  /// What the store says once it is there.
  public var holdsEverything: Bool {
    get async {
      // The watch that follows reports why the store cannot be opened.
      guard let store = try? await opening.value else { return true }
      return await store.holdsEverything
    }
  }

  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    try await store().get(query)
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    try await store().getAll(query)
  }

  public func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    try await store().wholeStore(bytes: bytes)
  }

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    try await store().put(object, in: query)
  }

  public func put(
    _ change: TransactionQuery, taken: @escaping @Sendable () -> Void
  ) async throws(DataSourceError) -> StoreSnapshot {
    try await store().put(change, taken: taken)
  }

  @discardableResult
  public func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    try await store().putAll(objects, in: query)
  }

  public func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    passing { $0.watch(query) }
  }

  public func watch(
    _ document: QueryDocument, showing view: AnswerView
  ) -> DataStream<StoreSnapshot> {
    passing { $0.watch(document, showing: view) }
  }

  /// Those of the store once it is there.
  public var retrySignals: AsyncStream<Void> { newest { $0.retrySignals } }

  /// Those of the store once it is there.
  public var writeBlockers: AsyncStream<String?> { newest { $0.writeBlockers } }

  private func newest<Element: Sendable>(
    _ words: @escaping @Sendable (any StoreDataSource) -> AsyncStream<Element>
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(1))
    let passing = Task {
      guard let store = await opened else { return continuation.finish() }
      for await word in words(store) { continuation.yield(word) }
      continuation.finish()
    }
    continuation.onTermination = { _ in passing.cancel() }
    return stream
  }

  private func passing(
    _ watch: @escaping @Sendable (any StoreDataSource) -> DataStream<StoreSnapshot>
  ) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    let passing = Task {
      do throws(DataSourceError) {
        for try await snapshot in watch(try await store()) { continuation.yield(snapshot) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination { passing.cancel() }
    return stream
  }

  private func store() async throws(DataSourceError) -> any StoreDataSource {
    do {
      return try await opening.value
    } catch let error as StoreError {
      throw .failed(error.message)
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .failed("\(error)")
    }
  }
}
