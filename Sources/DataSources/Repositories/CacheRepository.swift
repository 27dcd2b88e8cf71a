/// A main source and a cache, combined by policies.
///
/// The main source is authoritative: a call returns its answer and throws its errors. When the
/// cache cannot be written, the repository passes the error to `onCacheFailure`, deletes the entry,
/// and continues. Calls with equal queries run one after the other, if they use both the main
/// source and the cache.
public struct CacheRepository<
  Main: DataSource<Object>, Cache: DataSource<Object>, Object: Sendable
>: Repository {
  let main: Main
  let cache: Cache
  let validator: Validator<Object>
  let onCacheFailure: @Sendable (DataSourceError) -> Void
  let gate = KeyedLock<CacheKey?>()

  /// Creates a repository.
  /// - Parameters:
  ///   - validator: Decides which entries of the cache are still valid.
  ///   - onCacheFailure: Called with errors of the cache that are not thrown to a caller.
  public init(
    main: Main, cache: Cache, validator: Validator<Object> = .lenient,
    onCacheFailure: @escaping @Sendable (DataSourceError) -> Void = { _ in }
  ) {
    self.main = main
    self.cache = cache
    self.validator = validator
    self.onCacheFailure = onCacheFailure
  }

  public func get(
    _ query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> Object {
    try await read(query, policy, form: .one(of: self))
  }

  public func getAll(
    _ query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> [Object] {
    try await read(query, policy, form: .many(of: self))
  }

  @discardableResult
  public func put(
    _ object: Object?, in query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> Object {
    try await write(
      query, policy,
      main: { given throws(DataSourceError) in try await main.put(given ?? object, in: query) },
      cache: { given throws(DataSourceError) in try await cache.put(given ?? object, in: query) })
  }

  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) -> [Object] {
    try await write(
      query, policy,
      main: { given throws(DataSourceError) in try await main.putAll(given ?? objects, in: query) },
      cache: { given throws(DataSourceError) in
        try await cache.putAll(given ?? objects, in: query)
      })
  }

  public func delete(
    _ query: any Query, policy: AccessPolicy
  ) async throws(DataSourceError) {
    try await write(
      query, policy,
      main: { (_: Void?) throws(DataSourceError) in try await main.delete(query) },
      cache: { (_: Void?) throws(DataSourceError) in try await cache.delete(query) })
  }

  /// Returns a stream of the cache's current content, if there is any, then of the main source's
  /// answer.
  public func observe(_ query: any Query) -> DataStream<[Object]> {
    .filled { continuation throws(DataSourceError) in
      do throws(DataSourceError) {
        continuation.yield(try await getAll(query, policy: .cache(ignoringValidation: true)))
      } catch  where isMiss(error) {}
      continuation.yield(try await getAll(query, policy: .mainSync))
    }
  }
}

extension CacheRepository: CompositeSource {
  var parts: [any Sendable] { [main, cache] }
}

/// The functions that read, validate and cache either single objects or arrays.
struct CachedForm<Answer: Sendable>: Sendable {
  var main: @Sendable (any Query) async throws(DataSourceError) -> Answer
  var cache: @Sendable (any Query) async throws(DataSourceError) -> Answer
  var check: @Sendable (Answer) async throws(DataSourceError) -> Void
  var keep: @Sendable (Answer, any Query) async throws(DataSourceError) -> Void

  static func one<Main, Cache>(
    of repository: CacheRepository<Main, Cache, Answer>
  ) -> CachedForm {
    CachedForm(
      main: { query throws(DataSourceError) in try await repository.main.get(query) },
      cache: { query throws(DataSourceError) in try await repository.cache.get(query) },
      check: { answer throws(DataSourceError) in try await repository.validator.check(answer) },
      keep: { answer, query throws(DataSourceError) in
        _ = try await repository.cache.put(answer, in: query)
      })
  }

  static func many<Main, Cache, Object>(
    of repository: CacheRepository<Main, Cache, Object>
  ) -> CachedForm where Answer == [Object] {
    CachedForm(
      main: { query throws(DataSourceError) in try await repository.main.getAll(query) },
      cache: { query throws(DataSourceError) in try await repository.cache.getAll(query) },
      check: { answer throws(DataSourceError) in
        try await repository.validator.check(all: answer)
      },
      keep: { answer, query throws(DataSourceError) in
        _ = try await repository.cache.putAll(answer, in: query)
      })
  }
}
