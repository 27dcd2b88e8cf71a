import Synchronization

/// A bell that a source rings after each change, and that its watchers listen to.
///
/// It carries no values: a watcher that hears it asks the source again, so what it sees is always
/// the present. Rings that come faster than a watcher listens become one.
///
/// An actor of one's own needs no list of watchers: each one enters with the present, sees the newest
/// only, and leaves when its stream is dropped or its task cancelled.
///
/// ```swift
/// actor Counter: WatchDataSource {
///   private var count = 0
///   nonisolated let changed = ChangeSignal()
///
///   func get(_ query: any Query) -> Int { count }
///   func increment() { count += 1; changed.ring() }
///
///   nonisolated func watch(_ query: any Query) -> DataStream<Int> {
///     changed.stream { await self.get(query) }
///   }
/// }
/// ```
public final class ChangeSignal: Sendable {
  private struct Listeners {
    var next = 0
    var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let listeners = Mutex(Listeners())

  public init() {}

  /// Tells all listeners that something changed.
  public func ring() {
    let continuations = listeners.withLock { Array($0.continuations.values) }
    for continuation in continuations { continuation.yield() }
  }

  /// One element at once, for the present, then one after each change.
  public func rings() -> AsyncStream<Void> {
    let (stream, continuation) = listen()
    continuation.yield()
    return stream
  }

  /// One element after each change from now on.
  public func ringsToCome() -> AsyncStream<Void> { listen().stream }

  private func listen() -> (stream: AsyncStream<Void>, AsyncStream<Void>.Continuation) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = listeners.withLock { listeners in
      listeners.next += 1
      listeners.continuations[listeners.next] = continuation
      return listeners.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { _ = $0.continuations.removeValue(forKey: number) }
    }
    return (stream, continuation)
  }

  /// How many listen now.
  public var listenerCount: Int {
    listeners.withLock { $0.continuations.count }
  }

  /// What `read` answers now and after each ring.
  ///
  /// What `read` holds lives as long as the watch. When it throws, the stream ends with that error:
  /// a source that closes says so by throwing and ringing once more.
  public func stream<Element: Sendable>(
    of read: @escaping @Sendable () async throws(DataSourceError) -> Element
  ) -> DataStream<Element> {
    // Listening begins before this call returns: a change made right after it is not missed.
    let rings = rings()
    return .filled { continuation throws(DataSourceError) in
      for await _ in rings {
        continuation.yield(try await read())
      }
    }
  }
}
