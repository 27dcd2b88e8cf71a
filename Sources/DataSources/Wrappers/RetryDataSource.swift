#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The errors of a system that may be gone a moment later.
private let passingErrors: Set<Int32> = [EAGAIN, EINTR, ETIMEDOUT]

/// Which failures are worth another call, how many, and how long to wait before each.
public struct RetryPolicy: Sendable {
  /// How many calls at most, the first one included; at least 1.
  public var attempts: Int
  /// The wait before the second call; it doubles before each further one, up to ``longestDelay``.
  public var delay: Duration
  public var longestDelay: Duration
  /// The part of each wait that is left to chance, from 0 to 1, so that many clients do not return
  /// at the same moment.
  public var jitter: Double
  /// Whether `put` and `putAll` are repeated, too: only for writes that may happen twice.
  public var retriesWrites: Bool
  /// Whether a failure may pass by itself.
  public var isWorthRetrying: @Sendable (DataSourceError) -> Bool

  public init(
    attempts: Int = 2, delay: Duration = .zero, longestDelay: Duration = .seconds(30),
    jitter: Double = 0, retriesWrites: Bool = false,
    when isWorthRetrying: @escaping @Sendable (DataSourceError) -> Bool = RetryPolicy.isPassing
  ) {
    self.attempts = max(1, attempts)
    self.delay = delay
    self.longestDelay = longestDelay
    self.jitter = min(max(0, jitter), 1)
    self.retriesWrites = retriesWrites
    self.isWorthRetrying = isWorthRetrying
  }

  /// Whether an error is of those that pass: no connection, an overloaded or restarting server, a
  /// busy or interrupted system.
  public static func isPassing(_ error: DataSourceError) -> Bool {
    switch error.code {
    case .network(status: nil): true
    case .network(let status?): [408, 425, 429, 500, 502, 503, 504].contains(status)
    case .system(let errno): passingErrors.contains(errno)
    case .notFound, .unsupportedQuery, .unsupportedOperation, .notImplemented, .illegalArgument,
      .notValid, .dataSerialization, .secretStore, .untrusted, .refused, .cancelled, .failed:
      false
    }
  }

  /// The wait before the call with number `attempt`, counted from 2.
  package func wait(before attempt: Int, chance: Double) -> Duration {
    var wait = delay
    for _ in 2..<max(2, attempt) where wait < longestDelay { wait = wait * 2 }
    wait = min(wait, longestDelay)
    return wait - wait * (jitter * chance)
  }

  func retries(_ call: DataCall, _ error: DataSourceError) -> Bool {
    let isForbiddenWrite = (call.operation == .put || call.operation == .putAll) && !retriesWrites
    return error.code != .cancelled && !isForbiddenWrite && isWorthRetrying(error)
  }
}

/// Repeats calls that fail in passing; the last failure is the one that is thrown.
public struct Retry: Interceptor {
  let policy: RetryPolicy
  private let sleep: @Sendable (Duration) async throws -> Void
  private let chance: @Sendable () -> Double

  /// - Parameter chance: A number from 0 to 1 for the jitter.
  public init(
    _ policy: RetryPolicy = RetryPolicy(), clock: some Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.policy = policy
    self.chance = chance
    sleep = { try await clock.sleep(for: $0) }
  }

  public func intercept<Answer: Sendable>(
    _ call: DataCall, next: () async throws(DataSourceError) -> Answer
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

  /// A watch that fails in passing is begun again; each element that arrives counts as a success.
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

/// A source whose passing failures are tried again.
public typealias RetryDataSource<Base: Sendable> = InterceptedDataSource<Base, Retry>

extension InterceptedDataSource where Around == Retry {
  public init(
    _ base: Base, _ policy: RetryPolicy = RetryPolicy(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.init(base, by: Retry(policy, clock: clock))
  }
}

extension GetDataSource {
  /// This source with passing failures tried again.
  public func retrying(
    _ policy: RetryPolicy = RetryPolicy(), clock: some Clock<Duration> = ContinuousClock()
  ) -> RetryDataSource<Self> {
    RetryDataSource(self, policy, clock: clock)
  }
}
