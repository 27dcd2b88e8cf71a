package import InstaQL

/// Who watches what: a pure table that says when to start and stop a watch.
///
/// Equal queries share one watch however many subscribe to them. The table carries nothing out; each
/// call answers with what its owner shall do.
package struct SubscriptionTable {
  package enum Action: Equatable {
    case startWatch(QueryDocument)
    case stopWatch(QueryDocument)
    case deliver(LiveResult, to: [SubscriptionID])
  }

  private struct Entry {
    var subscribers: [SubscriptionID] = []
    var last: LiveResult = .loading
  }

  private var entries: [QueryDocument: Entry] = [:]
  private var queries: [SubscriptionID: QueryDocument] = [:]

  package init() {}

  /// Enters a subscriber: the first one of a query starts its watch, a later one hears the last result.
  package mutating func subscribe(_ id: SubscriptionID, to document: QueryDocument) -> [Action] {
    precondition(queries[id] == nil, "A subscription id is used once")
    queries[id] = document
    let isFirst = entries[document] == nil
    entries[document, default: Entry()].subscribers.append(id)
    let last = entries[document]?.last ?? .loading
    return (isFirst ? [.startWatch(document)] : []) + [.deliver(last, to: [id])]
  }

  /// Removes a subscriber: the last one of a query ends its watch. Repeating the call does nothing.
  package mutating func unsubscribe(_ id: SubscriptionID) -> [Action] {
    guard let document = queries.removeValue(forKey: id) else { return [] }
    entries[document]?.subscribers.removeAll { $0 == id }
    guard entries[document]?.subscribers.isEmpty == true else { return [] }
    entries[document] = nil
    return [.stopWatch(document)]
  }

  /// Keeps a watch's newest result and names those who shall hear it; a repeated result is not told.
  package mutating func receive(_ result: LiveResult, for document: QueryDocument) -> [Action] {
    guard let entry = entries[document], entry.last != result else { return [] }
    entries[document]?.last = result
    return [.deliver(result, to: entry.subscribers)]
  }
}
