/// One page of an answer: its entities, its cursors, and the number of all matches.
public struct EntityPage<E: QueryEntity>: Sendable {
  /// The entities of the page, in order.
  public let rows: [E]
  /// The cursors of the page; nil when the query has neither a page nor an order.
  public let info: PageInfo?
  /// The number of all matching entities.
  public let total: Int

  init(_ found: (level: RowLevel, answer: Answer)) throws(QueryError) {
    rows = try Self.entities(found.level)
    info = found.answer.pageInfo
    total = found.answer.total
  }

  static func entities(_ level: RowLevel) throws(QueryError) -> [E] {
    var entities: [E] = []
    entities.reserveCapacity(level.entities.count)
    for row in level.rows() { entities.append(try E(row: row)) }
    return entities
  }
}
