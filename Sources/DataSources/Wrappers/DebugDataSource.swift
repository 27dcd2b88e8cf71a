/// Logs every call, and can make a source slow or unreliable for testing.
///
/// The start and the end of each call are logged, with the duration and a number that connects the
/// two lines. Objects, including those in queries, are logged only on request, because logs are
/// often passed on to other people. Objects of a secret source are never logged.
public struct Debug: Interceptor {
  private let log: @Sendable (String) -> Void
  private let measure: @Sendable () -> @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void
  private let latency: Duration
  private let failure: (probability: Double, error: DataSourceError)
  private let logsObjects: Bool
  private let chance: @Sendable () -> Double
  private let number: @Sendable () -> UInt32

  /// Creates the settings of a debugging wrapper.
  /// - Parameters:
  ///   - latency: A delay after each call.
  ///   - failureProbability: The probability, from 0 to 1, with which a successful call throws
  ///     `failure` nevertheless. The base has then performed the call.
  ///   - logsObjects: Whether objects are logged, too.
  ///   - chance: Returns a random number from 0 up to, but not including, 1.
  public init(
    latency: Duration = .zero, failureProbability: Double = 0,
    failure: DataSourceError = .failed("Simulated failure."), logsObjects: Bool = false,
    clock: some Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    number: @escaping @Sendable () -> UInt32 = { UInt32.random(in: 0 ... .max) },
    log: @escaping @Sendable (String) -> Void
  ) {
    self.latency = latency
    self.failure = (failureProbability, failure)
    self.logsObjects = logsObjects
    self.chance = chance
    self.number = number
    self.log = log
    sleep = { try await clock.sleep(for: $0) }
    measure = {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }
  }

  public func intercept<Answer: Sendable>(
    _ call: DataCall, next: DataCall.Next<Answer>
  ) async throws(DataSourceError) -> Answer {
    let name = "\(call.source) #\(String(number(), radix: 16)) \(call.operation.rawValue)"
    let tellsObjects = logsObjects && !call.holdsSecrets
    let payload = tellsObjects ? call.payload.map { " object: \($0())" } ?? "" : ""
    log("\(name) begins: \(tellsObjects ? "\(call.query)" : call.query.withoutObjects)\(payload)")
    let elapsed = measure()
    do throws(DataSourceError) {
      let answer = try await next()
      if latency > .zero {
        do { try await sleep(latency) } catch { throw DataSourceError.cancelled }
      }
      if chance() < failure.probability { throw failure.error }
      log("\(name) ends after \(elapsed())\(tellsObjects ? ": \(answer)" : "")")
      return answer
    } catch {
      log("\(name) fails after \(elapsed()): \(error.code)")
      throw error
    }
  }
}

extension Query {
  /// The query's description without the objects that it carries.
  fileprivate var withoutObjects: String {
    switch self {
    case is any AnyObjectQuery, is any AnyObjectsQuery: "\(type(of: self))"
    default: "\(self)"
    }
  }
}

/// A source whose calls are logged.
public typealias DebugDataSource<Base: Sendable> = InterceptedDataSource<Base, Debug>

extension GetDataSource {
  /// Returns this source with every call logged.
  public func debugged(by debug: Debug) -> DebugDataSource<Self> {
    DebugDataSource(self, by: debug)
  }
}
