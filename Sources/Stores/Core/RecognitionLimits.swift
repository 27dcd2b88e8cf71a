/// How long a store recognizes a change that it is given again.
///
/// A client repeats a change whose answer was lost. The store makes it once, for as long as it knows
/// the change's id: the last ones of each client, of the last days.
package struct RecognitionLimits: Sendable {
  /// Ids of older changes are forgotten, in milliseconds.
  package var maxAge: Int64
  /// The newest ids that are kept for each client.
  package var maxPerClient: Int
  /// The ids that are kept for all clients together. Of more, the clients with the most lose their
  /// oldest.
  package var maxTotal: Int

  package init(
    maxAge: Int64 = 7 * 24 * 3_600_000, maxPerClient: Int = 10_000, maxTotal: Int = 100_000
  ) {
    self.maxAge = maxAge
    self.maxPerClient = maxPerClient
    self.maxTotal = maxTotal
  }

  /// How many ids each client keeps.
  ///
  /// - Parameter counts: How many each client has.
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
