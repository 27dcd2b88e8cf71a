import DataSources
import GRDB

/// Translates queries to SQL requests for the rows of a table, and writes rows.
struct SQLRows<Object: FetchableRecord & PersistableRecord & Sendable>: Sendable {
  typealias Request = QueryInterfaceRequest<Object>

  let idColumn: String
  let softDelete: String?
  let selection: SQLDataSource<Object>.Selection

  /// All rows of the table, including soft-deleted ones.
  private var all: Request { Object.all() }

  /// All rows that are not soft-deleted.
  var present: Request {
    softDelete.map { all.filter(Column($0) == nil) } ?? all
  }

  private var ordered: Request { present.order(Column(idColumn)) }

  /// Returns the request for the row with this id. If the column is numeric, SQLite converts the
  /// text.
  private func row(_ key: String) -> Request {
    present.filter(Column(idColumn) == key)
  }

  // MARK: reading

  func single(_ query: any Query) throws(DataSourceError) -> Request {
    switch query {
    case let query as any AnyIdQuery: row(query.key)
    case let query as any AnyObjectQuery: row(try id(of: query.anyObject, query, .get))
    default: try selected(query, .get)
    }
  }

  /// Returns the error for a missing row. Its message contains only the query's key, because the
  /// rest of the query may be private.
  static func missing(_ query: any Query) -> DataSourceError {
    .notFound((query as? any KeyQuery).map { "\"\($0.key)\"" } ?? "\(type(of: query))")
  }

  /// Returns the request for a query that may match several rows, except a query for a list of ids.
  func listing(
    _ query: any Query, _ operation: DataOperation
  ) throws(DataSourceError) -> Request {
    switch query {
    case is AllObjectsQuery: ordered
    case let page as PaginationOffsetLimitQuery:
      ordered.limit(try page.checked().limit, offset: page.offset)
    default: try selected(query, operation)
    }
  }

  /// Returns the request for a query that is translated to SQL.
  ///
  /// - Throws: `unsupportedQuery` if the query cannot be translated.
  private func selected(
    _ query: any Query, _ operation: DataOperation
  ) throws(DataSourceError) -> Request {
    guard let selection = try selection(query) else { throw unsupported(query, operation) }
    return selection.request(on: present)
  }

  func reader(
    _ query: any Query
  ) throws(DataSourceError) -> @Sendable (Database) throws -> [Object] {
    guard let ids = query as? any AnyIdsQuery else {
      let request = try listing(query, .getAll)
      return { try request.fetchAll($0) }
    }
    return { database in
      try ids.keys.compactMap { key in
        let object = try row(key).fetchOne(database)
        if object == nil, !ids.skipsMissing { throw DataSourceError.notFound("\"\(key)\"") }
        return object
      }
    }
  }

  // MARK: writing

  /// Returns the object to put: `object`, or else the object in the query. Throws if its id differs
  /// from the id in an id query.
  func checked(_ object: Object?, in query: any Query) throws(DataSourceError) -> Object {
    switch query {
    case let query as any AnyIdQuery:
      let object = try given(object)
      try check(object, has: query.key)
      return object
    case is VoidQuery: return try given(object)
    case let query as any AnyObjectQuery:
      guard let carried = query.anyObject as? Object else { throw unsupported(query, .put) }
      return object ?? carried
    default: throw unsupported(query, .put)
    }
  }

  func checked(_ objects: [Object], in query: any Query) throws(DataSourceError) -> [Object] {
    switch query {
    case let ids as any AnyIdsQuery:
      guard ids.keys.count == objects.count else {
        throw .illegalArgument(
          "The query has \(ids.keys.count) ids, but the call has \(objects.count) objects. Pass one object per id."
        )
      }
      for (object, key) in zip(objects, ids.keys) { try check(object, has: key) }
      return objects
    case is VoidQuery, is AllObjectsQuery: return objects
    case let query as any AnyObjectsQuery:
      let carried = query.anyObjects.compactMap { $0 as? Object }
      guard carried.count == query.anyObjects.count else { throw unsupported(query, .putAll) }
      return objects.isEmpty ? carried : objects
    default: throw unsupported(query, .putAll)
    }
  }

  func upsert(_ object: Object, _ database: Database) throws -> Object {
    // Only a conflict of the id replaces a row. A conflict of any other unique column is an error.
    let stored = try object.upsertAndFetch(database, onConflict: [idColumn])
    if let softDelete {
      // The row may have been soft-deleted before. Putting it restores it.
      let key = try key(of: stored)
      _ = try all.filter(Column(idColumn) == key).updateAll(
        database, Column(softDelete).set(to: nil))
    }
    return stored
  }

  // MARK: deleting

  func deletion(_ query: any Query) throws(DataSourceError) -> [Request] {
    switch query {
    case is AllObjectsQuery: return [present]
    case let query as any AnyIdQuery: return [row(query.key)]
    case let ids as any AnyIdsQuery: return ids.keys.map(row)
    case let query as any AnyObjectQuery:
      return [row(try id(of: query.anyObject, query, .delete))]
    case let query as any AnyObjectsQuery:
      var requests: [Request] = []
      for object in query.anyObjects { requests.append(row(try id(of: object, query, .delete))) }
      return requests
    default: return [try selected(query, .delete)]
    }
  }

  func delete(_ request: Request, _ database: Database) throws {
    guard let softDelete else {
      _ = try request.deleteAll(database)
      return
    }
    let now = SQL(sql: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')").sqlExpression
    _ = try request.updateAll(database, Column(softDelete).set(to: now))
  }

  // MARK: ids

  private func given(_ object: Object?) throws(DataSourceError) -> Object {
    guard let object else {
      throw .illegalArgument("There is no object to store. Pass an object, or use an ObjectQuery.")
    }
    return object
  }

  private func check(_ object: Object, has key: String) throws(DataSourceError) {
    let own: String
    do { own = try self.key(of: object) } catch {
      throw DataSourceError(wrapping: error, "Cannot read the object's id.")
    }
    if own != key {
      throw .illegalArgument(
        "The object's id is \"\(own)\", but the query selects the id \"\(key)\".")
    }
  }

  private func id(
    of object: any Sendable, _ query: any Query, _ operation: DataOperation
  ) throws(DataSourceError) -> String {
    guard let object = object as? Object else { throw unsupported(query, operation) }
    do { return try key(of: object) } catch {
      throw DataSourceError(wrapping: error, "Cannot read the object's id.")
    }
  }

  private func key(of object: Object) throws -> String {
    let values = try object.databaseDictionary
    switch values[idColumn]?.storage {
    case .int64(let number): return String(number)
    case .string(let text): return text
    case .double, .blob, .null, nil:
      throw DataSourceError.illegalArgument(
        "The object has no integer or string in its id column '\(idColumn)'.")
    }
  }

  private func unsupported(_ query: any Query, _ operation: DataOperation) -> DataSourceError {
    .unsupported(query, source: SQLDataSource<Object>.self, operation: operation)
  }
}
