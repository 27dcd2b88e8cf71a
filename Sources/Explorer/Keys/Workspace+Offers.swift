import InstaQL
import LiveQueries
import Triples

// Selects the hints for the footer: only keys that have an effect now.
extension Workspace {
  /// Returns whether a command has an effect now, so that the footer shows its key.
  func offers(_ command: Command) -> Bool {
    if showsBeginning, command.needsAllRows { return false }
    switch command {
    case .edit, .add, .delete, .undoTransaction, .redoTransaction, .deleteMarked, .hold:
      return offersChange(command)
    case .clearFilters: return tab.plan?.hasFilters == true
    case .undo: return tab.queryHistory?.undoStack.isEmpty == false
    case .redo: return tab.queryHistory?.redoStack.isEmpty == false
    case .back: return !tab.overlays.isEmpty || !tab.history.behind.isEmpty
    case .forward: return !tab.history.ahead.isEmpty
    default: return tab.overlays.isEmpty && tab.focus == .results ? offersInResults(command) : true
    }
  }

  private func offersChange(_ command: Command) -> Bool {
    // Deleting from the list of saved queries does not change the store.
    if focusedPane == .saved { return true }
    guard store.readOnlyReason == nil else { return false }
    if command == .undoTransaction {
      return changes.state.nextUndo != .nothing || carriedOver != nil
    }
    if command == .redoTransaction { return changes.state.canRedo }
    if command != .hold, let namespace = editedNamespace,
      known?.schema.readOnlyReason(of: namespace) != nil
    {
      return false
    }
    guard tab.overlays.isEmpty, tab.focus == .results else { return true }
    switch command {
    case .edit, .delete: return tab.results.chosenEntity != nil
    case .add: return tab.results.table.map { !$0.isSummary && $0.answer.count == nil } ?? false
    default: return true
    }
  }

  /// The namespace of the row that an editing key would change; nil if there is none.
  private var editedNamespace: String? {
    if let pane = tab.overlays.last?.pane { return (pane as? EntityPane)?.namespace }
    return tab.focus == .results ? tab.results.chosenEntity?.namespace ?? shownNamespace : nil
  }

  /// Returns whether the results contain what a command needs, such as a row or a link.
  private func offersInResults(_ command: Command) -> Bool {
    if command == .filterText { return tab.plan?.hasFilters == true }
    if command == .marks { return markedCount > 0 }
    guard let table = tab.results.table else { return !command.needsRow }
    switch command {
    case .open:
      return tab.results.chosenEntity != nil || tab.results.chosenMembers != nil
        || tab.results.relationAtCursor != nil
    case .relations: return !table.isSummary
    case .peek: return tab.results.chosenEntity != nil && tab.results.chosenLink != nil
    case .filterByCell: return tab.results.chosenEntity != nil
    case .order: return offersOrder(in: table)
    case .orderFurther: return table.answer.plan.order.isEmpty && offersOrder(in: table)
    case .group: return offersGroups(in: table)
    case .aggregate: return offersAggregates(in: table)
    case .expand:
      guard let (_, namespace) = tab.results.chosenEntity else { return false }
      if tab.results.isReading {
        return tab.results.folds.hidesSome && !table.answer.plan.relations.isEmpty
      }
      return table.catalog.lines(of: namespace).contains { $0.isLink }
    case .fold:
      return tab.results.isReading
        ? !table.answer.plan.relations.isEmpty : !tab.results.opened.isEmpty
    case .expandAll:
      return !table.answer.plan.relations.isEmpty || !tab.results.opened.isEmpty
        || tab.results.chosenLink != nil && !tab.results.isReading
    default: return true
    }
  }

  private func offersOrder(in table: ResultTable) -> Bool {
    table.answer.count == nil && table.height > 0
      && (table.isSummary || tab.results.chosenAttribute != nil)
  }

  /// Returns whether rows can have the same value in the selected column, so that groups make sense.
  private func offersGroups(in table: ResultTable) -> Bool {
    guard !table.isSummary, table.answer.count == nil, tab.results.relationAtCursor == nil else {
      return false
    }
    return tab.results.chosenAttribute.map { !$0.isUnique && !$0.isIdentity }
      ?? (tab.results.chosenColumn != nil)
  }

  private func offersAggregates(in table: ResultTable) -> Bool {
    if table.isSummary { return !table.answer.plan.groups.isEmpty }
    return table.answer.count == nil && tab.results.relationAtCursor == nil
      && tab.results.chosenAttribute?.checkedType == .number
  }
}

extension Workspace {
  /// Whether only the first rows of a store that is still loading are shown.
  var showsBeginning: Bool { store.isLoadingRest || tab.results.showsBeginning }
}

extension Command {
  /// Whether the command counts or exports rows, so that its effect on some of them would be wrong.
  var needsAllRows: Bool {
    switch self {
    case .export, .pipe, .outside, .facets, .explain, .marks: true
    default: false
    }
  }

  fileprivate var needsRow: Bool {
    switch self {
    case .open, .peek, .filterByCell, .order, .orderFurther, .group, .aggregate, .expand, .fold,
      .expandAll, .explain, .form:
      true
    default: false
    }
  }
}
