import InstaQL
import Triples

/// The row for which a command runs: the one at the cursor of the results, or that of a record.
struct RowAtCursor: Sendable, Equatable {
  let entity: EntityHandle
  let namespace: String
  /// The field at the cursor.
  let source: ColumnSource?
  /// The query that determines which linked entities are part of the row's JSON.
  let plan: QueryPlan
  var catalog: Catalog

  var id: EntityID { catalog.store.id(of: entity) }
  var label: String { catalog.label(of: entity, in: namespace) }
  var target: EditTarget { EditTarget(entity: id, namespace: namespace, source: source) }
}

extension ResultsPane {
  /// The row at the cursor; nil on a line without an entity.
  var chosenRow: RowAtCursor? {
    guard let table, let (entity, namespace) = chosenEntity else { return nil }
    return RowAtCursor(
      entity: entity, namespace: namespace, source: chosenColumn?.source,
      plan: relationAtCursor?.plan ?? table.answer.plan, catalog: table.catalog)
  }
}
