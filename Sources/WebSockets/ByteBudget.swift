import Synchronization

/// How many bytes all connections together may hold for peers that are slow to send or to read.
final class ByteBudget: Sendable {
  private let held = Atomic(0)
  private let limit: Int

  init(_ limit: Int) {
    self.limit = limit
  }

  var isExceeded: Bool { held.load(ordering: .relaxed) > limit }

  func take(_ bytes: Int) { held.wrappingAdd(bytes, ordering: .relaxed) }

  func giveBack(_ bytes: Int) { held.wrappingSubtract(bytes, ordering: .relaxed) }
}
