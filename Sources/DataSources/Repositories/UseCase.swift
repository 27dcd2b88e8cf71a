/// A call of a repository with its query and policy, as a value to inject.
///
/// A view or a command needs to know neither the repository nor the query:
///
/// ```swift
/// struct Profile {
///   let user: UseCase<User>
///   func load() async throws(DataSourceError) -> User { try await user() }
/// }
/// let profile = Profile(user: repository.getting(IdQuery("ada")))
/// ```
public struct UseCase<Answer: Sendable>: Sendable {
  private let body: @Sendable () async throws(DataSourceError) -> Answer

  /// Creates a use case from any closure, for tests and for calls of several repositories.
  public init(_ body: @escaping @Sendable () async throws(DataSourceError) -> Answer) {
    self.body = body
  }

  /// Makes the call.
  /// - Throws: The errors of the call.
  @discardableResult
  public func callAsFunction() async throws(DataSourceError) -> Answer { try await body() }
}

extension Repository {
  /// The use case that gets the object of `query`.
  public func getting(
    _ query: any Query, policy: AccessPolicy = .standard
  ) -> UseCase<Object> {
    UseCase { () throws(DataSourceError) in try await get(query, policy: policy) }
  }

  /// The use case that gets all objects of `query`.
  public func gettingAll(
    _ query: any Query = AllObjectsQuery(), policy: AccessPolicy = .standard
  ) -> UseCase<[Object]> {
    UseCase { () throws(DataSourceError) in try await getAll(query, policy: policy) }
  }

  /// The use case that puts `object`.
  public func putting(
    _ object: Object?, in query: any Query, policy: AccessPolicy = .standard
  ) -> UseCase<Object> {
    UseCase { () throws(DataSourceError) in try await put(object, in: query, policy: policy) }
  }

  /// The use case that deletes what `query` selects.
  public func deleting(
    _ query: any Query, policy: AccessPolicy = .standard
  ) -> UseCase<Void> {
    UseCase { () throws(DataSourceError) in try await delete(query, policy: policy) }
  }
}
