/// Makes a source watchable by reading it at an interval.
///
/// An answer that equals the previous one is not delivered again.
public struct PolledDataSource<Base: GetDataSource>: DataSourceWrapper
where Base.Object: Equatable {
  /// The type of the base's objects.
  public typealias Object = Base.Object

  /// The source that is read at intervals.
  public let base: Base
  private let wait: @Sendable () async throws -> Void

  /// Creates a source that can be watched. It reads `base` after each `interval`.
  public init(
    _ base: Base, every interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.base = base
    wait = { try await clock.sleep(for: interval) }
  }

  private func poll<Answer: Sendable & Equatable>(
    _ read: @escaping @Sendable () async throws(DataSourceError) -> Answer
  ) -> DataStream<Answer> {
    .filled { continuation throws(DataSourceError) in
      var last: Answer?
      while true {
        let answer = try await read()
        if answer != last { continuation.yield(answer) }
        last = answer
        do { try await wait() } catch { throw .cancelled }
      }
    }
  }
}

extension PolledDataSource: GetDataSource {}
extension PolledDataSource: PutDataSource where Base: PutDataSource {}

extension PolledDataSource: DeleteDataSource where Base: DeleteDataSource {}

extension PolledDataSource: WatchDataSource {
  /// Returns a stream of the object, read now and after each interval; equal answers are skipped.
  ///
  /// The stream ends with the first error of the base.
  public func watch(_ query: any Query) -> DataStream<Object> {
    poll { () throws(DataSourceError) in try await base.get(query) }
  }

  /// Returns a stream of the objects, read now and after each interval; equal answers are skipped.
  ///
  /// The stream ends with the first error of the base.
  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    poll { () throws(DataSourceError) in try await base.getAll(query) }
  }
}

extension PolledDataSource: DataSource, LiveDataSource where Base: DataSource {}

extension GetDataSource where Object: Equatable {
  /// Returns this source with watches that read it after each `interval`.
  public func polled(
    every interval: Duration, clock: some Clock<Duration> = ContinuousClock()
  ) -> PolledDataSource<Self> {
    PolledDataSource(self, every: interval, clock: clock)
  }
}
