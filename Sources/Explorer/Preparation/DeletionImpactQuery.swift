import InstaQL
import Triples

/// A query for all entities that a deletion on a server would delete, including cascades.
///
/// Its answer is shown as a preview, and provides the data for an undo of the deletion.
struct DeletionImpactQuery: Sendable, Equatable {
  /// The preview to show if the server does not answer. It may lack affected entities.
  let preview: DeletionPreviewRequest
  /// The query for the entities and everything that is deleted with them, including all fields and
  /// links.
  let query: QueryPlan
  /// The tab and the pane that had the focus when the deletion was requested.
  let place: KeyPlace
  /// Whether the server answered. The subscription lasts until the deletion is submitted.
  var isAnswered = false

  init(_ preview: DeletionPreviewRequest, at place: KeyPlace) {
    (self.preview, self.place) = (preview, place)
    let (namespace, schema) = (preview.namespace, preview.catalog.schema)
    query = Self.whole(
      preview.catalog.plan(ofRows: preview.entities, in: namespace), of: namespace, in: schema,
      depth: Self.maxDepth)
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
