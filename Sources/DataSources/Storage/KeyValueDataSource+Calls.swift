extension KeyValueDataSource {
  /// Returns the object under a key.
  /// - Throws: `notFound` for a missing key, and for a key with an array; `unsupportedQuery`
  ///   for a query without a key; the errors of ``entries(at:)``.
  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try await perform(.get) { () throws(DataSourceError) in
      let key = try key(of: query, for: .get)
      switch try await entries(at: [key])[0] {
      case .one(let object): return object
      case .many, nil: throw .missing(key)
      }
    }
  }

  /// Returns the objects that a query selects: an array, several ids, all objects, or a page.
  ///
  /// - Throws: `notFound` for a missing key or id; `illegalArgument` for an invalid page;
  ///   `unsupportedQuery`; the errors of ``entries(at:)`` and ``entries()``.
  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try await perform(.getAll) { () throws(DataSourceError) in try await objects(of: query) }
  }

  /// Stores one object under a key.
  /// - Throws: `illegalArgument` when `object` is nil and the query contains no object;
  ///   `unsupportedQuery`; the errors of ``apply(_:)``.
  @discardableResult
  public func put(
    _ object: Object?, in query: any Query
  ) async throws(DataSourceError) -> Object {
    try await perform(.put) { () throws(DataSourceError) in
      let key = try key(of: query, for: .put)
      let carried = (query as? any AnyObjectQuery)?.anyObject as? Object
      guard let object = object ?? carried else {
        throw .illegalArgument(
          "There is no object to store for the key \"\(key)\". Pass an object, or use an ObjectQuery."
        )
      }
      try await apply([.set(key, .one(object))])
      return object
    }
  }

  /// Stores an array under a key, or one object under each id.
  ///
  /// With ``AllObjectsQuery``, the array replaces the whole content.
  ///
  /// - Throws: `illegalArgument` when the numbers of objects and ids differ; `unsupportedQuery`;
  ///   the errors of ``apply(_:)``.
  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    try await perform(.putAll) { () throws(DataSourceError) in
      let changes = try changes(putting: objects, in: query)
      if !changes.isEmpty { try await apply(changes) }
      return objects
    }
  }

  /// Deletes the entries that a query selects. Deleting a missing entry succeeds.
  ///
  /// - Throws: `unsupportedQuery`; the errors of ``apply(_:)``.
  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await perform(.delete) { () throws(DataSourceError) in
      switch query {
      case is AllObjectsQuery:
        try await apply([.removeAll])
      case let ids as any AnyIdsQuery:
        try await apply(checkedKeys(of: ids).map { .remove($0) })
      default:
        try await apply([.remove(key(of: query, for: .delete))])
      }
    }
  }

  public func watch(_ query: any Query) -> DataStream<Object> {
    changes.stream { () throws(DataSourceError) in try await get(query) }
  }

  /// Returns a stream of the current result of `getAll`, then of its new result after each change.
  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    changes.stream { () throws(DataSourceError) in try await getAll(query) }
  }
}

extension KeyValueDataSource {
  /// Runs a call and adds this source and the operation to its errors.
  private func perform<Answer: Sendable>(
    _ operation: DataOperation, _ body: () async throws(DataSourceError) -> Answer
  ) async throws(DataSourceError) -> Answer {
    do throws(DataSourceError) {
      try DataSourceError.checkCancellation()
      return try await body()
    } catch {
      throw error.annotated(by: Self.self, in: operation)
    }
  }

  private func objects(of query: any Query) async throws(DataSourceError) -> [Object] {
    switch query {
    case is AllObjectsQuery:
      return try await entries().flatMap(\.objects)
    case let page as PaginationOffsetLimitQuery:
      return try page.checked().slice(of: await entries().flatMap(\.objects))
    case let ids as any AnyIdsQuery:
      return try await objects(of: ids)
    case is any AnyObjectQuery:
      throw unsupported(query, .getAll)
    default:
      let key = try key(of: query, for: .getAll)
      switch try await entries(at: [key])[0] {
      case .many(let objects): return objects
      case .one, nil: throw .missing(key)
      }
    }
  }

  private func changes(
    putting objects: [Object], in query: any Query
  ) throws(DataSourceError) -> [DataChange<Object>] {
    switch query {
    case is AllObjectsQuery:
      return [.removeAll, .set(wholeContentKey, .many(objects))]
    case let ids as any AnyIdsQuery:
      let keys = try checkedKeys(of: ids)
      guard keys.count == objects.count else {
        throw .illegalArgument(
          "The query has \(keys.count) ids, but the call has \(objects.count) objects. Pass one object per id."
        )
      }
      return zip(keys, objects).map { .set($0, .one($1)) }
    case is any AnyObjectQuery:
      throw unsupported(query, .putAll)
    default:
      return [.set(try key(of: query, for: .putAll), .many(objects))]
    }
  }

  private func objects(of ids: any AnyIdsQuery) async throws(DataSourceError) -> [Object] {
    let keys = try checkedKeys(of: ids)
    let entries = try await entries(at: keys)
    var objects: [Object] = []
    for (key, entry) in zip(keys, entries) {
      switch entry {
      case .one(let object): objects.append(object)
      case .many, nil: if !ids.skipsMissing { throw .missing(key) }
      }
    }
    return objects
  }

  private func key(
    of query: any Query, for operation: DataOperation
  ) throws(DataSourceError) -> String {
    guard let query = query as? any KeyQuery else { throw unsupported(query, operation) }
    return try checked(query.key)
  }

  private func checkedKeys(of ids: any AnyIdsQuery) throws(DataSourceError) -> [String] {
    for key in ids.keys { _ = try checked(key) }
    return ids.keys
  }

  private func checked(_ key: String) throws(DataSourceError) -> String {
    guard key.utf8.first != 0 else {
      throw .illegalArgument(
        "The key begins with the character U+0000, which is reserved. Use another key.")
    }
    return key
  }

  private func unsupported(_ query: any Query, _ operation: DataOperation) -> DataSourceError {
    .unsupported(query, source: Self.self, operation: operation)
  }
}

extension DataSourceError {
  fileprivate static func missing(_ key: String) -> DataSourceError { .notFound("\"\(key)\"") }
}
