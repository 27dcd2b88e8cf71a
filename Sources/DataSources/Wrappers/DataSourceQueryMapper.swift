/// Translates queries for a source, and leaves objects unchanged.
public struct DataSourceQueryMapper<Base: Sendable>: Sendable {
  private let base: Base
  private let map: @Sendable (any Query) throws(DataSourceError) -> any Query

  /// Creates a source that translates queries before it passes them to its base.
  ///
  /// - Parameter map: Translates a query; returns it unchanged if it needs no translation.
  public init(
    _ base: Base, _ map: @escaping @Sendable (any Query) throws(DataSourceError) -> any Query
  ) {
    self.base = base
    self.map = map
  }
}

extension DataSourceQueryMapper: CompositeSource {
  var parts: [any Sendable] { [base] }
}

extension DataSourceQueryMapper: GetDataSource where Base: GetDataSource {
  /// Returns the object that the translated query selects.
  ///
  /// - Throws: The errors of the translation and of the base.
  public func get(_ query: any Query) async throws(DataSourceError) -> Base.Object {
    try await base.get(map(query))
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Base.Object] {
    try await base.getAll(map(query))
  }
}

extension DataSourceQueryMapper: PutDataSource where Base: PutDataSource {
  @discardableResult
  public func put(
    _ object: Base.Object?, in query: any Query
  ) async throws(DataSourceError) -> Base.Object {
    try await base.put(object, in: map(query))
  }

  @discardableResult
  public func putAll(
    _ objects: [Base.Object], in query: any Query
  ) async throws(DataSourceError) -> [Base.Object] {
    try await base.putAll(objects, in: map(query))
  }
}

extension DataSourceQueryMapper: DeleteDataSource where Base: DeleteDataSource {
  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await base.delete(map(query))
  }
}

extension DataSourceQueryMapper: WatchDataSource where Base: WatchDataSource {
  /// Returns the stream for the translated query. If the translation fails, the stream ends with its
  /// error.
  public func watch(_ query: any Query) -> DataStream<Base.Object> {
    do throws(DataSourceError) {
      return base.watch(try map(query))
    } catch {
      return .failing(error)
    }
  }

  public func watchAll(_ query: any Query) -> DataStream<[Base.Object]> {
    do throws(DataSourceError) {
      return base.watchAll(try map(query))
    } catch {
      return .failing(error)
    }
  }
}

extension DataSourceQueryMapper: DataSource where Base: DataSource {}

extension DataSourceQueryMapper: LiveDataSource where Base: LiveDataSource {}

extension GetDataSource {
  /// Returns this source with `map` applied to each query.
  public func mappingQueries(
    _ map: @escaping @Sendable (any Query) throws(DataSourceError) -> any Query
  ) -> DataSourceQueryMapper<Self> {
    DataSourceQueryMapper(self, map)
  }
}
