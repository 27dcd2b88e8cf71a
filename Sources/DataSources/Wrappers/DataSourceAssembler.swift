/// One source that uses separate sources for reading, writing and deleting.
///
/// If a part is omitted, its calls throw `notImplemented`.
public struct DataSourceAssembler<Object: Sendable>: LiveDataSource {
  private let reader: any GetDataSource<Object>
  private let writer: any PutDataSource<Object>
  private let deleter: any DeleteDataSource
  private let watcher: AnyWatch<Object>

  /// Assembles a source. Watches use the source for reading, if it can be watched.
  public init(
    get: any GetDataSource<Object> = VoidDataSource<Object>(),
    put: any PutDataSource<Object> = VoidDataSource<Object>(),
    delete: any DeleteDataSource = VoidDataSource<Object>()
  ) {
    self.init(get: get, put: put, delete: delete, as: Self.self)
  }

  /// Assembles a source whose errors name `owner` instead of this type.
  /// - Parameter owner: The type that the error names if the source cannot be watched.
  init(
    get: any GetDataSource<Object>, put: any PutDataSource<Object> = VoidDataSource<Object>(),
    delete: any DeleteDataSource = VoidDataSource<Object>(), as owner: Any.Type
  ) {
    reader = get
    writer = put
    deleter = delete
    watcher = AnyWatch(get, as: owner)
  }

  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try await reader.get(query)
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try await reader.getAll(query)
  }

  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    try await writer.put(object, in: query)
  }

  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    try await writer.putAll(objects, in: query)
  }

  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await deleter.delete(query)
  }

  public func watch(_ query: any Query) -> DataStream<Object> {
    watcher.watch(query)
  }

  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    watcher.watchAll(query)
  }
}

extension DataSourceAssembler: CompositeSource {
  var parts: [any Sendable] { [reader, writer, deleter] }
}

/// The watch calls of a source. They fail if the source does not support watching.
struct AnyWatch<Object: Sendable>: Sendable {
  private let base: (any WatchDataSource<Object>)?
  private let name: String

  /// Creates the watch calls of a source.
  /// - Parameter owner: The type that the error names if `base` cannot be watched.
  init(_ base: any Sendable, as owner: Any.Type) {
    self.base = base as? any WatchDataSource<Object>
    name = String(describing: owner)
  }

  func watch(_ query: any Query) -> DataStream<Object> {
    base?.watch(query) ?? .failing(.notImplemented(source: name, operation: .watch))
  }

  func watchAll(_ query: any Query) -> DataStream<[Object]> {
    base?.watchAll(query) ?? .failing(.notImplemented(source: name, operation: .watch))
  }
}
