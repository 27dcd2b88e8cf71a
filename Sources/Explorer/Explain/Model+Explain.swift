import InstaQL
import LiveQueries
import Triples

/// A question why an entity is in an answer or is not.
struct Doubt: Sendable, Equatable {
  /// What is asked, be it of a relation of the query.
  let plan: QueryPlan
  let entity: EntityID
  /// Whether it is among the rows that are shown.
  let isShown: Bool

  /// What a server must be asked to tell: the entity, and what the conditions lead to from it.
  var question: QueryPlan {
    var question = QueryPlan(plan.namespace).filter(
      .compare(AttributePath(["id"]), .equal, .text(entity.text)))
    plan.condition?.forEachPath { question = question.following($0.labels.dropLast()) }
    return question
  }
}

extension Model {
  /// Says how the query is answered, and why an entity is in or out: the one under the cursor when
  /// none is named. One that a relation was opened for is explained by what the relation asks.
  mutating func explain(_ entity: EntityID?) -> [Effect] {
    guard let plan = composer?.plan, let known else { return [] }
    let chosen = entity == nil ? chosenForExplaining(plan) : nil
    guard let asked = entity.map({ (entity: $0, plan: plan) }) ?? chosen else {
      return [.explain(plan, known.snapshot, nil, isShown: nil)]
    }
    let shown = results.table.map { table in
      table.catalog.store.handle(of: asked.entity).map { table.answer.rows.contains($0) } ?? false
    }
    let doubt = Doubt(
      plan: asked.plan, entity: asked.entity, isShown: chosen != nil || shown == true)
    guard isElsewhere else {
      return [.explain(doubt.plan, known.snapshot, doubt.entity, isShown: nil)]
    }
    self.doubt = doubt
    notice = Notice(text: "The server is asked")
    return []
  }

  /// What is under the cursor, and the query that it is a row of.
  private func chosenForExplaining(_ plan: QueryPlan) -> (entity: EntityID, plan: QueryPlan)? {
    guard let table = results.table, let chosen = results.chosenEntity else { return nil }
    let entity = table.catalog.store.id(of: chosen.entity)
    guard case .child(let block, _) = table.line(results.cursor.index) else {
      return (entity, plan)
    }
    let link = table.blocks[block].link
    let row = table.answer.rows[table.blocks[block].row]
    var nested = plan.relation(link.label) ?? QueryPlan(link.target)
    nested.namespace = link.target
    let parent = Relations.plan(of: link, from: row, in: table.catalog).condition
    return (entity, parent.map { nested.filter($0) } ?? nested)
  }

  /// The server has told what it was asked for a doubt.
  mutating func settleDoubt() -> [Effect] {
    guard let doubt else { return [] }
    if let failure = beside.failure(of: doubt.question) {
      self.doubt = nil
      notice = Notice(text: failure.message, isError: true)
      return []
    }
    guard let snapshot = beside.snapshot(for: doubt.question) else { return [] }
    self.doubt = nil
    notice = nil
    return [.explain(doubt.plan, snapshot, doubt.entity, isShown: doubt.isShown)]
  }
}

extension QueryPlan {
  /// With the entities that links lead to, one after the other.
  fileprivate func following(_ labels: ArraySlice<String>) -> QueryPlan {
    guard let first = labels.first else { return self }
    var plan = self
    plan.setRelation(
      first, (relation(first) ?? QueryPlan(first)).following(labels.dropFirst()))
    return plan
  }
}
