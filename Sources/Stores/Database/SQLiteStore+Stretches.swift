package import DataSources
import GRDB
package import InstaQL
import LiveQueries
package import Triples

// Answers that are too long to be held at once.
extension SQLiteStore {
  /// Rows that are held at a time.
  private static let rowsAtOnce = 5_000

  /// Gives the rows of a plan some at a time, in its order and as of one commit.
  ///
  /// - Parameter take: Given snapshots of some rows each, one at least, which all say whether more match
  ///   beside the whole page; false ends it.
  /// - Returns: False, with nothing given, where rows cannot be had so: the store holds everything, the
  ///   plan asks for more than rows or for no more than some, or SQL has no words for it.
  /// - Complexity: O(rows log rows); memory for some rows, and eight bytes for each.
  package func readStretches(
    of plan: QueryPlan, _ take: @escaping @Sendable (StoreSnapshot) -> Bool
  ) async throws(DataSourceError) -> Bool {
    guard !holdsEverything, plan.relations.isEmpty, !plan.isCount, !plan.isSummary,
      plan.page.after == nil, plan.page.before == nil,
      // A few of many rows are found without knowing where all of them stand.
      plan.page.limit ?? plan.page.first ?? plan.page.last ?? .max > Self.rowsAtOnce
    else { return false }
    let (connection, shape, state) = (connection, shape, state)
    do {
      return try await connection.read(.behind) { db in
        let order: RowOrder
        do {
          _ = try QueryEngine.prepare(plan, shape.schema)
          order = try RowOrder(of: plan, db, shape)
        } catch is QueryError {
          return false
        }
        let page = order.page(of: plan)
        var start = page.lowerBound
        while true {
          let end = min(page.upperBound, start + Self.rowsAtOnce)
          var reading = PlanReading(db, shape, AnswerView(bytes: .spelled))
          let rows = try reading.rows(of: plan, numbered: order.numbers[start..<end])
          var store = reading.answer.store
          store.transactionID = state
          var found = ServedAnswer.Found(
            rows: rows, total: order.numbers.count, pageCount: rows.count)
          (found.hasNext, found.hasPrevious) = order.pageEdges(of: plan)
          let goesOn = take(
            StoreSnapshot(store, served: ServedAnswer(found: [plan.text: found], canGiveAll: true)))
          start = end
          if !goesOn || start >= page.upperBound { return true }
        }
      }
    } catch {
      throw DataSourceError(StoreError(error, of: path))
    }
  }

  /// All rows of the present state.
  func everything(_ bytes: AnswerView.Bytes) async throws -> StoreSnapshot {
    switch bytes {
    case .counted: try await everything()
    case .spelled:
      snapshot(try await connection.everything(shape, for: .writing, .unread), nil, state)
    }
  }
}
