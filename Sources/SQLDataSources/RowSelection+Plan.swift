import DataSources
import GRDB
import InstaQL
import Triples

extension RowSelection {
  /// Converts an InstaQL plan to a selection of rows.
  /// - Throws: `unsupportedQuery` if the plan is for another table, or has parts that a single
  ///   table cannot answer; `illegalArgument` for an invalid page.
  init(_ plan: QueryPlan, of table: String, idColumn: String) throws(DataSourceError) {
    guard plan.namespace == table else {
      throw DataSourceError(
        .unsupportedQuery,
        "The query reads '\(plan.namespace)', but the source provides rows from '\(table)'.")
    }
    do throws(QueryError) {
      let selection = try plan.sqlSelection(table: table, key: idColumn)
      self.init(
        selection.condition, selection.values.map(\.bound), order: selection.order,
        limit: selection.limit, offset: selection.offset)
    } catch {
      if case .invalid = error { throw .illegalArgument(error.message) }
      throw DataSourceError(.unsupportedQuery, error.message)
    }
  }
}

extension Value {
  /// The value as SQLite stores it. The caller never passes lists or objects.
  fileprivate var bound: any DatabaseValueConvertible {
    switch self {
    case .null, .array, .object: DatabaseValue.null
    case .bool(let flag): flag
    case .integer(let number): number
    case .double(let number): number
    case .text(let text): text
    }
  }
}
