#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The `errno` values of failures that are often temporary.
private let passingErrors: Set<Int32> = [EAGAIN, EINTR, ETIMEDOUT]

/// The rules for retries: which failures to retry, how often, and with which delays.
public struct RetryPolicy: Sendable {
  /// The maximum number of calls, including the first one; at least 1.
  public var attempts: Int
  /// The delay before the second call.
  public var delay: Duration
  /// How the delay grows with each further call, up to ``maxDelay``.
  public var growth: Growth
  /// The maximum delay between two calls, before the jitter.
  public var maxDelay: Duration
  /// The random part of each delay, from 0 to 1. It keeps many clients from retrying at the same
  /// moment.
  public var jitter: Double
  /// Whether `put` and `putAll` are retried, too. Enable this only if writes are safe to repeat.
  public var retriesWrites: Bool
  /// Returns whether a failure may be temporary.
  public var isWorthRetrying: @Sendable (DataSourceError) -> Bool

  /// How delays grow from one call to the next.
  public enum Growth: Sendable, Hashable {
    /// Each delay is twice the previous one.
    case doubling
    /// Each delay is longer than the previous one by this duration.
    case adding(Duration)
  }

  /// Creates a policy; see the properties.
  public init(
    attempts: Int = 2, delay: Duration = .zero, growth: Growth = .doubling,
    maxDelay: Duration = .seconds(30), jitter: Double = 0, retriesWrites: Bool = false,
    when isWorthRetrying: @escaping @Sendable (DataSourceError) -> Bool = RetryPolicy.isPassing
  ) {
    self.attempts = max(1, attempts)
    self.delay = delay
    self.growth = growth
    self.maxDelay = maxDelay
    self.jitter = min(max(0, jitter), 1)
    self.retriesWrites = retriesWrites
    self.isWorthRetrying = isWorthRetrying
  }

  /// Returns whether an error is often temporary.
  ///
  /// Examples are no connection, an overloaded or restarting server, and a busy or interrupted
  /// system call.
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

  /// Returns the delay before the call with this number, counted from 1. The first retry is call 2.
  ///
  /// - Parameter chance: A random number from 0 (the full delay) to 1 (the shortest delay).
  package func wait(before attempt: Int, chance: Double) -> Duration {
    let wait = min(wholeWait(before: max(2, attempt)), maxDelay)
    return wait - wait * (jitter * chance)
  }

  private func wholeWait(before attempt: Int) -> Duration {
    switch growth {
    case .adding(let step): return delay + step * (attempt - 2)
    case .doubling:
      var (wait, left) = (delay, attempt - 2)
      while left > 0, wait > .zero, wait < maxDelay { (wait, left) = (wait * 2, left - 1) }
      return wait
    }
  }

  func retries(_ call: DataCall, _ error: DataSourceError) -> Bool {
    let isForbiddenWrite = (call.operation == .put || call.operation == .putAll) && !retriesWrites
    return error.code != .cancelled && !isForbiddenWrite && isWorthRetrying(error)
  }
}
