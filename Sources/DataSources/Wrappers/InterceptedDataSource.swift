/// A call to a source that an interceptor handles.
public struct DataCall: Sendable {
  /// The operation that the caller requested.
  public var operation: DataOperation
  /// The query of the call.
  public var query: any Query
  /// The name of the source's type.
  public var source: String
  /// Whether the objects are secrets, which must not be logged.
  public var holdsSecrets: Bool
  /// Returns a description of the objects that are put; nil for secrets. It is a closure, because
  /// the description may be long and is rarely needed.
  public var payload: (@Sendable () -> String)?

  /// Whether the call changes the source.
  public var isWrite: Bool {
    switch operation {
    case .put, .putAll, .delete: true
    case .get, .getAll, .watch: false
    }
  }

  /// Performs the intercepted call on the wrapped source, or on the next interceptor.
  ///
  /// It is a type alias because the meaning of a plain function type depends on the feature
  /// `NonisolatedNonsendingByDefault`: a module without this feature could not conform to
  /// ``Interceptor``.
  public typealias Next<Answer> = nonisolated(nonsending) () async throws(DataSourceError) -> Answer
}

/// Code that runs around every call to a source. It can inspect, delay, repeat or reject the call.
///
/// ```swift
/// struct Counting: Interceptor {
///   let count: @Sendable (DataCall) -> Void
///
///   func intercept<Answer: Sendable>(
///     _ call: DataCall, next: DataCall.Next<Answer>
///   ) async throws(DataSourceError) -> Answer {
///     count(call)
///     return try await next()
///   }
/// }
/// ```
public protocol Interceptor: Sendable {
  /// Handles a call. An implementation may run `next` any number of times. What it returns or
  /// throws is the result of the call.
  func intercept<Answer: Sendable>(
    _ call: DataCall, next: DataCall.Next<Answer>
  ) async throws(DataSourceError) -> Answer

  /// Returns the stream of a watch. By default it is the stream of `next`.
  func interceptWatch<Element: Sendable>(
    _ call: DataCall, next: @escaping @Sendable () -> DataStream<Element>
  ) -> DataStream<Element>
}

extension Interceptor {
  public func interceptWatch<Element: Sendable>(
    _ call: DataCall, next: @escaping @Sendable () -> DataStream<Element>
  ) -> DataStream<Element> {
    next()
  }
}

/// A source whose calls go through an interceptor. It supports the operations that its base
/// supports.
public struct InterceptedDataSource<Base: Sendable, Around: Interceptor>: Sendable {
  private let base: Base
  private let interceptor: Around
  private let holdsSecrets: Bool

  /// Creates a source with `interceptor` around every call to `base`.
  public init(_ base: Base, by interceptor: Around) {
    self.base = base
    self.interceptor = interceptor
    holdsSecrets = Redaction.isNeeded(for: base)
  }

  private func call(
    _ operation: DataOperation, _ query: any Query, _ payload: (@Sendable () -> String)? = nil
  ) -> DataCall {
    DataCall(
      operation: operation, query: query, source: String(describing: Base.self),
      holdsSecrets: holdsSecrets, payload: holdsSecrets ? nil : payload)
  }
}

extension InterceptedDataSource: CompositeSource {
  var parts: [any Sendable] { [base] }
}

extension InterceptedDataSource: GetDataSource where Base: GetDataSource {
  public func get(_ query: any Query) async throws(DataSourceError) -> Base.Object {
    try await interceptor.intercept(call(.get, query)) { () throws(DataSourceError) in
      try await base.get(query)
    }
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Base.Object] {
    try await interceptor.intercept(call(.getAll, query)) { () throws(DataSourceError) in
      try await base.getAll(query)
    }
  }
}

extension InterceptedDataSource: PutDataSource where Base: PutDataSource {
  @discardableResult
  public func put(
    _ object: Base.Object?, in query: any Query
  ) async throws(DataSourceError) -> Base.Object {
    let call = call(.put, query) { object.map { "\($0)" } ?? "nil" }
    return try await interceptor.intercept(call) { () throws(DataSourceError) in
      try await base.put(object, in: query)
    }
  }

  @discardableResult
  public func putAll(
    _ objects: [Base.Object], in query: any Query
  ) async throws(DataSourceError) -> [Base.Object] {
    try await interceptor.intercept(call(.putAll, query) { "\(objects)" }) {
      () throws(DataSourceError) in
      try await base.putAll(objects, in: query)
    }
  }
}

extension InterceptedDataSource: DeleteDataSource where Base: DeleteDataSource {
  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await interceptor.intercept(call(.delete, query)) { () throws(DataSourceError) in
      try await base.delete(query)
    }
  }
}

extension InterceptedDataSource: WatchDataSource where Base: WatchDataSource {
  public func watch(_ query: any Query) -> DataStream<Base.Object> {
    interceptor.interceptWatch(call(.watch, query)) { [base] in base.watch(query) }
  }

  public func watchAll(_ query: any Query) -> DataStream<[Base.Object]> {
    interceptor.interceptWatch(call(.watch, query)) { [base] in base.watchAll(query) }
  }
}

extension InterceptedDataSource: DataSource where Base: DataSource {}

extension InterceptedDataSource: LiveDataSource where Base: LiveDataSource {}

extension GetDataSource {
  /// Returns this source with `interceptor` around every call.
  public func intercepted<Around: Interceptor>(
    by interceptor: Around
  ) -> InterceptedDataSource<Self, Around> {
    InterceptedDataSource(self, by: interceptor)
  }
}
