extension Repository {
  // MARK: With the standard policy

  /// The one object that `query` selects, by the standard policy.
  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try await get(query, policy: .standard)
  }

  /// All objects that `query` selects, by the standard policy.
  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try await getAll(query, policy: .standard)
  }

  /// Stores `object`, by the standard policy.
  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    try await put(object, in: query, policy: .standard)
  }

  /// Stores all of `objects`, by the standard policy.
  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    try await putAll(objects, in: query, policy: .standard)
  }

  /// Deletes what `query` selects, by the standard policy.
  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await delete(query, policy: .standard)
  }

  // MARK: By id

  /// The object stored under `id`.
  public func get<ID: QueryID>(
    id: ID, policy: AccessPolicy = .standard
  ) async throws(DataSourceError) -> Object {
    try await get(IdQuery(id), policy: policy)
  }

  /// The array stored under `id`: one entry with many objects, not many entries.
  public func getAll<ID: QueryID>(
    id: ID, policy: AccessPolicy = .standard
  ) async throws(DataSourceError) -> [Object] {
    try await getAll(IdQuery(id), policy: policy)
  }

  /// One object for each of `ids`, in their order.
  public func getAll<ID: QueryID>(
    ids: [ID], missing: IdsQuery<ID>.Missing = .fail, policy: AccessPolicy = .standard
  ) async throws(DataSourceError) -> [Object] {
    try await getAll(IdsQuery(ids, missing: missing), policy: policy)
  }

  /// Stores `object` under `id`.
  @discardableResult
  public func put<ID: QueryID>(
    _ object: Object?, id: ID, policy: AccessPolicy = .standard
  ) async throws(DataSourceError) -> Object {
    try await put(object, in: IdQuery(id), policy: policy)
  }

  /// Stores `objects` as one array under `id`.
  @discardableResult
  public func putAll<ID: QueryID>(
    _ objects: [Object], id: ID, policy: AccessPolicy = .standard
  ) async throws(DataSourceError) -> [Object] {
    try await putAll(objects, in: IdQuery(id), policy: policy)
  }

  /// Stores each object under the id at its position in `ids`.
  @discardableResult
  public func putAll<ID: QueryID>(
    _ objects: [Object], ids: [ID], policy: AccessPolicy = .standard
  ) async throws(DataSourceError) -> [Object] {
    try await putAll(objects, in: IdsQuery(ids), policy: policy)
  }

  /// Removes what is stored under `id`.
  public func delete<ID: QueryID>(
    id: ID, policy: AccessPolicy = .standard
  ) async throws(DataSourceError) {
    try await delete(IdQuery(id), policy: policy)
  }

  /// Removes what is stored under each of `ids`.
  public func delete<ID: QueryID>(
    ids: [ID], policy: AccessPolicy = .standard
  ) async throws(DataSourceError) {
    try await delete(IdsQuery(ids), policy: policy)
  }
}
