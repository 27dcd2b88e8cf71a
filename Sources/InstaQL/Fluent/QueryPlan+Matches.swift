import Triples

extension QueryPlan {
  /// Returns whether an entity satisfies the filter, with links followed in the store of its row.
  /// False for an entity of another namespace; order and page are ignored.
  ///
  /// Names are resolved at each call; for many entities a query is faster.
  ///
  /// - Throws: `invalid` for a filter that is nested too deeply, `notALink` for an attribute used
  ///   as a link.
  public func matches(_ row: DataRow) throws(QueryError) -> Bool {
    let store = row.level.store
    let asked = try QueryEngine.prepare(QueryPlan(namespace, condition: condition), store.schema)
    return try !QueryEngine.matches(asked, among: RowSet([row.entity]), in: store).isEmpty
  }
}
