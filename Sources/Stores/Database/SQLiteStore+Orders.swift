import InstaQL
import LiveQueries
import Triples

// Where the rows of long answers stand.
extension SQLiteStore {
  /// The order of more rows is computed only on demand.
  private static let mostRowsLearnt = 4_000_000

  /// Where all rows of a plan stand; found out once for each state, for all who ask at a time. Who
  /// awaits it gets it as it was when that began, however often the database changes meanwhile.
  private func order(of plan: QueryPlan) async throws -> RowOrder {
    let question = RowOrder.question(of: plan)
    while true {
      known.turn(to: state)
      if let order = known.order(of: plan) { return order }
      let task = learn(orderOf: plan)
      awaitedOrders[question, default: 0] += 1
      defer {
        awaitedOrders[question] = awaitedOrders[question].flatMap { $0 > 1 ? $0 - 1 : nil }
      }
      do {
        return try await withTaskCancellationHandler {
          try await task.value
        } onCancel: {
          task.cancel()
        }
      } catch {
        // Another one who awaited it has given it up.
        guard task.isCancelled, !Task.isCancelled else { throw error }
      }
    }
  }

  /// Starts computing the order of a plan's rows, and cancels an earlier computation without
  /// waiters.
  private func learn(orderOf plan: QueryPlan) -> Task<RowOrder, any Error> {
    let (connection, shape, state) = (connection, shape, state)
    let question = RowOrder.question(of: plan)
    if let learning {
      let isAwaited = awaitedOrders[learning.question] != nil
      if learning.question == question, !learning.task.isCancelled,
        learning.state == state || isAwaited
      {
        return learning.task
      }
      if !isAwaited { learning.task.cancel() }
    }
    let task = Task { [weak self] in
      do {
        let order = try await connection.read(.aside) { db in try RowOrder(of: plan, db, shape) }
        await self?.end(learning: question, in: state, with: order)
        return order
      } catch {
        await self?.end(learning: question, in: state, with: nil)
        throw error
      }
    }
    learning = (state, question, task)
    return task
  }

  private func end(learning question: QueryPlan, in state: Int, with order: RowOrder?) {
    if let order { known.learn(order, in: state) }
    if learning?.question == question, learning?.state == state { learning = nil }
  }

  /// Receives the number of rows, and starts computing their order if there are more than were
  /// read, so that later windows are fast.
  func learn(
    from answer: PlanReadingAnswer, to document: QueryDocument, _ view: AnswerView, in state: Int
  ) {
    guard state == self.state else { return }
    for plan in document.plans {
      guard let found = answer.found[plan.text], let total = found.total,
        plan.isLong(in: view, pageCount: found.pageCount ?? 0)
      else { continue }
      known.turn(to: state)
      known.learn(total: total, of: plan, in: state)
      guard plan == document.plans.first, total <= Self.mostRowsLearnt,
        known.order(of: plan) == nil
      else { continue }
      _ = learn(orderOf: plan)
    }
  }

  func nextRow(_ query: NextRowQuery) async throws -> StoreSnapshot {
    let (connection, shape, state) = (connection, shape, state)
    let order = try await order(of: query.plan)
    let answer = try await connection.read(.front) { db in
      var reading = PlanReading(db, shape, AnswerView())
      try reading.read(query, in: order)
      return reading.answer
    }
    return snapshot(answer.store, answer.served, state)
  }
}
