/// Notifies watchers after each change of a source.
///
/// It carries no values: a notified watcher reads the source again, so it always sees the current
/// state. Notifications that a watcher has not handled yet are merged into one.
///
/// A source that uses a signal does not need its own list of watchers. Each stream begins with the
/// current state, delivers only the newest state, and unsubscribes when it is released or its task
/// is canceled.
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

  private let listeners = Locked(Listeners())

  /// Creates a signal without watchers.
  public init() {}

  /// Notifies all watchers of a change.
  public func ring() {
    let continuations = listeners.withLock { Array($0.continuations.values) }
    for continuation in continuations { continuation.yield() }
  }

  /// Returns a stream with an element immediately, then an element after each change.
  public func rings() -> AsyncStream<Void> {
    let (stream, continuation) = listen()
    continuation.yield()
    return stream
  }

  /// Returns a stream with an element after each later change, but not immediately.
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

  /// The number of current watchers.
  public var listenerCount: Int {
    listeners.withLock { $0.continuations.count }
  }

  /// Returns a stream of the result of `read`, now and after each notification.
  ///
  /// The stream retains what `read` captures. When `read` throws, the stream ends with that error.
  /// To end its streams, a source calls ``ring()`` once more and lets `read` throw.
  public func stream<Element: Sendable>(
    of read: @escaping @Sendable () async throws(DataSourceError) -> Element
  ) -> DataStream<Element> {
    // Listening begins before this call returns, so that a change immediately after the call is not
    // missed.
    let rings = rings()
    return .filled { continuation throws(DataSourceError) in
      for await _ in rings {
        continuation.yield(try await read())
      }
    }
  }
}
