/// A source of objects that is read and written by an access policy.
///
/// Every repository supports ``AccessPolicy/standard``; for another policy it may throw
/// `unsupportedOperation`.
public protocol Repository<Object>: Sendable {
  /// The objects that the repository answers with and stores.
  associatedtype Object: Sendable

  /// The one object that `query` selects.
  /// - Throws: The errors of the sources; `unsupportedOperation` for a policy that the repository
  ///   does not have; `notValid` for an invalid entry that only the cache may answer.
  func get(_ query: any Query, policy: AccessPolicy) async throws(DataSourceError) -> Object

  /// All objects that `query` selects.
  /// - Throws: The errors of ``get(_:policy:)``.
  func getAll(_ query: any Query, policy: AccessPolicy) async throws(DataSourceError) -> [Object]

  /// Stores `object`, or performs what `query` describes when `object` is nil.
  /// - Returns: What the repository now holds; it may differ from `object`.
  /// - Throws: The errors of the sources; `unsupportedOperation` for a policy that the repository
  ///   does not have.
  @discardableResult
  func put(
    _ object: Object?, in query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> Object

  /// Stores all of `objects`, or none of them.
  /// - Returns: What the repository now holds, in the order of `objects`.
  /// - Throws: The errors of ``put(_:in:policy:)``.
  @discardableResult
  func putAll(
    _ objects: [Object], in query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> [Object]

  /// Deletes what `query` selects. Deleting a missing object succeeds.
  /// - Throws: The errors of ``put(_:in:policy:)``.
  func delete(_ query: any Query, policy: AccessPolicy) async throws(DataSourceError)
}

extension Repository {
  /// This repository with a fixed policy, as a data source that every wrapper accepts.
  public func source(policy: AccessPolicy = .standard) -> RepositoryDataSource<Self> {
    RepositoryDataSource(self, policy: policy)
  }

  /// This repository with data source wrappers applied under any policy.
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

/// A single source as a repository; it ignores the policy.
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

/// A repository with a fixed policy, as a data source.
public struct RepositoryDataSource<Base: Repository>: DataSource {
  /// The objects of the repository.
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

/// A repository with data source wrappers; the policy reaches the wrapped repository.
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
