import InstaQL
import Triples

/// A query for all entities that a deletion on a server would delete, including cascades.
///
/// Its answer is shown as a preview, and provides the data for an undo of the deletion.
struct DeletionImpactQuery: Sendable, Equatable {
  let entities: [EntityID]
  let namespace: String
  /// The text that stands for the entities to delete, such as "2 selected plants".
  let name: String
  /// The query for the entities and everything that is deleted with them, including all fields and
  /// links.
  let query: QueryPlan
  /// The tab and the pane that had the focus when the deletion was requested.
  let place: KeyPlace
  /// The catalog for the preview if the server does not answer. It may lack affected entities.
  let known: Catalog
  /// Whether the server answered. The subscription lasts until the deletion is submitted.
  var isAnswered = false

  init(
    _ entities: [EntityID], of namespace: String, called name: String, in known: Catalog,
    at place: KeyPlace
  ) {
    (self.entities, self.namespace, self.name, self.place) = (entities, namespace, name, place)
    self.known = known
    query = Self.whole(
      QueryPlan(namespace).filter(
        .isIn(known.schema.identityPath(from: namespace), entities.map { .text($0.text) })),
      of: namespace, in: known.schema, depth: Self.maxDepth)
  }

  /// The maximum depth of nested relations that servers accept.
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
  /// Whether deleting the source of the link also deletes its targets.
  fileprivate var deletesTargets: Bool {
    (direction == .forward ? attribute.onDeleteReverse : attribute.onDelete) == .cascade
  }
}

extension DeletionImpactQuery {
  /// Returns the request for a preview of the deletion.
  ///
  /// - Parameter catalog: The catalog with the server's answer; nil if the server did not answer.
  func order(in catalog: Catalog?) -> Preparation {
    .deletion(
      DeletionPreviewRequest(
        entities: entities, namespace: namespace, name: name, catalog: catalog ?? known,
        cascadingStore: catalog == nil ? "the server" : nil))
  }
}
