import Synchronization

/// The sequence of results of one subscription.
///
/// A slow reader gets only the newest result. After cancellation nothing is delivered, not even a
/// result that was not read yet.
public struct LiveResults: AsyncSequence, Sendable {
  public typealias Element = LiveResult
  public typealias Failure = Never

  private let waiting: ResultSlot
  private let signals: AsyncStream<Void>

  /// Creates a sequence and the writer that supplies its results.
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

  /// An iterator over the results of a subscription.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let waiting: ResultSlot
    fileprivate var signals: AsyncStream<Void>.Iterator

    public mutating func next() async -> LiveResult? { await next(isolation: #isolation) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> LiveResult? {
      while await signals.next(isolation: actor) != nil {
        if let result = waiting.removeResult() { return result }
      }
      return nil
    }
  }

  struct Writer: Sendable {
    fileprivate let waiting: ResultSlot
    fileprivate let signals: AsyncStream<Void>.Continuation

    /// Delivers a result; it replaces a result that has not been read yet.
    func yield(_ result: LiveResult) {
      waiting.put(result)
      signals.yield()
    }

    /// Ends the sequence and discards a result that was not read yet.
    func cancel() {
      waiting.close()
      signals.finish()
    }

    /// Sets an action that runs once: when the reader is released, or when the sequence is
    /// canceled.
    func onTermination(_ action: @escaping @Sendable () -> Void) {
      signals.onTermination = { _ in action() }
    }
  }
}

/// A slot for the result that was not read yet. It uses a lock, because only the writer is an
/// actor.
private final class ResultSlot: Sendable {
  private struct State {
    var result: LiveResult?
    var isClosed = false
  }

  private let state = Mutex(State())

  func put(_ result: LiveResult) {
    state.withLock { if !$0.isClosed { $0.result = result } }
  }

  func removeResult() -> LiveResult? {
    state.withLock { state in
      defer { state.result = nil }
      return state.result
    }
  }

  func close() {
    state.withLock { $0 = State(isClosed: true) }
  }
}
