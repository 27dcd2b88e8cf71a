public import DataSources
public import GRDB
import InstaQL

/// Rows of one table of a SQLite database, as objects.
///
/// An object is a GRDB record that defines its columns. One column of the table contains the ids of
/// the rows, which are integers or strings:
///
/// ```swift
/// struct City: Codable, Sendable, FetchableRecord, PersistableRecord {
///   var id: Int
///   var name: String
/// }
/// let cities = SQLDataSource<City>(try await SQLDatabase.open(path: file))
/// try await cities.put(City(id: 1, name: "Lyon"), in: VoidQuery())
/// let lyon = try await cities.get(id: 1)
/// ```
///
/// A put inserts a row or replaces the one with its id, in one transaction for all objects of a
/// call; an error leaves the table unchanged. Listings are sorted by the id column.
///
/// The database evaluates conditions, orders and pages: a ``RowsQuery``, a query of `InstaQL`, a
/// page or an id becomes the SQL statement, and only the rows of the answer are read. The namespace
/// of an `InstaQL` query is the table; links, groups and cursors are `unsupportedQuery`:
///
/// ```swift
/// let large = try await cities.getAll(
///   EntityQuery.from("city").filter("population > \(1_000_000)").order("name").limit(10))
/// ```
///
/// Your `Package.swift` must depend on GRDB, too, because objects are GRDB records, and it must
/// enable the trait `SQLite` of this package.
public struct SQLDataSource<Object: FetchableRecord & PersistableRecord & Sendable>: Sendable {
  let database: any DatabaseWriter
  let rows: SQLRows<Object>

  /// A function that translates a query to a selection of rows. It returns nil for a query that it
  /// does not know.
  public typealias Selection =
    @Sendable (any Query) throws(DataSourceError) -> RowSelection?

  /// Creates a source of a table's rows.
  /// - Parameters:
  ///   - idColumn: The column whose values identify rows.
  ///   - softDelete: The column that a delete sets to the current time, instead of removing the
  ///     row. Rows with a value in this column count as deleted.
  ///   - selection: Translates query types that are not a ``RowsQuery``. Queries of `InstaQL` do
  ///     not need it.
  public init(
    _ database: any DatabaseWriter, idColumn: String = "id", softDelete: String? = nil,
    selecting selection: @escaping Selection = { _ in nil }
  ) {
    self.database = database
    rows = SQLRows(idColumn: idColumn, softDelete: softDelete) { query throws(DataSourceError) in
      if let query = query as? any RowsQuery { return query.selection }
      if let meaning = try selection(query) { return meaning }
      guard let plan = (query as? any PlannedQuery)?.onlyPlan else { return nil }
      return try RowSelection(plan, of: Object.databaseTableName, idColumn: idColumn)
    }
  }

  /// Returns the number of objects that `getAll` would return, without reading them.
  public func count(_ query: any Query) async throws(DataSourceError) -> Int {
    try await perform(.getAll) {
      let request = try rows.listing(query, .getAll)
      return try await database.read { try request.fetchCount($0) }
    }
  }

  /// Runs `body`, and adds this source and the operation to an error that it throws.
  func perform<Answer: Sendable>(
    _ operation: DataOperation, _ body: () async throws -> Answer
  ) async throws(DataSourceError) -> Answer {
    do {
      try DataSourceError.checkCancellation()
      return try await body()
    } catch {
      throw DataSourceError(database: error, source: Self.self, operation: operation)
    }
  }
}

extension SQLDataSource: GetDataSource {
  /// Returns the row with the id of the query, or the first row of a condition.
  ///
  /// - Throws: `notFound` if there is no such row; `unsupportedQuery`; `dataSerialization` if the row
  ///   cannot be decoded; `system` if the file is locked or cannot be read.
  /// - Complexity: O(log *n*) for an id in a table of *n* rows.
  public func get(_ query: any Query) async throws(DataSourceError) -> Object {
    try await perform(.get) {
      let request = try rows.single(query)
      guard let object = try await database.read({ try request.fetchOne($0) }) else {
        throw SQLRows<Object>.missing(query)
      }
      return object
    }
  }

  /// Returns the rows that the query selects. All rows and pages of them are sorted by the id column.
  ///
  /// - Throws: `notFound` for a missing id of an `IdsQuery`; `illegalArgument` for an invalid page; the
  ///   errors of ``get(_:)``.
  public func getAll(_ query: any Query) async throws(DataSourceError) -> [Object] {
    try await perform(.getAll) {
      let read = try rows.reader(query)
      return try await database.read { try read($0) }
    }
  }
}

extension SQLDataSource: PutDataSource {
  /// Inserts the row, or replaces the row with its id.
  ///
  /// - Returns: The stored row, with values that the database generated.
  /// - Throws: `illegalArgument` if there is no object, if its id differs from that of the query, or if
  ///   it violates a constraint; `unsupportedQuery`; `system` if the file is locked or full.
  @discardableResult
  public func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object {
    try await perform(.put) {
      let object = try rows.checked(object, in: query)
      return try await database.write { try rows.upsert(object, $0) }
    }
  }

  /// Stores all rows in one transaction. With `AllObjectsQuery`, they replace the whole table.
  ///
  /// - Returns: The stored rows, with values that the database generated.
  /// - Throws: `illegalArgument` if the numbers of ids and objects differ; the errors of ``put(_:in:)``.
  @discardableResult
  public func putAll(
    _ objects: [Object], in query: any Query
  ) async throws(DataSourceError) -> [Object] {
    try await perform(.putAll) {
      let objects = try rows.checked(objects, in: query)
      return try await database.write { database in
        if query is AllObjectsQuery { try rows.delete(rows.present, database) }
        return try objects.map { try rows.upsert($0, database) }
      }
    }
  }
}

extension SQLDataSource: DeleteDataSource {
  /// Deletes the rows that the query selects, or sets their soft-delete column, in one transaction.
  ///
  /// - Throws: `unsupportedQuery`; `illegalArgument` if a constraint forbids it; `system` if the file is
  ///   locked.
  public func delete(_ query: any Query) async throws(DataSourceError) {
    try await perform(.delete) {
      let requests = try rows.deletion(query)
      try await database.write { database in
        for request in requests { try rows.delete(request, database) }
      }
    }
  }
}

extension SQLDataSource: LiveDataSource {}

extension SQLDataSource: WatchDataSource {
  /// Returns a stream of the row, now and after each write through this database that changes it.
  ///
  /// Writes of other processes are not noticed. If the row is missing, the stream ends with
  /// `notFound`.
  public func watch(_ query: any Query) -> DataStream<Object> {
    let rows = rows
    return observe { database in
      guard let object = try rows.single(query).fetchOne(database) else {
        throw SQLRows<Object>.missing(query)
      }
      return object
    }
  }

  /// Returns a stream of the rows, now and after each write through this database that changes them.
  ///
  /// Writes of other processes are not noticed.
  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    let rows = rows
    return observe { try rows.reader(query)($0) }
  }

  private func observe<Answer: Sendable>(
    _ read: @escaping @Sendable (Database) throws -> Answer
  ) -> DataStream<Answer> {
    .filled { continuation throws(DataSourceError) in
      try await perform(.watch) {
        for try await answer in ValueObservation.tracking(read).values(in: database) {
          continuation.yield(answer)
        }
      }
    }
  }
}
