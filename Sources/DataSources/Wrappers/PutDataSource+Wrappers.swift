// Every wrapper of a source that can be read has a shortcut next to it. Here are those of sources that
// can only be written, and of sources that can be both, for which the compiler prefers them.

extension PutDataSource {
  /// This source with `in` applied to what is written and `out` to the source's answers.
  public func mapped<Outer: Sendable>(
    to out: Mapper<Object, Outer>, from in: Mapper<Outer, Object>
  ) -> DataSourceMapper<Self, Object, Outer> {
    DataSourceMapper(self, out: out, in: `in`)
  }

  /// This source with temporary failures retried.
  public func retrying(
    _ policy: RetryPolicy = RetryPolicy(), clock: some Clock<Duration> = ContinuousClock()
  ) -> RetryDataSource<Self> {
    RetryDataSource(self, policy, clock: clock)
  }

  /// This source with every call logged.
  public func debugged(by debug: Debug) -> DebugDataSource<Self> {
    DebugDataSource(self, by: debug)
  }

  /// This source with `interceptor` around every call.
  public func intercepted<Around: Interceptor>(
    by interceptor: Around
  ) -> InterceptedDataSource<Self, Around> {
    InterceptedDataSource(self, by: interceptor)
  }

  /// This source with `map` applied to each query.
  public func mappingQueries(
    _ map: @escaping @Sendable (any Query) throws(DataSourceError) -> any Query
  ) -> DataSourceQueryMapper<Self> {
    DataSourceQueryMapper(self, map)
  }
}

extension GetDataSource where Self: PutDataSource {
  /// This source with `out` applied to what is read and `in` to what is written.
  public func mapped<Outer: Sendable>(
    to out: Mapper<Object, Outer>, from in: Mapper<Outer, Object>,
    onElementError: DataSourceMapper<Self, Object, Outer>.ElementErrors = .fail
  ) -> DataSourceMapper<Self, Object, Outer> {
    DataSourceMapper(self, out: out, in: `in`, onElementError: onElementError)
  }

  /// This source with temporary failures retried.
  public func retrying(
    _ policy: RetryPolicy = RetryPolicy(), clock: some Clock<Duration> = ContinuousClock()
  ) -> RetryDataSource<Self> {
    RetryDataSource(self, policy, clock: clock)
  }

  /// This source with every call logged.
  public func debugged(by debug: Debug) -> DebugDataSource<Self> {
    DebugDataSource(self, by: debug)
  }

  /// This source with `interceptor` around every call.
  public func intercepted<Around: Interceptor>(
    by interceptor: Around
  ) -> InterceptedDataSource<Self, Around> {
    InterceptedDataSource(self, by: interceptor)
  }

  /// This source with `map` applied to each query.
  public func mappingQueries(
    _ map: @escaping @Sendable (any Query) throws(DataSourceError) -> any Query
  ) -> DataSourceQueryMapper<Self> {
    DataSourceQueryMapper(self, map)
  }
}

extension GetDataSource where Self: PutDataSource, Object == [UInt8] {
  /// This source of bytes as a source of objects stored as JSON.
  /// - Parameter coding: How objects are written as JSON.
  public func mappedAsJSON<Outer: Codable & Sendable>(
    _ type: Outer.Type = Outer.self, coding: JSONCoding = .standard
  ) -> DataSourceMapper<Self, [UInt8], Outer> {
    mapped(to: .json(coding), from: .json(coding))
  }
}

extension PutDataSource where Object == [UInt8] {
  /// This source of bytes as a source of objects stored as JSON.
  /// - Parameter coding: How objects are written as JSON.
  public func mappedAsJSON<Outer: Codable & Sendable>(
    _ type: Outer.Type = Outer.self, coding: JSONCoding = .standard
  ) -> DataSourceMapper<Self, [UInt8], Outer> {
    mapped(to: .json(coding), from: .json(coding))
  }
}
