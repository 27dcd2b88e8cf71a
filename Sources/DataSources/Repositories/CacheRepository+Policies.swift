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
        try await synchronise(query, form)
      }
    case .standard:
      return try await cachedOrSynchronised(query, form) { _ in false }
    case .cacheSync(let fallback):
      return try await cachedOrSynchronised(query, form, fallback)
    }
  }

  /// A miss is what the main source can mend.
  func isMiss(_ error: DataSourceError) -> Bool {
    [.notFound, .notValid, .dataSerialization].contains(error.code)
  }

  private func synchronise<Answer: Sendable>(
    _ query: any Query, _ form: CachedForm<Answer>
  ) async throws(DataSourceError) -> Answer {
    let answer = try await form.main(query)
    await keepInCache(query) { () throws(DataSourceError) in try await form.keep(answer, query) }
    return answer
  }

  private func cachedOrSynchronised<Answer: Sendable>(
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
        return try await synchronise(query, form)
      } catch {
        guard let stale, fallback(error) else { throw error }
        return stale
      }
    }
  }
}

extension CacheRepository {
  /// - Parameters: `main` and `cache` write what they are given, or the caller's when given nothing.
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
            await keepInCache(query) { () throws(DataSourceError) in
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
    await keepInCache(query) { () throws(DataSourceError) in _ = try await cache(answer) }
    return answer
  }

  /// A cache that fails is told aside, and its entry must not outlive the truth.
  private func keepInCache(
    _ query: any Query, _ body: () async throws(DataSourceError) -> Void
  ) async {
    do throws(DataSourceError) {
      try await body()
    } catch {
      onCacheFailure(error)
      // A cache that cannot even be deleted from has told its failure already.
      try? await cache.delete(query)
    }
  }

  /// What each entry that a query touches holds, to be put back; no entry where there is none.
  ///
  /// - Returns: Nil for a query that names no keys, such as all objects: a source does not say under
  ///   which keys its objects lie, so they could not be put back.
  /// - Throws: When the cache cannot be read.
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

  /// What a query's entry holds, in either form.
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
