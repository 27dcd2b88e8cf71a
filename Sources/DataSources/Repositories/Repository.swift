/// A source of objects whose reads and writes follow an access policy.
///
/// Every repository supports ``AccessPolicy/standard``. For any other policy it may throw
/// `unsupportedOperation`.
public protocol Repository<Object>: Sendable {
  /// The type of the objects that the repository returns and stores.
  associatedtype Object: Sendable

  /// Returns the one object that `query` selects.
  /// - Throws: The errors of the sources; `unsupportedOperation` for a policy that the repository
  ///   does not support; `notValid` for an invalid entry when only the cache may answer.
  func get(_ query: any Query, policy: AccessPolicy) async throws(DataSourceError) -> Object

  /// Returns all objects that `query` selects.
  /// - Throws: The errors of ``get(_:policy:)``.
  func getAll(_ query: any Query, policy: AccessPolicy) async throws(DataSourceError) -> [Object]

  /// Stores `object` under `query`. If `object` is nil, the query itself contains what to write, as
  /// an ``ObjectQuery`` does.
  /// - Returns: The object that is now stored. It may differ from `object`.
  /// - Throws: The errors of the sources; `unsupportedOperation` for a policy that the repository
  ///   does not support.
  @discardableResult
  func put(
    _ object: Object?, in query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> Object

  /// Stores all of `objects`, or none of them.
  /// - Returns: The objects that are now stored, in the order of `objects`.
  /// - Throws: The errors of ``put(_:in:policy:)``.
  @discardableResult
  func putAll(
    _ objects: [Object], in query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> [Object]

  /// Deletes the objects that `query` selects. Deleting a missing object succeeds.
  /// - Throws: The errors of ``put(_:in:policy:)``.
  func delete(_ query: any Query, policy: AccessPolicy) async throws(DataSourceError)
}

extension Repository {
  /// Returns this repository with a fixed policy, as a data source that every wrapper accepts.
  public func source(policy: AccessPolicy = .standard) -> RepositoryDataSource<Self> {
    RepositoryDataSource(self, policy: policy)
  }

  /// Returns this repository inside data source wrappers. Each call can still choose its policy.
  ///
  /// ```swift
  /// let goals = rows.through { $0.mapped(to: goalOfRow, from: rowOfGoal).retrying() }
  /// ```
  public func through<Wrapped: DataSource<Other>, Other: Sendable>(
    _ wrap: @escaping @Sendable (RepositoryDataSource<Self>) -> Wrapped
  ) -> WrappedRepository<Self, Wrapped, Other> {
    WrappedRepository(base: self, wrap: wrap)
  }
}

/// A repository of a single source, which ignores the policy.
public struct SingleDataSourceRepository<Source: DataSource<Object>, Object: Sendable>: Repository {
  private let source: Source

  /// Creates a repository of `source`.
  public init(_ source: Source) {
    self.source = source
  }

  public func get(
    _ query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> Object {
    try await source.get(query)
  }

  public func getAll(
    _ query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> [Object] {
    try await source.getAll(query)
  }

  @discardableResult
  public func put(
    _ object: Object?, in query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> Object {
    try await source.put(object, in: query)
  }

  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> [Object] {
    try await source.putAll(objects, in: query)
  }

  public func delete(
    _ query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) {
    try await source.delete(query)
  }
}

/// A data source that calls a repository with a fixed policy.
public struct RepositoryDataSource<Base: Repository>: DataSource {
  /// The type of the repository's objects.
  public typealias Object = Base.Object

  private let base: Base
  private let policy: AccessPolicy

  /// Creates a source whose calls use `policy`.
  public init(_ base: Base, policy: AccessPolicy = .standard) {
    self.base = base
    self.policy = policy
  }

  public func get(_ query: any Query) async throws(DataSourceError) -> Base.Object {
    try await base.get(query, policy: policy)
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Base.Object] {
    try await base.getAll(query, policy: policy)
  }

  @discardableResult
  public func put(
    _ object: Base.Object?, in query: any Query
  ) async throws(DataSourceError) -> Base.Object {
    try await base.put(object, in: query, policy: policy)
  }

  @discardableResult
  public func putAll(
    _ objects: [Base.Object], in query: any Query
  ) async throws(DataSourceError) -> [Base.Object] {
    try await base.putAll(objects, in: query, policy: policy)
  }

  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await base.delete(query, policy: policy)
  }
}

/// A repository with data source wrappers. Each call passes its policy to the wrapped repository.
public struct WrappedRepository<Base: Repository, Wrapped: DataSource<Object>, Object: Sendable>:
  Repository
{
  let base: Base
  let wrap: @Sendable (RepositoryDataSource<Base>) -> Wrapped

  private func wrapped(_ policy: AccessPolicy) -> Wrapped {
    wrap(base.source(policy: policy))
  }

  public func get(
    _ query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> Object {
    try await wrapped(policy).get(query)
  }

  public func getAll(
    _ query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> [Object] {
    try await wrapped(policy).getAll(query)
  }

  @discardableResult
  public func put(
    _ object: Object?, in query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> Object {
    try await wrapped(policy).put(object, in: query)
  }

  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> [Object] {
    try await wrapped(policy).putAll(objects, in: query)
  }

  public func delete(
    _ query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) {
    try await wrapped(policy).delete(query)
  }
}

extension SingleDataSourceRepository: CompositeSource {
  var parts: [any Sendable] { [source] }
}

extension RepositoryDataSource: CompositeSource {
  var parts: [any Sendable] { [base] }
}

extension WrappedRepository: CompositeSource {
  var parts: [any Sendable] { [base] }
}
