import InstaQL
import LiveQueries
import Triples

// Reads the state on which the key hints depend.
extension Workspace {
  var hintState: HintState {
    let commands = footerCommands
    return HintState(
      commands: commands, focus: tab.focus, isPaneOpen: !tab.overlays.isEmpty,
      paneLabels: paneLabels(of: commands), isAway: store.isAway,
      isLoading: store.loading != nil, showsBeginning: showsBeginning,
      changes: changesToHint(among: commands),
      query: HintState.Query(
        hasFilters: tab.plan?.hasFilters == true,
        canUndo: tab.queryHistory?.undoStack.isEmpty == false,
        canRedo: tab.queryHistory?.redoStack.isEmpty == false,
        canGoBack: !tab.history.behind.isEmpty, canGoForward: !tab.history.ahead.isEmpty),
      results: tab.overlays.isEmpty && tab.focus == .results
        ? tab.results.table.map(resultsToHint) ?? .nothing : nil)
  }

  private var footerCommands: [Command] {
    if let index = tab.overlays.indices.last {
      return tab.overlays[index].pane.hints(in: context(of: index))
    }
    guard tab.focus == .results, let table = tab.results.table, table.height > 0,
      table.answer.count == nil
    else { return tab.focus.traits.hints }
    if tab.results.isReading { return PaneTraits.hintsForDocuments }
    if table.isSummary { return PaneTraits.hintsForGroups }
    return tab.results.chosenLink == nil ? PaneTraits.hintsForRows : PaneTraits.hintsForLinks
  }

  private func paneLabels(of commands: [Command]) -> [Command: String] {
    guard let pane = tab.overlays.last?.pane else { return [:] }
    var labels: [Command: String] = [:]
    for command in commands + [.help, .cancel, .interrupt, .callServer] {
      labels[command] = pane.label(of: command)
    }
    return labels
  }

  private func changesToHint(among commands: [Command]) -> HintState.Changes {
    HintState.Changes(
      areOfSavedQueries: focusedPane == .saved, isReadOnly: store.readOnlyReason != nil,
      isNamespaceReadOnly: editedNamespace.flatMap { known?.schema.readOnlyReason(of: $0) } != nil,
      // With many changes, it takes time to find out.
      canUndo: commands.contains(.undoTransaction) && hasChangeToUndo,
      canRedo: changes.state.canRedo)
  }

  /// Whether a change to the store can be undone.
  var canUndoChange: Bool { store.readOnlyReason == nil && hasChangeToUndo }

  private var hasChangeToUndo: Bool { changes.state.nextUndo != .nothing || carriedOver != nil }

  /// The namespace of the row that an editing key would change; nil if there is none.
  private var editedNamespace: String? {
    if let pane = tab.overlays.last?.pane { return (pane as? EntityPane)?.namespace }
    return tab.focus == .results ? tab.results.chosenEntity?.namespace ?? shownNamespace : nil
  }

  private func resultsToHint(of table: ResultTable) -> HintState.Results {
    let namespace = tab.results.chosenEntity?.namespace
    return HintState.Results(
      content: table.isSummary ? .groups : table.answer.count == nil ? .rows : .count,
      isReading: tab.results.isReading, isEmpty: table.height == 0,
      sorting: sorting(of: table.answer.plan), isGrouped: !table.answer.plan.groups.isEmpty,
      includesRelations: !table.answer.plan.relations.isEmpty,
      hasExpanded: !table.blocks.isEmpty, hasCollapsed: tab.results.folds.hidesSome,
      hasMarks: markedCount > 0, hasEntity: namespace != nil,
      canExpandEntity: tab.results.hasNestedValue
        || namespace.map { table.catalog.hasLinks(in: $0) } ?? false,
      hasMembers: tab.results.chosenMembers != nil,
      isInRelation: tab.results.relationAtCursor != nil,
      canRemoveAggregate: canRemoveAggregate(in: table),
      hasInferredLink: tab.results.inferredTargets != nil,
      column: tab.results.chosenColumn.map(HintState.Column.init))
  }

  private func sorting(of plan: QueryPlan) -> HintState.Results.Sorting {
    let plan = tab.results.relationAtCursor?.plan ?? plan
    if let column = tab.results.chosenColumn, !column.sign(in: plan.order).isEmpty {
      return .byColumn
    }
    return plan.order.isEmpty || plan.isInOrderOfNewGroups ? .none : .byOthers
  }

  /// Whether the selected column is an aggregate that can be removed from the query.
  private func canRemoveAggregate(in table: ResultTable) -> Bool {
    guard table.isSummary, let label = tab.results.chosenColumn?.label else { return false }
    let shown = table.answer.plan.shownAggregates
    return shown.count > 1 && shown.contains { $0.name == label }
  }

  /// Whether only the first rows of a store that is still loading are shown.
  var showsBeginning: Bool { store.isLoadingRest || tab.results.showsBeginning }
}

extension HintState.Column {
  fileprivate init(_ column: TableColumn) {
    let attribute = column.source?.attribute
    self.init(
      isLink: column.link != nil, isAttribute: attribute != nil,
      isNumber: attribute?.checkedType == .number,
      isDistinct: attribute.map { $0.isUnique || $0.isIdentity } ?? false)
  }
}
