public import Triples

/// The answer to a plan with groups, aggregates or distinct rows: rows of values instead of
/// entities.
public struct SummaryTable: Hashable, Sendable {
  /// The name of each column: a group's path, a field, or the name of an aggregate.
  public let columns: [String]
  /// The rows, which have one value for each column. A missing value is null.
  public let rows: [[Value]]

  /// Creates a table; each row has one value for each column.
  public init(columns: [String], rows: [[Value]]) {
    self.columns = columns
    self.rows = rows
  }

  /// The values of one column; nil when there is no such column.
  public subscript(column: String) -> [Value]? {
    guard let place = columns.firstIndex(of: column) else { return nil }
    return rows.map { $0[place] }
  }
}
