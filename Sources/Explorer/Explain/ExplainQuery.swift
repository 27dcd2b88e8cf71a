import InstaQL
import Triples

/// A pending request to explain why an entity matches a query or does not.
struct ExplainQuery: Sendable, Equatable {
  /// The query on the screen, or the query of one of its relations.
  let plan: QueryPlan
  let entity: EntityID
  /// The path of the attribute that contains entity ids.
  let identity: AttributePath
  /// Whether the entity is among the shown rows.
  let isShown: Bool
  /// The path of links that leads to the entity, as lines of text.
  let way: [TextLine]

  /// The query for the entity and for all data that the conditions test.
  var question: QueryPlan {
    var question = QueryPlan(plan.namespace).filter(
      .compare(identity, .equal, .text(entity.text)))
    plan.condition?.forEachPath { question = question.following($0.labels.dropLast()) }
    return question
  }

  func order(
    by snapshot: StoreSnapshot, isShown: Bool?, executor: ExplainRequest.Executor
  ) -> ExplainRequest {
    ExplainRequest(
      plan: plan, snapshot: snapshot, entity: entity, isShown: isShown, way: way, executor: executor
    )
  }
}
