extension CacheRepository {
  func read<Answer: Sendable>(
    _ query: any Query, _ policy: AccessPolicy, form: CachedForm<Answer>
  ) async throws(DataSourceError) -> Answer {
    switch policy {
    case .main:
      return try await form.main(query)
    case .cache(let ignoringValidation):
      let answer = try await form.cache(query)
      if !ignoringValidation { try await form.check(answer) }
      return answer
    case .mainSync:
      return try await gate.pass(CacheKey(query)) { () throws(DataSourceError) in
        try await synchronize(query, form)
      }
    case .standard:
      return try await cachedOrSynchronized(query, form) { _ in false }
    case .cacheSync(let fallback):
      return try await cachedOrSynchronized(query, form, fallback)
    }
  }

  /// Returns whether the cache failed in a way that reading from the main source can fix.
  func isMiss(_ error: DataSourceError) -> Bool {
    [.notFound, .notValid, .dataSerialization].contains(error.code)
  }

  private func synchronize<Answer: Sendable>(
    _ query: any Query, _ form: CachedForm<Answer>
  ) async throws(DataSourceError) -> Answer {
    let answer = try await form.main(query)
    await updateCache(query) { () throws(DataSourceError) in try await form.keep(answer, query) }
    return answer
  }

  private func cachedOrSynchronized<Answer: Sendable>(
    _ query: any Query, _ form: CachedForm<Answer>,
    _ fallback: @escaping @Sendable (DataSourceError) -> Bool
  ) async throws(DataSourceError) -> Answer {
    try await gate.pass(CacheKey(query)) { () throws(DataSourceError) in
      var stale: Answer?
      do throws(DataSourceError) {
        let answer = try await form.cache(query)
        stale = answer
        try await form.check(answer)
        return answer
      } catch  where isMiss(error) {}
      do throws(DataSourceError) {
        return try await synchronize(query, form)
      } catch {
        guard let stale, fallback(error) else { throw error }
        return stale
      }
    }
  }
}

extension CacheRepository {
  /// Performs a write on the main source, the cache or both, in the order of the policy.
  /// - Parameters:
  ///   - main: Writes to the main source and returns its answer. Its argument is what an earlier
  ///     write to the cache returned, or nil to write the caller's objects.
  ///   - cache: Writes to the cache. Its argument is what the main source returned, or nil to write
  ///     the caller's objects.
  func write<Answer: Sendable>(
    _ query: any Query, _ policy: AccessPolicy,
    main: @Sendable (Answer?) async throws(DataSourceError) -> Answer,
    cache: @Sendable (Answer?) async throws(DataSourceError) -> Answer
  ) async throws(DataSourceError) -> Answer {
    switch policy {
    case .main: return try await main(nil)
    case .cache: return try await cache(nil)
    case .mainSync, .standard:
      return try await gate.pass(CacheKey(query)) { () throws(DataSourceError) in
        try await writeMainFirst(query, main: main, cache: cache)
      }
    case .cacheSync:
      return try await gate.pass(CacheKey(query)) { () throws(DataSourceError) in
        guard let before = try await contentsOfCache(query) else {
          return try await writeMainFirst(query, main: main, cache: cache)
        }
        let cached = try await cache(nil)
        do throws(DataSourceError) {
          return try await main(cached)
        } catch {
          for (query, entry) in before {
            await updateCache(query) { () throws(DataSourceError) in
              try await putBack(entry, query)
            }
          }
          throw error
        }
      }
    }
  }

  private func writeMainFirst<Answer: Sendable>(
    _ query: any Query, main: @Sendable (Answer?) async throws(DataSourceError) -> Answer,
    cache: @Sendable (Answer?) async throws(DataSourceError) -> Answer
  ) async throws(DataSourceError) -> Answer {
    let answer = try await main(nil)
    await updateCache(query) { () throws(DataSourceError) in _ = try await cache(answer) }
    return answer
  }

  /// Updates the cache. If that fails, this reports the error and deletes the entry, because the
  /// entry may be outdated.
  private func updateCache(
    _ query: any Query, _ body: () async throws(DataSourceError) -> Void
  ) async {
    do throws(DataSourceError) {
      try await body()
    } catch {
      onCacheFailure(error)
      // If the deletion fails, there is nothing more to do. The cache's failure has already been
      // reported.
      try? await cache.delete(query)
    }
  }

  /// Reads the current content of each cache entry that `query` changes, so that it can be
  /// restored.
  ///
  /// - Returns: The entries to restore. Nil for a query without keys, such as a query for all
  ///   objects: a source does not report the keys of its objects.
  /// - Throws: The error of the cache when it cannot be read.
  private func contentsOfCache(
    _ query: any Query
  ) async throws(DataSourceError) -> [(query: any Query, entry: DataEntry<Object>?)]? {
    guard let ids = query as? any AnyIdsQuery else {
      let entry = try await entry(query)
      return query is any KeyQuery ? [(query, entry)] : nil
    }
    var contents: [(query: any Query, entry: DataEntry<Object>?)] = []
    for key in ids.keys {
      let one = IdQuery(key)
      contents.append((one, try await entry(one)))
    }
    return contents
  }

  /// Returns the entry of a query: one object, or an array; nil if the cache has no entry.
  private func entry(
    _ query: any Query
  ) async throws(DataSourceError) -> DataEntry<Object>? {
    do throws(DataSourceError) {
      return .many(try await cache.getAll(query))
    } catch  where isMiss(error) || error.code == .unsupportedQuery {}
    do throws(DataSourceError) {
      return .one(try await cache.get(query))
    } catch  where isMiss(error) || error.code == .unsupportedQuery {
      return nil
    }
  }

  private func putBack(
    _ before: DataEntry<Object>?, _ query: any Query
  ) async throws(DataSourceError) {
    switch before {
    case .one(let object): _ = try await cache.put(object, in: query)
    case .many(let objects): _ = try await cache.putAll(objects, in: query)
    case nil: try await cache.delete(query)
    }
  }
}
