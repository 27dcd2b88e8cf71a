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
  /// The wait before the second call.
  public var delay: Duration
  /// How much longer the wait is before each further one, up to ``longestDelay``.
  public var growth: Growth
  public var longestDelay: Duration
  /// The part of each wait that is left to chance, from 0 to 1, so that many clients do not return
  /// at the same moment.
  public var jitter: Double
  /// Whether `put` and `putAll` are repeated, too: only for writes that may happen twice.
  public var retriesWrites: Bool
  /// Whether a failure may pass by itself.
  public var isWorthRetrying: @Sendable (DataSourceError) -> Bool

  /// How waits grow from one to the next.
  public enum Growth: Sendable, Hashable {
    /// Each is twice the one before it.
    case doubling
    /// Each is longer by so much.
    case adding(Duration)
  }

  public init(
    attempts: Int = 2, delay: Duration = .zero, growth: Growth = .doubling,
    longestDelay: Duration = .seconds(30), jitter: Double = 0, retriesWrites: Bool = false,
    when isWorthRetrying: @escaping @Sendable (DataSourceError) -> Bool = RetryPolicy.isPassing
  ) {
    self.attempts = max(1, attempts)
    self.delay = delay
    self.growth = growth
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
  ///
  /// - Parameter chance: From 0, which gives the whole wait, to 1.
  package func wait(before attempt: Int, chance: Double) -> Duration {
    let wait = min(wholeWait(before: max(2, attempt)), longestDelay)
    return wait - wait * (jitter * chance)
  }

  private func wholeWait(before attempt: Int) -> Duration {
    switch growth {
    case .adding(let step): return delay + step * (attempt - 2)
    case .doubling:
      var (wait, left) = (delay, attempt - 2)
      while left > 0, wait > .zero, wait < longestDelay { (wait, left) = (wait * 2, left - 1) }
      return wait
    }
  }

  func retries(_ call: DataCall, _ error: DataSourceError) -> Bool {
    let isForbiddenWrite = (call.operation == .put || call.operation == .putAll) && !retriesWrites
    return error.code != .cancelled && !isForbiddenWrite && isWorthRetrying(error)
  }
}
