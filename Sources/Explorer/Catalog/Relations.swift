import InstaQL
import Triples

/// Finds the targets of links, in the order that a query defines.
enum Relations {
  /// Returns the targets of `link` from `entity`, filtered and sorted by the relation's query. If
  /// that query is invalid, returns all targets.
  static func entities(
    of link: Link, from entity: EntityHandle, plan: QueryPlan, in catalog: Catalog
  ) -> [EntityHandle] {
    let targets = catalog.store.targets(entity, link)
    var nested = plan.removing(.count)
    nested.namespace = link.target
    do throws(QueryError) {
      let prepared = try QueryEngine.prepare(nested, catalog.schema)
      return try QueryEngine.answer(prepared, among: RowSet(targets), in: catalog.store).rows
    } catch {
      // If the query of the relation is invalid, all targets are shown.
      return targets
    }
  }

  static func plan(of link: Link, from entity: EntityHandle, in catalog: Catalog) -> QueryPlan {
    let plan = QueryPlan(link.target)
    guard catalog.schema.link(link.target, link.otherLabel) != nil else { return plan }
    let (label, value) = catalog.readablyIdentifying(entity, in: link.reversed.target)
    return plan.filter(.compare(AttributePath([link.otherLabel, label]), .equal, value))
  }
}

extension QueryPlan {
  /// The relations that the query includes to list their rows, at any depth.
  var relationPaths: Set<[String]> {
    var paths: Set<[String]> = []
    for relation in relations where !relation.plan.isCount {
      paths.insert([relation.label])
      for path in relation.plan.relationPaths { paths.insert([relation.label] + path) }
    }
    return paths
  }
}
