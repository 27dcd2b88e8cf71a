import InstaQL
import LiveQueries
import Triples

extension ChangesState {
  /// Returns the queries for the previous values of all entities that the staged changes update.
  ///
  /// The changes can be undone after they were sent only if these values are loaded.
  func queries(in schema: Schema) -> [QueryPlan] {
    var entities: [String: [EntityID]] = [:]
    for step in changes.filter({ $0.stagedParts > 0 }).flatMap(\.transaction.steps) {
      guard case .addTriple(.id(let entity), let id, _, .update) = step,
        let namespace = schema.attribute(id)?.namespace,
        entities[namespace]?.contains(entity) != true
      else { continue }
      entities[namespace, default: []].append(entity)
    }
    return entities.sorted { $0.key < $1.key }.map { namespace, entities in
      let ids = entities.suffix(Self.maxAsked).map { Value.text($0.text) }
      let plan = QueryPlan(namespace).filter(.isIn(schema.identityPath(from: namespace), ids))
      return schema.links(of: namespace).reduce(plan) { plan, link in
        plan.with(link.label) { $0.fields(["id"]) }
      }
    }
  }

  /// The maximum number of entities of one namespace to query.
  private static let maxAsked = 200
}
