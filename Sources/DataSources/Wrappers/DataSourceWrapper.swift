/// A source around another source. A conforming type implements only the calls that it changes; all
/// others go to ``base``.
///
/// ```swift
/// struct Numbered<Base: GetDataSource<Note>>: DataSourceWrapper {
///   let base: Base
/// }
///
/// extension Numbered: GetDataSource {
///   func get(_ query: any Query) async throws(DataSourceError) -> Note {
///     try await base.get(query).numbered
///   }
/// }
/// extension Numbered: PutDataSource where Base: PutDataSource {}
/// extension Numbered: DeleteDataSource where Base: DeleteDataSource {}
/// extension Numbered: WatchDataSource where Base: WatchDataSource<Note> {}
/// extension Numbered: DataSource where Base: DataSource<Note> {}
/// ```
///
/// To change every call in the same way, use an ``Interceptor``.
public protocol DataSourceWrapper<Base>: Sendable {
  /// The type of the wrapped source.
  associatedtype Base: Sendable

  /// The wrapped source.
  var base: Base { get }
}

extension DataSourceWrapper where Self: GetDataSource, Base: GetDataSource<Self.Object> {
  /// Returns the object from ``base``.
  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try await base.get(query)
  }

  /// Returns the objects from ``base``.
  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try await base.getAll(query)
  }
}

extension DataSourceWrapper where Self: PutDataSource, Base: PutDataSource<Self.Object> {
  /// Stores `object` in ``base``.
  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    try await base.put(object, in: query)
  }

  /// Stores `objects` in ``base``.
  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    try await base.putAll(objects, in: query)
  }
}

extension DataSourceWrapper where Self: DeleteDataSource, Base: DeleteDataSource {
  /// Deletes from ``base``.
  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await base.delete(query)
  }
}

extension DataSourceWrapper where Self: WatchDataSource, Base: WatchDataSource<Self.Object> {
  /// Returns the stream of ``base``.
  public func watch(_ query: any Query) -> DataStream<Object> {
    base.watch(query)
  }

  /// Returns the stream of ``base``.
  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    base.watchAll(query)
  }
}
