import Triples

extension QueryPlan {
  /// Whether an entity that is at hand satisfies the filter, in the store of its row: links are followed
  /// there. An entity of another namespace does not; order and window play no part.
  ///
  /// The names are looked up at each call; a query that filters many is quicker.
  ///
  /// - Throws: `invalid` for a filter nested too deep, `notALink` for an attribute that it follows.
  public func matches(_ row: DataRow) throws(QueryError) -> Bool {
    let store = row.level.store
    let asked = try QueryEngine.prepare(QueryPlan(namespace, condition: condition), store.schema)
    return try !QueryEngine.matches(asked, among: RowSet([row.entity]), in: store).isEmpty
  }
}
