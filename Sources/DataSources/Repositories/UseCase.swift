/// A call of a repository, with its query and policy, as a value that can be passed on.
///
/// The view or command that makes the call does not need to know the repository or the query:
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

  /// Creates a use case from a closure, for tests and for calls of several repositories.
  public init(_ body: @escaping @Sendable () async throws(DataSourceError) -> Answer) {
    self.body = body
  }

  /// Makes the call.
  /// - Throws: The errors of the call.
  @discardableResult
  public func callAsFunction() async throws(DataSourceError) -> Answer { try await body() }
}

extension Repository {
  /// Returns the use case that gets the object that `query` selects.
  public func getting(
    _ query: any Query, policy: AccessPolicy = .standard
  ) -> UseCase<Object> {
    UseCase { () throws(DataSourceError) in try await get(query, policy: policy) }
  }

  /// Returns the use case that gets all objects that `query` selects.
  public func gettingAll(
    _ query: any Query = AllObjectsQuery(), policy: AccessPolicy = .standard
  ) -> UseCase<[Object]> {
    UseCase { () throws(DataSourceError) in try await getAll(query, policy: policy) }
  }

  /// Returns the use case that stores `object`.
  public func putting(
    _ object: Object?, in query: any Query, policy: AccessPolicy = .standard
  ) -> UseCase<Object> {
    UseCase { () throws(DataSourceError) in try await put(object, in: query, policy: policy) }
  }

  /// Returns the use case that deletes the objects that `query` selects.
  public func deleting(
    _ query: any Query, policy: AccessPolicy = .standard
  ) -> UseCase<Void> {
    UseCase { () throws(DataSourceError) in try await delete(query, policy: policy) }
  }
}
