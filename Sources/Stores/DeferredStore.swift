public import DataSources
public import InstaQL
public import LiveQueries
import Synchronization
public import Triples

/// A store that is still loading; every call waits until it is loaded.
///
/// The screen can be drawn, and subscriptions can be made, before the data is read. If loading
/// fails, every call fails with that error.
///
/// Until the store is loaded, watches can deliver the beginning of its data.
public struct DeferredStore: StoreDataSource {
  private let loading: Loading
  private let beginning: Beginning
  /// Emits the loading progress, and ends when loading ends. It supports one reader, which receives
  /// only the newest value.
  public let progress: AsyncStream<LoadingProgress>

  /// Starts loading a store.
  public init(_ open: @escaping @Sendable () async throws -> any StoreDataSource) {
    self.init { _ in try await open() }
  }

  /// Starts loading a store that reports its progress.
  ///
  /// - Parameter beginning: Reads the beginning of the data, before `open` is called. Nil if there
  ///   is none. Otherwise the snapshots of the loaded store must contain all data.
  public init(
    beginning: (@Sendable () async -> StoreSnapshot?)? = nil,
    _ open: @escaping @Sendable (ProgressReport) async throws -> any StoreDataSource
  ) {
    let (progress, continuation) = AsyncStream.makeStream(
      of: LoadingProgress.self, bufferingPolicy: .bufferingNewest(1))
    self.progress = progress
    let beginning = Beginning(beginning)
    self.beginning = beginning
    loading = Loading {
      defer {
        continuation.finish()
        beginning.drop()
      }
      _ = await beginning.snapshot
      return try await open(ProgressReport { continuation.yield($0) })
    }
  }

  /// Cancels loading, so that waiting calls fail. It has no effect once the store is loaded.
  public func cancel() { opening.cancel() }

  /// Opens the store again and replaces the loaded one. Streams of the loaded store continue with
  /// the new one; after an error, they can be retried. Until the new store has an answer, they keep
  /// the data of the loaded one.
  ///
  /// - Parameter close: Closes the loaded store, which ends its streams.
  package func reopen(after close: (any StoreDataSource) async -> Void) async {
    let known = loading.current
    guard let opened = try? await known.task.value else { return }
    let (closed, closing) = AsyncStream.makeStream(of: Void.self)
    guard loading.restart(known.number, after: { for await _ in closed {} }) else { return }
    await close(opened)
    closing.finish()
    loading.replaced.ring()
  }

  private var opening: Task<any StoreDataSource, any Error> { loading.current.task }

  /// The task that opens the store; reopening replaces it.
  private final class Loading: Sendable {
    typealias Attempt = (number: Int, task: Task<any StoreDataSource, any Error>)

    private let open: @Sendable () async throws -> any StoreDataSource
    private let attempt: Mutex<Attempt>
    let replaced = ChangeSignal()

    init(_ open: @escaping @Sendable () async throws -> any StoreDataSource) {
      self.open = open
      attempt = Mutex((0, Task { try await open() }))
    }

    var current: Attempt { attempt.withLock(\.self) }

    /// Opens the store again, after `start`.
    ///
    /// - Returns: False if another call has already replaced the attempt with this number.
    func restart(_ number: Int, after start: @escaping @Sendable () async -> Void) -> Bool {
      attempt.withLock { attempt in
        guard attempt.number == number else { return false }
        let task = Task { [open] in
          await start()
          return try await open()
        }
        attempt = (number + 1, task)
        return true
      }
    }
  }

  /// The beginning of the data, which is kept until the store is loaded.
  private final class Beginning: Sendable {
    private let reading: Mutex<Task<StoreSnapshot?, Never>?>

    init(_ read: (@Sendable () async -> StoreSnapshot?)?) {
      reading = Mutex(read.map { read in Task { await read() } })
    }

    /// The beginning; nil if there is none, or if the store is loaded.
    var snapshot: StoreSnapshot? {
      get async { await reading.withLock(\.self)?.value }
    }

    func drop() { reading.withLock { $0 = nil } }
  }

  /// The loaded store; the getter waits until loading ends. Nil if loading failed; every call of
  /// the store then reports the failure.
  package var opened: (any StoreDataSource)? {
    get async { try? await opening.value }
  }

  /// Whether each snapshot of the loaded store contains all data; true if loading failed.
  public var holdsEverything: Bool {
    get async {
      if await beginning.snapshot != nil { return true }
      // If loading failed, the watch that follows reports the error.
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

  /// Emits when a failed query of the loaded store is worth retrying, and when the store was
  /// replaced.
  public var retrySignals: AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let replaced = loading.replaced.ringsToCome()
    let passing = Task {
      var signals = pass(newest { $0.retrySignals }, to: continuation)
      for await _ in replaced {
        signals.cancel()
        signals = pass(newest { $0.retrySignals }, to: continuation)
        continuation.yield()
      }
      signals.cancel()
    }
    continuation.onTermination = { _ in passing.cancel() }
    return stream
  }

  private func pass(
    _ signals: AsyncStream<Void>, to continuation: AsyncStream<Void>.Continuation
  ) -> Task<Void, Never> {
    Task { for await _ in signals { continuation.yield() } }
  }

  /// Emits the messages of the loaded store about processes that block changes.
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
        if let beginning = await beginning.snapshot { continuation.yield(beginning) }
        var number: Int
        var answered: StoreSnapshot?
        repeat {
          number = loading.current.number
          for try await snapshot in watch(try await store()) {
            if !snapshot.isUnanswered { answered = snapshot }
            continuation.yield(answered?.with(snapshot.freshness) ?? snapshot)
          }
        } while loading.current.number != number
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
