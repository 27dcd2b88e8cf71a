extension GetDataSource {
  /// Returns the object stored under `id`.
  public func get<ID: QueryID>(id: ID) async throws(DataSourceError) -> Object {
    try await get(IdQuery(id))
  }

  /// Returns the array stored under `id`, which is one entry with many objects.
  public func getAll<ID: QueryID>(id: ID) async throws(DataSourceError) -> [Object] {
    try await getAll(IdQuery(id))
  }

  /// Returns one object for each of `ids`, in the order of the ids.
  public func getAll<ID: QueryID>(
    ids: [ID], missing: IdsQuery<ID>.Missing = .fail
  ) async throws(DataSourceError) -> [Object] {
    try await getAll(IdsQuery(ids, missing: missing))
  }
}

extension PutDataSource {
  /// Stores `object` under `id`.
  @discardableResult
  public func put<ID: QueryID>(_ object: Object?, id: ID) async throws(DataSourceError) -> Object {
    try await put(object, in: IdQuery(id))
  }

  /// Stores `objects` as one array under `id`.
  @discardableResult
  public func putAll<ID: QueryID>(
    _ objects: [Object], id: ID
  ) async throws(DataSourceError) -> [Object] {
    try await putAll(objects, in: IdQuery(id))
  }

  /// Stores each object under the id at its position in `ids`.
  @discardableResult
  public func putAll<ID: QueryID>(
    _ objects: [Object], ids: [ID]
  ) async throws(DataSourceError) -> [Object] {
    try await putAll(objects, in: IdsQuery(ids))
  }
}

extension DeleteDataSource {
  /// Deletes the entry stored under `id`.
  public func delete<ID: QueryID>(id: ID) async throws(DataSourceError) {
    try await delete(IdQuery(id))
  }

  /// Deletes the entry stored under each of `ids`.
  public func delete<ID: QueryID>(ids: [ID]) async throws(DataSourceError) {
    try await delete(IdsQuery(ids))
  }

  /// Deletes the objects that `query` selects; an alias of ``delete(_:)``.
  public func deleteAll(_ query: any Query) async throws(DataSourceError) {
    try await delete(query)
  }

  /// Deletes the entry stored under `id`; an alias of ``delete(id:)``.
  public func deleteAll<ID: QueryID>(id: ID) async throws(DataSourceError) {
    try await delete(id: id)
  }
}
