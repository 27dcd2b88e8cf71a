public import Triples

/// What a plan with groups, aggregates or distinct rows evaluates to: values rather than entities.
public struct SummaryTable: Hashable, Sendable {
  /// What each column is called: a path of the groups, a field, or the name of an aggregate.
  public let columns: [String]
  /// A value for each column; null where there is none.
  public let rows: [[Value]]

  public init(columns: [String], rows: [[Value]]) {
    self.columns = columns
    self.rows = rows
  }

  /// The values of one column; nil when there is none of that name.
  public subscript(column: String) -> [Value]? {
    guard let place = columns.firstIndex(of: column) else { return nil }
    return rows.map { $0[place] }
  }
}
