public import DataSources

/// Forwards the calls to a source and records them. It can throw errors instead of forwarding.
///
/// Watches are forwarded, but neither recorded nor made to fail.
public actor RecordingDataSource<Object: Sendable & Hashable>: LiveDataSource {
  private let base: any LiveDataSource<Object>
  private var recorded: [Call<Object>] = []
  private var failures: [DataSourceError?] = []
  private var standing: DataSourceError?

  /// Creates a source that forwards its calls to `base`.
  public init(_ base: any LiveDataSource<Object> = InMemoryDataSource<Object>()) {
    self.base = base
  }

  /// Every get, put and delete so far, in the order in which the calls began.
  public var calls: [Call<Object>] { recorded }

  /// The operations of ``calls``.
  public var operations: [DataOperation] { recorded.map(\.operation) }

  /// Makes the next calls throw these errors, one per call, without calling the base. For a nil in
  /// the list, the call is forwarded as usual.
  public func failNext(_ errors: DataSourceError?...) {
    failures = errors
  }

  /// Makes every call throw `error`, until this method is called with nil.
  public func failAlways(_ error: DataSourceError?) {
    standing = error
  }

  /// Empties ``calls``.
  public func forgetCalls() {
    recorded = []
  }

  private func record(_ call: Call<Object>) throws(DataSourceError) {
    recorded.append(call)
    if !failures.isEmpty, let error = failures.removeFirst() { throw error }
    if let standing { throw standing }
  }

  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try record(.get(query))
    return try await base.get(query)
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try record(.getAll(query))
    return try await base.getAll(query)
  }

  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    try record(.put(object, query))
    return try await base.put(object, in: query)
  }

  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    try record(.putAll(objects, query))
    return try await base.putAll(objects, in: query)
  }

  public func delete(_ query: any Query) async throws(DataSourceError) {
    try record(.delete(query))
    try await base.delete(query)
  }

  /// Returns the stream of the base. The call is not recorded.
  public nonisolated func watch(_ query: any Query) -> DataStream<Object> {
    base.watch(query)
  }

  /// Returns the stream of the base. The call is not recorded.
  public nonisolated func watchAll(_ query: any Query) -> DataStream<[Object]> {
    base.watchAll(query)
  }
}
