/// A call on its way to a source, as an interceptor sees it.
public struct DataCall: Sendable {
  public var operation: DataOperation
  public var query: any Query
  /// The type of the source that the call is for, in words.
  public var source: String
  /// Whether the objects are secrets, which nobody may tell.
  public var holdsSecrets: Bool
  /// What is put, in words; made only when asked for, since it may be long or private. Nil for secrets.
  public var payload: (@Sendable () -> String)?

  /// Whether the call changes the source.
  public var isWrite: Bool {
    switch operation {
    case .put, .putAll, .delete: true
    case .get, .getAll, .watch: false
    }
  }
}

/// Surrounds every call on a source, whatever the operation: it may look, wait, repeat or refuse.
public protocol Interceptor: Sendable {
  /// Calls `next` none, one or several times, and answers.
  func intercept<Answer: Sendable>(
    _ call: DataCall, next: () async throws(DataSourceError) -> Answer
  ) async throws(DataSourceError) -> Answer

  /// The stream of a watch; passes it on unless the interceptor says otherwise.
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

/// A source whose every call passes an interceptor. It can do what its base can do.
public struct InterceptedDataSource<Base: Sendable, Around: Interceptor>: Sendable {
  private let base: Base
  private let interceptor: Around
  private let holdsSecrets: Bool

  public init(_ base: Base, by interceptor: Around) {
    self.base = base
    self.interceptor = interceptor
    holdsSecrets = Secrecy.isHeld(by: base)
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
  /// This source with `interceptor` around every call.
  public func intercepted<Around: Interceptor>(
    by interceptor: Around
  ) -> InterceptedDataSource<Self, Around> {
    InterceptedDataSource(self, by: interceptor)
  }
}
