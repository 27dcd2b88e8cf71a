import Synchronization

/// What one subscriber hears: the newest result that it did not read yet, then each that follows.
///
/// A slow reader sees the present, not the backlog. Once the subscription is cancelled nothing more
/// comes, not even what was waiting.
public struct LiveResults: AsyncSequence, Sendable {
  public typealias Element = LiveResult
  public typealias Failure = Never

  private let waiting: ResultSlot
  private let signals: AsyncStream<Void>

  /// The reader's end and the writer's.
  static func make() -> (results: LiveResults, writer: Writer) {
    let waiting = ResultSlot()
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    return (
      LiveResults(waiting: waiting, signals: signals),
      Writer(waiting: waiting, signals: continuation)
    )
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(waiting: waiting, signals: signals.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let waiting: ResultSlot
    fileprivate var signals: AsyncStream<Void>.Iterator

    public mutating func next() async -> LiveResult? { await next(isolation: #isolation) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> LiveResult? {
      while await signals.next(isolation: actor) != nil {
        if let result = waiting.take() { return result }
      }
      return nil
    }
  }

  struct Writer: Sendable {
    fileprivate let waiting: ResultSlot
    fileprivate let signals: AsyncStream<Void>.Continuation

    /// Hands over a result; one that waits unread is replaced.
    func yield(_ result: LiveResult) {
      waiting.put(result)
      signals.yield()
    }

    /// Ends the sequence; what waits is not heard any more.
    func cancel() {
      waiting.close()
      signals.finish()
    }

    /// Called once when the reader is gone or the sequence was cancelled.
    func onTermination(_ action: @escaping @Sendable () -> Void) {
      signals.onTermination = { _ in action() }
    }
  }
}

/// Where a result waits for its reader. A lock, because the writer is an actor and the reader is not.
private final class ResultSlot: Sendable {
  private struct State {
    var result: LiveResult?
    var isClosed = false
  }

  private let state = Mutex(State())

  func put(_ result: LiveResult) {
    state.withLock { if !$0.isClosed { $0.result = result } }
  }

  func take() -> LiveResult? {
    state.withLock { state in
      defer { state.result = nil }
      return state.result
    }
  }

  func close() {
    state.withLock { $0 = State(isClosed: true) }
  }
}
