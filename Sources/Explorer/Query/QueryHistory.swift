import InstaQL
import Notebooks

/// The current query of a tab, with the stacks for undo and redo. The stacks also contain changes
/// of the query's columns.
struct QueryHistory: Sendable, Equatable {
  /// What undo or redo restores.
  enum Step: Sendable, Equatable {
    case query(QueryPlan)
    case columns(ColumnSettings)

    fileprivate var plan: QueryPlan? { if case .query(let plan) = self { plan } else { nil } }
  }

  private(set) var plan: QueryPlan
  private(set) var redoStack: [Step]
  private(set) var undoStack: [Step]

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - earlier: The previous queries, newest last.
  ///   - later: The undone queries; the one to redo next is last.
  init(_ plan: QueryPlan, earlier: [QueryPlan] = [], later: [QueryPlan] = []) {
    self.plan = plan
    undoStack = earlier.map(Step.query)
    redoStack = later.map(Step.query)
  }

  /// The previous queries, newest last.
  var earlierPlans: [QueryPlan] { undoStack.compactMap(\.plan) }
  /// The undone queries; the one to redo next is last.
  var laterPlans: [QueryPlan] { redoStack.compactMap(\.plan) }

  /// Edits the query. An edit without effect is not recorded.
  mutating func change(_ edit: (inout QueryPlan) -> Void) {
    let before = plan
    edit(&plan)
    if plan != before { record(.query(before)) }
  }

  /// Returns the history with another current query, without a step for undo.
  func replacing(with plan: QueryPlan) -> QueryHistory {
    var history = self
    history.plan = plan
    return history
  }

  /// Records the columns before a change. Successive changes of widths are undone together.
  mutating func record(_ columns: ColumnSettings, before next: ColumnSettings) {
    guard next != columns else { return }
    if case .columns(let earlier)? = undoStack.last, redoStack.isEmpty,
      earlier.differsOnlyInWidths(from: columns), columns.differsOnlyInWidths(from: next)
    {
      return
    }
    record(.columns(columns))
  }

  private mutating func record(_ step: Step) {
    undoStack.append(step)
    if undoStack.count > Self.maxUndoCount { undoStack.removeFirst() }
    redoStack = []
  }

  /// Undoes the last change. Returns what it restores; nil if there is nothing to undo.
  ///
  /// - Parameter columns: The current columns, which redo restores.
  mutating func undo(from columns: ColumnSettings) -> Step? {
    guard let step = undoStack.popLast() else { return nil }
    redoStack.append(restore(step, from: columns))
    return step
  }

  mutating func redo(from columns: ColumnSettings) -> Step? {
    guard let step = redoStack.popLast() else { return nil }
    undoStack.append(restore(step, from: columns))
    return step
  }

  /// Restores the query of a step. Returns the step that reverses it.
  private mutating func restore(_ step: Step, from columns: ColumnSettings) -> Step {
    guard case .query(let former) = step else { return .columns(columns) }
    defer { plan = former }
    return .query(plan)
  }

  private static let maxUndoCount = 1_000
}
