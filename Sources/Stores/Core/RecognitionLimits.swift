/// The limits within which a store recognizes a repeated change.
///
/// A client repeats a change whose confirmation was lost. The store recognizes the change by its id
/// and does not apply it again. It remembers a limited number of recent ids per client.
package struct RecognitionLimits: Sendable {
  /// The maximum age of an id in milliseconds; ids of older changes are forgotten.
  package var maxAge: Int64
  /// The maximum number of ids per client.
  package var maxPerClient: Int
  /// The maximum number of ids across all clients. Beyond this limit, the oldest ids of the clients
  /// with the most ids are forgotten.
  package var maxTotal: Int

  package init(
    maxAge: Int64 = 7 * 24 * 3_600_000, maxPerClient: Int = 10_000, maxTotal: Int = 100_000
  ) {
    self.maxAge = maxAge
    self.maxPerClient = maxPerClient
    self.maxTotal = maxTotal
  }

  /// Returns the largest limit per client that keeps the number of all ids within ``maxTotal``.
  ///
  /// - Parameter counts: The number of ids of each client.
  func share(of counts: [Int]) -> Int {
    var (kept, tooMany) = (0, maxPerClient + 1)
    while tooMany - kept > 1 {
      let middle = (kept + tooMany) / 2
      if counts.reduce(0, { $0 + min($1, middle) }) <= maxTotal {
        kept = middle
      } else {
        tooMany = middle
      }
    }
    return kept
  }
}
