import InstaQL
import Triples

/// A request to explain an entity, which waits until the server returns the necessary data.
struct ExplainQuery: Sendable, Equatable {
  /// The query that is explained: the query on the screen, or the query of a relation.
  let plan: QueryPlan
  let entity: EntityID
  /// The path of the id attribute.
  let identity: AttributePath
  /// Whether the entity is among the shown rows.
  let isShown: Bool
  /// The path by which the user reached the entity, as lines to show.
  let way: [TextLine]

  /// The query for the entity and for all data that the conditions test.
  var query: QueryPlan {
    var query = QueryPlan(plan.namespace).filter(.compare(identity, .equal, .text(entity.text)))
    plan.condition?.forEachPath { query = query.following($0.labels.dropLast()) }
    return query
  }

  func order(
    by snapshot: StoreSnapshot, isShown: Bool?, executor: ExplainRequest.Executor
  ) -> ExplainRequest {
    ExplainRequest(
      plan: plan, snapshot: snapshot, entity: entity, isShown: isShown, way: way, executor: executor
    )
  }
}
