/// A placeholder for an unused source: every call throws `notImplemented`.
public struct VoidDataSource<Object: Sendable>: LiveDataSource {
  /// Creates a source whose calls all fail.
  public init() {}

  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    throw refusal(.get)
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    throw refusal(.getAll)
  }

  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    throw refusal(.put)
  }

  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    throw refusal(.putAll)
  }

  public func delete(_ query: any Query) async throws(DataSourceError) {
    throw refusal(.delete)
  }

  public func watch(_ query: any Query) -> DataStream<Object> {
    .failing(refusal(.watch))
  }

  private func refusal(_ operation: DataOperation) -> DataSourceError {
    .notImplemented(source: String(describing: Self.self), operation: operation)
  }
}
