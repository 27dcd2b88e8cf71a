import Triples

extension QueryPlan {
  /// Returns whether the entity of a row satisfies the plan's filter. Order and page are ignored.
  ///
  /// Links are followed in the row's own store. An entity of another namespace does not match. Each
  /// call resolves the names again, so a query is faster for many entities.
  ///
  /// - Throws: `invalid` for a filter that is nested too deeply, `notALink` for an attribute used
  ///   as a link.
  public func matches(_ row: DataRow) throws(QueryError) -> Bool {
    let store = row.level.store
    let asked = try QueryEngine.prepare(QueryPlan(namespace, condition: condition), store.schema)
    return try !QueryEngine.matches(asked, among: RowSet([row.entity]), in: store).isEmpty
  }
}
