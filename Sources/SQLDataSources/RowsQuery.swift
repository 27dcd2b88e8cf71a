public import DataSources
public import GRDB

/// A query that states its condition in SQL, so that an ``SQLDataSource`` can answer it.
///
/// The query type itself stays independent of any source. An extension declares the conformance:
///
/// ```swift
/// extension SearchQuery: RowsQuery {
///   var selection: RowSelection { RowSelection("name LIKE ?", ["%\(text)%"], order: "name") }
/// }
/// ```
///
/// For a query type of another library, pass a translation to the source instead:
/// `SQLDataSource(database, selecting: { ($0 as? Plan).map(selection(of:)) })`.
public protocol RowsQuery: Query {
  /// The rows that the query selects.
  var selection: RowSelection { get }
}

/// A condition, an order and a page of a table. Values are bound and never part of the SQL text.
public struct RowSelection: Sendable, Hashable {
  /// The condition in SQL, with a `?` for each argument.
  public var condition: String
  /// The values to bind in the condition.
  public var arguments: [DatabaseValue]
  /// The terms of `ORDER BY`; nil leaves the order to the database.
  public var order: String?
  /// The maximum number of rows; nil for all.
  public var limit: Int?
  /// The number of rows to skip; nil for none.
  public var offset: Int?

  /// Creates a selection of rows.
  /// - Parameter condition: A condition in SQL with a `?` for each of `arguments`; `"1"` selects
  ///   all rows.
  public init(
    _ condition: String = "1", _ arguments: [any DatabaseValueConvertible] = [],
    order: String? = nil, limit: Int? = nil, offset: Int? = nil
  ) {
    self.condition = condition
    self.arguments = arguments.map(\.databaseValue)
    self.order = order
    self.limit = limit
    self.offset = offset
  }

  func request<Row>(on rows: QueryInterfaceRequest<Row>) -> QueryInterfaceRequest<Row> {
    var request = rows.filter(sql: "(\(condition))", arguments: StatementArguments(arguments))
    if let order { request = request.order(sql: order) }
    if limit != nil || offset != nil {
      request = request.limit(limit ?? Int.max, offset: offset)
    }
    return request
  }
}

/// A query that is just a selection of rows. Only an ``SQLDataSource`` can answer it.
public struct RowSelectionQuery: RowsQuery {
  /// The rows that the query selects.
  public var selection: RowSelection

  /// Creates a query with a selection.
  public init(_ selection: RowSelection) {
    self.selection = selection
  }
}
