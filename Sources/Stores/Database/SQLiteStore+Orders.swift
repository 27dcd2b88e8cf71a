import InstaQL
import LiveQueries
import Triples

// Row orders of long results.
extension SQLiteStore {
  /// The maximum number of rows whose order is computed in advance.
  private static let maxRowsLearned = 4_000_000

  /// Returns the order of a plan's rows. It is computed once per state for all callers.
  ///
  /// If the state changes during the computation, the order of the earlier state is returned.
  private func order(of plan: QueryPlan) async throws -> SortedMatches {
    let orderPlan = SortedMatches.orderPlan(of: plan)
    while true {
      known.prepare(for: state)
      if let order = known.order(of: plan) { return order }
      let task = learn(orderOf: plan)
      awaitedOrders[orderPlan, default: 0] += 1
      defer {
        awaitedOrders[orderPlan] = awaitedOrders[orderPlan].flatMap { $0 > 1 ? $0 - 1 : nil }
      }
      do {
        return try await withTaskCancellationHandler {
          try await task.value
        } onCancel: {
          task.cancel()
        }
      } catch {
        // If another caller's cancellation ended the task, the order is computed again.
        guard task.isCancelled, !Task.isCancelled else { throw error }
      }
    }
  }

  /// Starts computing the order of a plan's rows. Cancels an earlier computation that no caller
  /// waits for.
  private func learn(orderOf plan: QueryPlan) -> Task<SortedMatches, any Error> {
    let (connection, shape, state) = (connection, shape, state)
    let orderPlan = SortedMatches.orderPlan(of: plan)
    if let learning {
      let isAwaited = awaitedOrders[learning.orderPlan] != nil
      if learning.orderPlan == orderPlan, !learning.task.isCancelled,
        learning.state == state || isAwaited
      {
        return learning.task
      }
      if !isAwaited { learning.task.cancel() }
    }
    let task = Task { [weak self] in
      do {
        let order = try await connection.read(.sorting) { db in
          try SortedMatches(of: plan, db, shape)
        }
        await self?.end(learning: orderPlan, in: state, with: order)
        return order
      } catch {
        await self?.end(learning: orderPlan, in: state, with: nil)
        throw error
      }
    }
    learning = (state, orderPlan, task)
    return task
  }

  private func end(learning orderPlan: QueryPlan, in state: Int, with order: SortedMatches?) {
    if let order { known.learn(order, in: state) }
    if learning?.orderPlan == orderPlan, learning?.state == state { learning = nil }
  }

  /// Records the totals of an answer, and starts computing the row order of a long result.
  ///
  /// With the row order, later windows are read faster.
  func learn(
    from answer: PlanResult, to document: QueryDocument, _ view: AnswerView, in state: Int
  ) {
    guard state == self.state else { return }
    for plan in document.plans {
      guard let found = answer.found[plan.text], let total = found.total,
        plan.isLong(in: view, pageCount: found.pageCount ?? 0)
      else { continue }
      known.prepare(for: state)
      known.learn(total: total, of: plan, in: state)
      guard plan == document.plans.first, total <= Self.maxRowsLearned,
        known.order(of: plan) == nil
      else { continue }
      _ = learn(orderOf: plan)
    }
  }

  func nextRow(_ query: FindRowQuery) async throws -> StoreSnapshot {
    let (connection, shape, state) = (connection, shape, state)
    guard shape.names.namespace(query.plan.namespace)?.ids.number != nil else {
      let answer = try await connection.read(.background) { db in
        var reading = PlanExecutor(db, shape, AnswerView())
        try reading.read(query)
        return reading.answer
      }
      return snapshot(answer.store, answer.served, state)
    }
    let order = try await order(of: query.plan)
    let answer = try await connection.read(.screen) { db in
      var reading = PlanExecutor(db, shape, AnswerView())
      try reading.read(query, in: order)
      return reading.answer
    }
    return snapshot(answer.store, answer.served, state)
  }
}
