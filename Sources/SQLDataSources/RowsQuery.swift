public import DataSources
public import GRDB

/// A query that an ``SQLDataSource`` can answer with a condition of its own.
///
/// The query itself stays free of any source; what it means in SQL is said beside it:
///
/// ```swift
/// extension SearchQuery: RowsQuery {
///   var selection: RowSelection { RowSelection("name LIKE ?", ["%\(text)%"], order: "name") }
/// }
/// ```
///
/// What a type of another library means is said where the source is made:
/// `SQLDataSource(database, selecting: { ($0 as? Plan).map(selection(of:)) })`.
public protocol RowsQuery: Query {
  var selection: RowSelection { get }
}

/// A condition, an order and a window over a table. Values are bound, never spliced into the text.
public struct RowSelection: Sendable, Hashable {
  public var condition: String
  public var arguments: [DatabaseValue]
  public var order: String?
  public var limit: Int?
  public var offset: Int?

  /// - Parameter condition: SQL with a `?` for each of `arguments`; `"1"` for all rows.
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

/// A selection that is a query by itself: for what is asked of this source alone.
public struct RowSelectionQuery: RowsQuery {
  public var selection: RowSelection

  public init(_ selection: RowSelection) {
    self.selection = selection
  }
}
