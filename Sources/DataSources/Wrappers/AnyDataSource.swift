/// Any source of objects that can be read, written and deleted, where a type must be named.
///
/// `any DataSource<Object>` does the same in most places; this is for generics, which an existential
/// does not satisfy.
public struct AnyDataSource<Object: Sendable>: GetDataSource, PutDataSource, DeleteDataSource,
  WatchDataSource
{
  private let base: any DataSource<Object>

  /// A source that cannot be watched ends its watches with `notImplemented`.
  public init(_ base: any DataSource<Object>) {
    self.base = (base as? AnyDataSource<Object>)?.base ?? base
  }

  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try await base.get(query)
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try await base.getAll(query)
  }

  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    try await base.put(object, in: query)
  }

  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    try await base.putAll(objects, in: query)
  }

  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await base.delete(query)
  }

  public func watch(_ query: any Query) -> DataStream<Object> {
    AnyWatch(base, as: Self.self).watch(query)
  }

  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    AnyWatch(base, as: Self.self).watchAll(query)
  }
}

/// Any source that can be read.
public struct AnyGetDataSource<Object: Sendable>: GetDataSource, WatchDataSource {
  private let base: any GetDataSource<Object>

  public init(_ base: any GetDataSource<Object>) {
    self.base = (base as? AnyGetDataSource<Object>)?.base ?? base
  }

  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try await base.get(query)
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try await base.getAll(query)
  }

  public func watch(_ query: any Query) -> DataStream<Object> {
    AnyWatch(base, as: Self.self).watch(query)
  }

  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    AnyWatch(base, as: Self.self).watchAll(query)
  }
}

/// Any source that can be written.
public struct AnyPutDataSource<Object: Sendable>: PutDataSource {
  private let base: any PutDataSource<Object>

  public init(_ base: any PutDataSource<Object>) {
    self.base = (base as? AnyPutDataSource<Object>)?.base ?? base
  }

  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    try await base.put(object, in: query)
  }

  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    try await base.putAll(objects, in: query)
  }
}

/// Any source from which things can be removed.
public struct AnyDeleteDataSource: DeleteDataSource {
  private let base: any DeleteDataSource

  public init(_ base: any DeleteDataSource) {
    self.base = (base as? AnyDeleteDataSource)?.base ?? base
  }

  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await base.delete(query)
  }
}
