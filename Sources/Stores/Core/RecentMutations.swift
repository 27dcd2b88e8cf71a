package import LiveQueries
package import Triples

/// The ids of recent changes, to apply each change only once.
///
/// The number of ids is limited per client, so that a busy client does not displace the ids of
/// others.
package struct RecentMutations: Sendable {
  private struct Entry {
    let id: MutationID
    let time: Int64
  }

  private let limits: RecognitionLimits
  private var times: [MutationID: Int64] = [:]
  /// The changes of each client, oldest first.
  private var clients: [String: [Entry]] = [:]

  package init(_ limits: RecognitionLimits = RecognitionLimits()) {
    self.limits = limits
  }

  /// Returns whether the change with this id was applied within the maximum age.
  ///
  /// - Parameter now: The current time in milliseconds since 1970.
  package func contains(_ id: MutationID, at now: Int64) -> Bool {
    times[id].map { now - $0 <= limits.maxAge } ?? false
  }

  /// Records an applied change.
  package mutating func insert(_ query: TransactionQuery, at now: Int64) {
    guard times.updateValue(now, forKey: query.id) == nil else { return }
    let client = query.author ?? ""
    clients[client, default: []].append(Entry(id: query.id, time: now))
    // Old ids are removed in batches of a quarter of the limit, not one by one.
    if let count = clients[client]?.count, count > limits.maxPerClient + limits.maxPerClient / 4 {
      forgetOldest(of: client, keeping: limits.maxPerClient, at: now)
    }
    guard times.count > limits.maxTotal + limits.maxTotal / 4 else { return }
    let share = limits.share(of: clients.values.map(\.count))
    for client in Array(clients.keys) { forgetOldest(of: client, keeping: share, at: now) }
  }

  private mutating func forgetOldest(of client: String, keeping count: Int, at now: Int64) {
    guard let entries = clients[client] else { return }
    let old = entries.prefix { now - $0.time > limits.maxAge }.count
    let rest = entries.dropFirst(max(old, entries.count - count))
    for change in entries[..<rest.startIndex] { times[change.id] = nil }
    clients[client] = rest.isEmpty ? nil : Array(rest)
  }
}
