import InstaQL

/// The query being composed, and the ones it was before: every change can be undone.
struct Composer: Sendable, Equatable {
  private(set) var plan: QueryPlan
  private(set) var undone: [QueryPlan]
  private(set) var past: [QueryPlan]

  /// - Parameters:
  ///   - past: What undoing leads back to, the newest last.
  ///   - undone: What redoing leads to, the next one last.
  init(_ plan: QueryPlan, past: [QueryPlan] = [], undone: [QueryPlan] = []) {
    self.plan = plan
    self.past = past
    self.undone = undone
  }

  /// Changes the query; an edit that changes nothing leaves no trace.
  mutating func change(_ edit: (inout QueryPlan) -> Void) {
    var next = plan
    edit(&next)
    replace(with: next)
  }

  mutating func replace(with next: QueryPlan) {
    guard next != plan else { return }
    past.append(plan)
    if past.count > Self.longestPast { past.removeFirst() }
    undone = []
    plan = next
  }

  /// Goes back to the query before; false when this is the first one.
  mutating func undo() -> Bool {
    guard let previous = past.popLast() else { return false }
    undone.append(plan)
    plan = previous
    return true
  }

  mutating func redo() -> Bool {
    guard let next = undone.popLast() else { return false }
    past.append(plan)
    plan = next
    return true
  }

  private static let longestPast = 1_000
}
