import InstaQL

// Keeps queries with days such as `today` and times such as `now` true.
extension Workspace {
  /// Returns a query with its days and times as of now, and waits for the moment at which they
  /// change. Its undo and redo steps stay the same.
  mutating func renewingTimes(in queryHistory: QueryHistory) -> QueryHistory {
    session.renewal.cancel()
    guard let schema = catalog?.schema,
      let renewed = session.typedWords.renew(queryHistory.plan, schema: schema)
    else { return queryHistory }
    session.renewal = Delay(renewed.lifetime)
    session.renewal.begin()
    // The names of saved queries are found by their plans.
    if !session.savedQueries.isEmpty { nameQueries(session.savedQueries) }
    guard renewed.plan != queryHistory.plan else { return queryHistory }
    return queryHistory.replacing(with: renewed.plan)
  }

  /// Subscribes to the current query again if its days or times have changed. Its rows and the
  /// cursor stay until the answer arrives. While live updates are paused, nothing changes.
  mutating func renewTimes() -> [Effect] {
    guard let before = tab.queryHistory else { return [] }
    let queryHistory = renewingTimes(in: before)
    guard tab.held == nil, queryHistory.plan != before.plan else { return [] }
    tab.queryHistory = queryHistory
    tab.results.expect(isSameNamespace: true, keepingPlace: true)
    return watchQuery()
  }
}
