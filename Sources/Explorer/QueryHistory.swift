import InstaQL

/// The current query of a tab, with the stacks for undo and redo.
struct QueryHistory: Sendable, Equatable {
  private(set) var plan: QueryPlan
  private(set) var redoStack: [QueryPlan]
  private(set) var undoStack: [QueryPlan]

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - undoStack: The previous queries, newest last.
  ///   - redoStack: The undone queries; the one to redo next is last.
  init(_ plan: QueryPlan, undoStack: [QueryPlan] = [], redoStack: [QueryPlan] = []) {
    self.plan = plan
    self.undoStack = undoStack
    self.redoStack = redoStack
  }

  /// Edits the query. An edit without effect is not recorded.
  mutating func change(_ edit: (inout QueryPlan) -> Void) {
    var next = plan
    edit(&next)
    replace(with: next)
  }

  mutating func replace(with next: QueryPlan) {
    guard next != plan else { return }
    undoStack.append(plan)
    if undoStack.count > Self.maxUndoCount { undoStack.removeFirst() }
    redoStack = []
    plan = next
  }

  /// Restores the previous query. Returns false if there is none.
  mutating func undo() -> Bool {
    guard let previous = undoStack.popLast() else { return false }
    redoStack.append(plan)
    plan = previous
    return true
  }

  mutating func redo() -> Bool {
    guard let next = redoStack.popLast() else { return false }
    undoStack.append(plan)
    plan = next
    return true
  }

  private static let maxUndoCount = 1_000
}
