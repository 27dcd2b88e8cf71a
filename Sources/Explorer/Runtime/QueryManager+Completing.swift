import InstaQL
import LiveQueries
import Triples
import Widgets

// Loads the rows of a long answer that the screen has not loaded, for counting and exporting.
extension QueryManager {
  /// Returns the answer with all rows of its page, including those that are not loaded.
  ///
  /// - Parameter fields: The attributes to load; nil loads the attributes that the query selects.
  nonisolated func completed(
    _ answer: Answer, fields: [String]? = nil
  ) async throws(LiveFailure) -> Answer {
    guard answer.window != nil else { return answer }
    return try await self.answer(
      to: fields.map { answer.plan.removing(.relations).fields($0) } ?? answer.plan)
  }

  /// Counts the values of a column in all rows of an answer's page, if possible in the store
  /// itself.
  nonisolated func facets(
    _ attribute: Attribute, of answer: Answer, along dates: Attribute?
  ) async throws(LiveFailure) -> Facets {
    guard answer.window != nil else {
      return await Self.facets(counting: attribute, of: answer, along: dates)
    }
    let query = ValueCountsQuery(plan: answer.plan, attribute: attribute, along: dates)
    if let tally = try await snapshot(for: query).served?.valueCounts {
      return Facets(attribute, tally)
    }
    let labels = [attribute.label] + (dates.map { [$0.label] } ?? [])
    let whole = try await completed(answer, fields: labels)
    return await Self.facets(counting: attribute, of: whole, along: dates)
  }

  @concurrent
  private static func facets(
    counting attribute: Attribute, of answer: Answer, along dates: Attribute?
  ) async -> Facets {
    Facets(attribute, of: answer, along: dates)
  }

  /// Returns the export with everything that it must write: all rows, or the whole store.
  nonisolated func completed(_ order: ExportOrder) async throws(LiveFailure) -> ExportOrder {
    if order.form.isStore {
      var whole = order
      whole.whole = try await wholeStore()
      return whole
    }
    return try await includingBlobs(try await gathered(order))
  }

  /// Returns the export with an answer that contains all rows to write.
  private nonisolated func gathered(
    _ order: ExportOrder
  ) async throws(LiveFailure) -> ExportOrder {
    guard order.snapshot.served?.canGiveAll == true else { return order }
    let answer: Answer
    switch order.rows {
    case .marked: return order
    case .named(let ids):
      let all = order.answer.plan.removing(.page, .filter)
      answer = try await self.answer(
        to: all.filter(
          .isIn(
            order.snapshot.store.schema.identityPath(from: all.namespace),
            ids.map { .text($0.text) })))
    case .shown: answer = try await completed(order.answer)
    case .all: answer = try await self.answer(to: order.answer.plan.removing(.page))
    }
    return order.of(answer, in: order.snapshot)
  }

  private nonisolated func answer(to plan: QueryPlan) async throws(LiveFailure) -> Answer {
    try await completion(of: plan).answer
  }

  /// Returns all rows of a plan's page, and the snapshot that contains them.
  nonisolated func completion(
    of plan: QueryPlan
  ) async throws(LiveFailure) -> (answer: Answer, snapshot: StoreSnapshot) {
    let snapshot = try await snapshot(for: QueryDocument(plan))
    do throws(QueryError) {
      let options = QueryOptions.standard.answering(plan, in: snapshot)
      return (try QueryEngine.answer(plan, in: snapshot.store, options: options), snapshot)
    } catch {
      throw LiveFailure(message: error.message, hint: error.hint)
    }
  }
}

extension ExportOrder {
  /// Returns a copy of the order with `answer`, which contains exactly the rows to write.
  fileprivate func of(_ answer: Answer, in snapshot: StoreSnapshot) -> ExportOrder {
    var order = self
    switch rows {
    case .all, .named: order.rows = .shown
    case .shown, .marked: break
    }
    (order.answer, order.snapshot) = (answer, snapshot)
    return order
  }
}
