public import Triples

/// The result of a plan with groups, aggregates or distinct rows. It contains values rather than
/// entities.
public struct SummaryTable: Hashable, Sendable {
  /// The name of each column: a path of the groups, a field, or the name of an aggregate.
  public let columns: [String]
  /// The rows, each with a value for each column. A missing value is null.
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
