extension KeyValueDataSource {
  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try DataSourceError.checkCancellation()
    let key = try key(of: query, for: .get)
    switch try await entries(at: [key])[0] {
    case .one(let object): return object
    case .many, nil: throw missing(key, .get)
    }
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try DataSourceError.checkCancellation()
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
      case .one, nil: throw missing(key, .getAll)
      }
    }
  }

  @discardableResult
  public func put(
    _ object: Object?, in query: any Query
  ) async throws(DataSourceError) -> Object {
    try DataSourceError.checkCancellation()
    let key = try key(of: query, for: .put)
    let carried = (query as? any AnyObjectQuery)?.anyObject as? Object
    guard let object = object ?? carried else {
      throw .illegalArgument("There is no object to put under \"\(key)\".").met(
        by: Self.self, in: .put)
    }
    try await apply([.set(key, .one(object))])
    return object
  }

  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    try DataSourceError.checkCancellation()
    switch query {
    case is AllObjectsQuery:
      try await apply([.removeAll, .set(wholeContentKey, .many(objects))])
    case let ids as any AnyIdsQuery:
      let keys = try checkedKeys(of: ids, .putAll)
      guard keys.count == objects.count else {
        throw .illegalArgument("There are \(keys.count) ids for \(objects.count) objects.").met(
          by: Self.self, in: .putAll)
      }
      if keys.isEmpty { break }
      try await apply(zip(keys, objects).map { .set($0, .one($1)) })
    case is any AnyObjectQuery:
      throw unsupported(query, .putAll)
    default:
      try await apply([.set(key(of: query, for: .putAll), .many(objects))])
    }
    return objects
  }

  public func delete(_ query: any Query) async throws(DataSourceError) {
    try DataSourceError.checkCancellation()
    switch query {
    case is AllObjectsQuery:
      try await apply([.removeAll])
    case let ids as any AnyIdsQuery:
      try await apply(checkedKeys(of: ids, .delete).map { .remove($0) })
    default:
      try await apply([.remove(key(of: query, for: .delete))])
    }
  }

  public func watch(_ query: any Query) -> DataStream<Object> {
    changes.stream { () throws(DataSourceError) in try await get(query) }
  }

  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    changes.stream { () throws(DataSourceError) in try await getAll(query) }
  }
}

extension KeyValueDataSource {
  private func objects(of ids: any AnyIdsQuery) async throws(DataSourceError) -> [Object] {
    let keys = try checkedKeys(of: ids, .getAll)
    let entries = try await entries(at: keys)
    var objects: [Object] = []
    for (key, entry) in zip(keys, entries) {
      switch entry {
      case .one(let object): objects.append(object)
      case .many, nil: if !ids.skipsMissing { throw missing(key, .getAll) }
      }
    }
    return objects
  }

  private func key(
    of query: any Query, for operation: DataOperation
  ) throws(DataSourceError) -> String {
    guard let query = query as? any KeyQuery else { throw unsupported(query, operation) }
    return try checked(query.key, operation)
  }

  private func checkedKeys(
    of ids: any AnyIdsQuery, _ operation: DataOperation
  ) throws(DataSourceError) -> [String] {
    for key in ids.keys { _ = try checked(key, operation) }
    return ids.keys
  }

  private func checked(
    _ key: String, _ operation: DataOperation
  ) throws(DataSourceError) -> String {
    guard key.utf8.first != 0 else {
      throw .illegalArgument("A key must not begin with U+0000.").met(by: Self.self, in: operation)
    }
    return key
  }

  private func missing(_ key: String, _ operation: DataOperation) -> DataSourceError {
    .notFound("\"\(key)\"").met(by: Self.self, in: operation)
  }

  private func unsupported(_ query: any Query, _ operation: DataOperation) -> DataSourceError {
    .unsupported(query, source: Self.self, operation: operation)
  }
}
