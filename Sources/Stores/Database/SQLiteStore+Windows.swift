package import DataSources
import GRDB
package import InstaQL
import LiveQueries
package import Triples

// Reads long results in chunks.
extension SQLiteStore {
  /// The number of rows per chunk.
  private static let rowsAtOnce = 5_000

  /// Reads the rows of a plan in chunks, in the plan's order and from one commit.
  ///
  /// - Parameter take: Receives a snapshot for each chunk. The snapshot says whether rows precede
  ///   and follow the page. If `take` returns false, reading stops.
  /// - Returns: False, without calling `take`, if chunks are not possible: the whole store is in
  ///   memory, the plan has relations, counts or groups, its limit is small, or SQL cannot express
  ///   it.
  /// - Complexity: O(rows log rows); memory for one chunk, and eight bytes per row.
  package func readWindows(
    of plan: QueryPlan, _ take: @escaping @Sendable (StoreSnapshot) -> Bool
  ) async throws(DataSourceError) -> Bool {
    guard !holdsEverything, plan.relations.isEmpty, !plan.isCount, !plan.isSummary,
      plan.page.after == nil, plan.page.before == nil,
      // If the limit is small, the rows are read without computing the order of all rows.
      plan.page.limit ?? plan.page.first ?? plan.page.last ?? .max > Self.rowsAtOnce
    else { return false }
    let (connection, shape, state) = (connection, shape, state)
    do {
      return try await connection.read(.background) { db in
        let order: SortedMatches
        do {
          _ = try QueryEngine.prepare(plan, shape.schema)
          order = try SortedMatches(of: plan, db, shape)
        } catch is QueryError {
          return false
        }
        let page = order.page(of: plan)
        var start = page.lowerBound
        while true {
          let end = min(page.upperBound, start + Self.rowsAtOnce)
          var reading = PlanExecutor(db, shape, AnswerView(bytes: .spelled))
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

  /// Reads all rows of the current state.
  ///
  /// - Parameter views: The views whose rows are read, too.
  func everything(
    _ bytes: AnswerView.Bytes, views: Set<String> = []
  ) async throws -> StoreSnapshot {
    switch bytes {
    case .counted: try await everything(views: views)
    case .spelled:
      snapshot(
        try await connection.everything(shape, for: .writing, views: views, .unread), nil, state)
    }
  }
}
