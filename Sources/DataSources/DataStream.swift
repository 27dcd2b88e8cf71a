/// A stream of elements that can only fail with a ``DataSourceError``.
///
/// It buffers only the newest unread element, and ends after a failure.
public struct DataStream<Element: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = DataSourceError

  private let results: AsyncStream<Result<Element, DataSourceError>>

  /// Returns a stream and the continuation that writes to it.
  public static func makeStream(
    of type: Element.Type = Element.self
  ) -> (stream: DataStream<Element>, continuation: Continuation) {
    let (results, continuation) = AsyncStream.makeStream(
      of: Result<Element, DataSourceError>.self, bufferingPolicy: .bufferingNewest(1))
    return (DataStream(results: results), Continuation(results: continuation))
  }

  /// Returns a stream that ends immediately with `error`.
  public static func failing(_ error: DataSourceError) -> DataStream<Element> {
    let (stream, continuation) = makeStream()
    continuation.finish(throwing: error)
    return stream
  }

  /// Returns a stream whose elements `body` writes in a task of its own. The task is canceled when
  /// the reader releases the stream.
  ///
  /// When `body` throws, the stream ends with that error.
  public static func filled(
    by body: @escaping @Sendable (Continuation) async throws(DataSourceError) -> Void
  ) -> DataStream<Element> {
    let (stream, continuation) = makeStream()
    let task = Task {
      do throws(DataSourceError) {
        try await body(continuation)
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination { task.cancel() }
    return stream
  }

  /// Returns this stream with each element transformed. It ends with the first error that
  /// `transform` throws.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (Element) throws(DataSourceError) -> Other
  ) -> DataStream<Other> {
    .filled { continuation throws(DataSourceError) in
      var elements = makeAsyncIterator()
      while let element = try await elements.next(isolation: nil) {
        continuation.yield(try transform(element))
      }
    }
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(results: results.makeAsyncIterator())
  }

  /// The reading end of a stream.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var results: AsyncStream<Result<Element, DataSourceError>>.Iterator

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DataSourceError) -> Element? {
      try await results.next(isolation: actor)?.get()
    }
  }

  /// The writing end of a stream.
  public struct Continuation: Sendable {
    fileprivate let results: AsyncStream<Result<Element, DataSourceError>>.Continuation

    /// Delivers an element. It replaces the previous element if the reader has not read that yet.
    public func yield(_ element: Element) {
      results.yield(.success(element))
    }

    /// Ends the stream, with an error or without.
    public func finish(throwing error: DataSourceError? = nil) {
      if let error { results.yield(.failure(error)) }
      results.finish()
    }

    /// Sets an action that runs once: when the reader releases the stream, or when the stream has
    /// finished.
    public func onTermination(_ action: @escaping @Sendable () -> Void) {
      results.onTermination = { _ in action() }
    }
  }
}
