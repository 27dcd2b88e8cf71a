import InstaQL
import Triples

extension Unsent {
  /// What a server is asked while changes are kept back: all of what they change, so that they can be
  /// taken back once they are sent, whatever is shown by then.
  func questions(in schema: Schema) -> [QueryPlan] {
    var entities: [String: [EntityID]] = [:]
    for step in changes.flatMap(\.steps) {
      guard case .addTriple(.id(let entity), let id, _, .update) = step,
        let namespace = schema.attribute(id)?.namespace,
        entities[namespace]?.contains(entity) != true
      else { continue }
      entities[namespace, default: []].append(entity)
    }
    return entities.sorted { $0.key < $1.key }.map { namespace, entities in
      let ids = entities.suffix(Self.mostAsked).map { Value.text($0.text) }
      let plan = QueryPlan(namespace).filter(.isIn(AttributePath(["id"]), ids))
      return schema.links(of: namespace).reduce(plan) { plan, link in
        plan.with(link.label) { $0.fields(["id"]) }
      }
    }
  }

  /// More than that nobody keeps back of one namespace.
  private static let mostAsked = 200
}
