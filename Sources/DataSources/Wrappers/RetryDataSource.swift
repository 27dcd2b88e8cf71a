/// An interceptor that repeats calls after temporary failures. If all attempts fail, it throws the
/// last failure.
public struct Retry: Interceptor {
  let policy: RetryPolicy
  private let sleep: @Sendable (Duration) async throws -> Void
  private let chance: @Sendable () -> Double

  /// Creates a retry with a policy and a clock.
  /// - Parameter chance: Returns a random number from 0 to 1 for the jitter.
  public init(
    _ policy: RetryPolicy = RetryPolicy(), clock: some Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.policy = policy
    self.chance = chance
    sleep = { try await clock.sleep(for: $0) }
  }

  /// Performs a call, and repeats it after temporary failures.
  ///
  /// - Throws: The failure of the last attempt; `cancelled` when the task is canceled during a delay.
  public func intercept<Answer: Sendable>(
    _ call: DataCall, next: DataCall.Next<Answer>
  ) async throws(DataSourceError) -> Answer {
    var attempt = 1
    while true {
      do throws(DataSourceError) {
        return try await next()
      } catch  where attempt < policy.attempts && policy.retries(call, error) {
        attempt += 1
        try await wait(before: attempt)
      }
    }
  }

  /// Restarts a watch after a temporary failure. Each delivered element resets the count of
  /// attempts.
  public func interceptWatch<Element: Sendable>(
    _ call: DataCall, next: @escaping @Sendable () -> DataStream<Element>
  ) -> DataStream<Element> {
    .filled { continuation throws(DataSourceError) in
      var attempt = 1
      while true {
        do throws(DataSourceError) {
          var elements = next().makeAsyncIterator()
          while let element = try await elements.next(isolation: nil) {
            attempt = 1
            continuation.yield(element)
          }
          return
        } catch  where attempt < policy.attempts && policy.retries(call, error) {
          attempt += 1
          try await wait(before: attempt)
        }
      }
    }
  }

  private func wait(before attempt: Int) async throws(DataSourceError) {
    let duration = policy.wait(before: attempt, chance: chance())
    if duration > .zero {
      do { try await sleep(duration) } catch { throw .cancelled }
    }
    try DataSourceError.checkCancellation()
  }
}

/// A source that retries calls after temporary failures.
public typealias RetryDataSource<Base: Sendable> = InterceptedDataSource<Base, Retry>

extension InterceptedDataSource where Around == Retry {
  /// Creates a source that retries temporary failures by `policy`. `clock` measures the delays.
  public init(
    _ base: Base, _ policy: RetryPolicy = RetryPolicy(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.init(base, by: Retry(policy, clock: clock))
  }
}

extension GetDataSource {
  /// Returns this source with temporary failures retried.
  public func retrying(
    _ policy: RetryPolicy = RetryPolicy(), clock: some Clock<Duration> = ContinuousClock()
  ) -> RetryDataSource<Self> {
    RetryDataSource(self, policy, clock: clock)
  }
}
