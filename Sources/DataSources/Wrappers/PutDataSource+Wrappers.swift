// Each wrapper of a readable source has its shortcut in its own file. This file has the shortcuts
// for sources that can only be written, and for sources that can be read and written. For the
// latter, the compiler prefers the shortcuts in this file.

extension PutDataSource {
  /// Returns this source with `in` applied to written objects, and `out` to the source's answers.
  public func mapped<Outer: Sendable>(
    to out: Mapper<Object, Outer>, from in: Mapper<Outer, Object>
  ) -> DataSourceMapper<Self, Object, Outer> {
    DataSourceMapper(self, out: out, in: `in`)
  }

  /// Returns this source with temporary failures retried.
  public func retrying(
    _ policy: RetryPolicy = RetryPolicy(), clock: some Clock<Duration> = ContinuousClock()
  ) -> RetryDataSource<Self> {
    RetryDataSource(self, policy, clock: clock)
  }

  /// Returns this source with every call logged.
  public func debugged(by debug: Debug) -> DebugDataSource<Self> {
    DebugDataSource(self, by: debug)
  }

  /// Returns this source with `interceptor` around every call.
  public func intercepted<Around: Interceptor>(
    by interceptor: Around
  ) -> InterceptedDataSource<Self, Around> {
    InterceptedDataSource(self, by: interceptor)
  }

  /// Returns this source with `map` applied to each query.
  public func mappingQueries(
    _ map: @escaping @Sendable (any Query) throws(DataSourceError) -> any Query
  ) -> DataSourceQueryMapper<Self> {
    DataSourceQueryMapper(self, map)
  }
}

extension GetDataSource where Self: PutDataSource {
  /// Returns this source with `out` applied to objects that are read, and `in` to objects that are
  /// written.
  public func mapped<Outer: Sendable>(
    to out: Mapper<Object, Outer>, from in: Mapper<Outer, Object>,
    onElementError: DataSourceMapper<Self, Object, Outer>.ElementErrors = .fail
  ) -> DataSourceMapper<Self, Object, Outer> {
    DataSourceMapper(self, out: out, in: `in`, onElementError: onElementError)
  }

  /// Returns this source with temporary failures retried.
  public func retrying(
    _ policy: RetryPolicy = RetryPolicy(), clock: some Clock<Duration> = ContinuousClock()
  ) -> RetryDataSource<Self> {
    RetryDataSource(self, policy, clock: clock)
  }

  /// Returns this source with every call logged.
  public func debugged(by debug: Debug) -> DebugDataSource<Self> {
    DebugDataSource(self, by: debug)
  }

  /// Returns this source with `interceptor` around every call.
  public func intercepted<Around: Interceptor>(
    by interceptor: Around
  ) -> InterceptedDataSource<Self, Around> {
    InterceptedDataSource(self, by: interceptor)
  }

  /// Returns this source with `map` applied to each query.
  public func mappingQueries(
    _ map: @escaping @Sendable (any Query) throws(DataSourceError) -> any Query
  ) -> DataSourceQueryMapper<Self> {
    DataSourceQueryMapper(self, map)
  }
}

extension GetDataSource where Self: PutDataSource, Object == [UInt8] {
  /// Returns this source of bytes as a source of objects. It stores the objects as JSON.
  /// - Parameter coding: How objects are written as JSON.
  public func mappedAsJSON<Outer: Codable & Sendable>(
    _ type: Outer.Type = Outer.self, coding: JSONCoding = .standard
  ) -> DataSourceMapper<Self, [UInt8], Outer> {
    mapped(to: .json(coding), from: .json(coding))
  }
}

extension PutDataSource where Object == [UInt8] {
  /// Returns this source of bytes as a source of objects. It stores the objects as JSON.
  /// - Parameter coding: How objects are written as JSON.
  public func mappedAsJSON<Outer: Codable & Sendable>(
    _ type: Outer.Type = Outer.self, coding: JSONCoding = .standard
  ) -> DataSourceMapper<Self, [UInt8], Outer> {
    mapped(to: .json(coding), from: .json(coding))
  }
}
