import InstaQL
import LiveQueries
import Triples
import Widgets

/// A query for all entities that a deletion on a server would cascade to.
///
/// Its answer is shown in the preview, and makes the deletion undoable.
struct DeletionImpactQuery: Sendable, Equatable {
  let entities: [EntityID]
  let namespace: String
  /// The label of the entities as a group.
  let name: String
  /// The query for the entities and everything deleted with them, with all fields and links.
  let question: QueryPlan
  /// The focus when the deletion was requested.
  let place: KeyPlace
  /// The catalog without the server's data, used if the server does not answer.
  let known: Catalog
  /// Whether the server answered; the subscription lasts until the deletion is submitted.
  var isAnswered = false

  init(
    _ entities: [EntityID], of namespace: String, called name: String, in known: Catalog,
    at place: KeyPlace
  ) {
    (self.entities, self.namespace, self.name, self.place) = (entities, namespace, name, place)
    self.known = known
    question = Self.whole(
      QueryPlan(namespace).filter(
        .isIn(AttributePath(["id"]), entities.map { .text($0.text) })),
      of: namespace, in: known.schema, depth: Self.maxDepth)
  }

  /// The maximum number of nested relations that servers accept.
  private static let maxDepth = 4

  private static func whole(
    _ plan: QueryPlan, of namespace: String, in schema: Schema, depth: Int
  ) -> QueryPlan {
    schema.links(of: namespace).reduce(plan) { plan, link in
      plan.with(link.label) { linked in
        link.deletesTargets && depth > 0
          ? whole(linked, of: link.target, in: schema, depth: depth - 1) : linked.fields(["id"])
      }
    }
  }
}

extension Link {
  /// Whether deleting the source of the link deletes its targets.
  fileprivate var deletesTargets: Bool {
    (direction == .forward ? attribute.onDeleteReverse : attribute.onDelete) == .cascade
  }
}

extension DeletionImpactQuery {
  /// The request for a preview.
  ///
  /// - Parameter catalog: Nil if the server did not answer.
  func order(in catalog: Catalog?) -> Preparation {
    .deletion(
      DeletionPreviewRequest(
        entities: entities, namespace: namespace, name: name, catalog: catalog ?? known,
        alsoBy: catalog == nil ? "the server" : nil))
  }
}
