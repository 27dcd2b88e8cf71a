/// How long to wait before the next try: nothing at first, a second more each time, ten at most.
///
/// A part of each wait is left to chance, so that the clients of a server that went away do not come
/// back all at once.
///
/// - Source: the reconnection rule of InstantDB's client, which has no chance in it.
package struct Backoff: Hashable, Sendable {
  /// In milliseconds.
  package static let step: Int64 = 1_000
  /// In milliseconds.
  package static let longest: Int64 = 10_000
  /// The greatest part of a wait that chance may take away.
  package static let chance = 0.25

  /// The next wait before chance has its say, in milliseconds.
  package private(set) var delay: Int64 = 0

  package init() {}

  /// The next wait in milliseconds; the one after it is longer.
  ///
  /// - Parameter random: At least 0 and less than 1; 0 gives the whole wait.
  package mutating func next(random: Double) -> Int64 {
    let shortened = Double(delay) * Self.chance * random
    let wait = delay - Int64(shortened)
    delay = min(delay + Self.step, Self.longest)
    return wait
  }

  package mutating func reset() { delay = 0 }
}
