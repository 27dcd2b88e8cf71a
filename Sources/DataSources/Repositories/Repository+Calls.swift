extension Repository {
  // MARK: With the standard policy

  /// Returns the one object that `query` selects, by the standard policy.
  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try await get(query, policy: .standard)
  }

  /// Returns all objects that `query` selects, by the standard policy.
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

  /// Deletes the objects that `query` selects, by the standard policy.
  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await delete(query, policy: .standard)
  }

  // MARK: By id

  /// Returns the object stored under `id`.
  public func get<ID: QueryID>(
    id: ID, policy: AccessPolicy = .standard
  ) async throws(DataSourceError) -> Object {
    try await get(IdQuery(id), policy: policy)
  }

  /// Returns the array stored under `id`, which is one entry with many objects.
  public func getAll<ID: QueryID>(
    id: ID, policy: AccessPolicy = .standard
  ) async throws(DataSourceError) -> [Object] {
    try await getAll(IdQuery(id), policy: policy)
  }

  /// Returns one object for each of `ids`, in the order of the ids.
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

  /// Deletes the entry stored under `id`.
  public func delete<ID: QueryID>(
    id: ID, policy: AccessPolicy = .standard
  ) async throws(DataSourceError) {
    try await delete(IdQuery(id), policy: policy)
  }

  /// Deletes the entry stored under each of `ids`.
  public func delete<ID: QueryID>(
    ids: [ID], policy: AccessPolicy = .standard
  ) async throws(DataSourceError) {
    try await delete(IdsQuery(ids), policy: policy)
  }
}
