import InstaQL
import Triples

/// The targets of links in the order of a query.
enum Relations {
  /// The targets of `link` from `entity`, filtered and sorted by the query's relation, or else by
  /// creation.
  static func entities(
    of link: Link, from entity: EntityHandle, asked: QueryPlan, in catalog: Catalog
  ) -> [EntityHandle] {
    let targets = catalog.store.targets(entity, link)
    var nested = asked.removing(.count)
    nested.namespace = link.target
    do throws(QueryError) {
      let prepared = try QueryEngine.prepare(nested, catalog.schema)
      return try QueryEngine.answer(prepared, among: RowSet(targets), in: catalog.store).rows
    } catch {
      // A relation with an invalid query is shown completely.
      return targets
    }
  }

  /// The query for the targets of `link` from `entity`.
  static func plan(of link: Link, from entity: EntityHandle, in catalog: Catalog) -> QueryPlan {
    let plan = QueryPlan(link.target)
    guard catalog.schema.link(link.target, link.otherLabel) != nil else { return plan }
    return plan.filter(
      .compare(
        AttributePath([link.otherLabel, "id"]), .equal, .text(catalog.store.id(of: entity).text)))
  }
}
