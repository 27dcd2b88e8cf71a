import InstaQL
import LiveQueries
import Triples

/// The state on which the footer's key hints depend.
///
/// It is small, so that the hints are laid out again only after it changes.
struct HintState: Sendable, Equatable {
  /// The commands of the focused pane, the most useful first.
  let commands: [Command]
  /// The main pane that has the focus, or gets it when the open panes are closed.
  let focus: MainPane
  let isPaneOpen: Bool
  /// The labels of commands in the open pane; empty if none is open.
  let paneLabels: [Command: String]
  /// Whether the store does not respond, so that calling it is the first thing to do.
  let isAway: Bool
  /// Whether nothing of the store is shown yet.
  let isLoading: Bool
  /// Whether only the first rows of a store that is still loading are shown.
  let showsBeginning: Bool
  let changes: Changes
  let query: Query
  /// What the results show; nil unless they have the focus.
  let results: Results?

  /// Which changes to the store are possible.
  struct Changes: Sendable, Equatable {
    /// Whether deleting and undoing concern saved queries instead of the store.
    let areOfSavedQueries: Bool
    let isReadOnly: Bool
    /// Whether the rows of the namespace at the cursor cannot be changed.
    let isNamespaceReadOnly: Bool
    let canUndo: Bool
    let canRedo: Bool
  }

  /// The query and how it came about.
  struct Query: Sendable, Equatable {
    let hasFilters: Bool
    let canUndo: Bool
    let canRedo: Bool
    let canGoBack: Bool
    let canGoForward: Bool
  }

  /// What the results show, and what their cursor selects.
  struct Results: Sendable, Equatable {
    enum Content: Sendable, Equatable { case nothing, rows, groups, count }
    /// How the rows are sorted: by the selected column, or only by others that a further one keeps.
    enum Sorting: Sendable, Equatable { case none, byColumn, byOthers }

    let content: Content
    /// Whether rows are shown as a tree or as JSON.
    var isReading = false
    var isEmpty = true
    var sorting = Sorting.none
    var isGrouped = false
    var includesRelations = false
    var hasExpanded = false
    var hasCollapsed = false
    var hasMarks = false
    var hasEntity = false
    var canExpandEntity = false
    /// Whether the cursor is on a group that can be opened.
    var hasMembers = false
    var isInRelation = false
    /// Whether the selected column is an aggregate, and the query has others.
    var canRemoveAggregate = false
    /// Whether `open` follows a link that the selected column's name suggests.
    var hasInferredLink = false
    var column: Column?

    static let nothing = Results(content: .nothing)
  }

  /// The selected column.
  struct Column: Sendable, Equatable {
    let isLink: Bool
    let isAttribute: Bool
    let isNumber: Bool
    /// Whether no two rows have the same value.
    let isDistinct: Bool
  }
}

// MARK: - Commands

extension HintState {
  /// The commands that are hinted at before those of the pane.
  private var first: [Command] {
    isAway ? [.callServer] : isLoading ? [.interrupt] : []
  }

  /// The commands that are always hinted at: help, and quit or cancel.
  var recovery: [Command] {
    // While a pane is open, the quit key closes it.
    [.help, isPaneOpen ? .cancel : .quit]
  }

  /// The commands that have an effect now, the most useful first.
  var offered: [Command] {
    let recovery = recovery
    return first + commands.filter { !recovery.contains($0) && offers($0) }
  }

  /// Returns whether a command has an effect now.
  func offers(_ command: Command) -> Bool {
    if showsBeginning, command.needsAllRows { return false }
    return switch command {
    case .edit, .add, .delete, .undoTransaction, .redoTransaction, .deleteMarked, .hold:
      offersChange(command)
    case .clearFilters: query.hasFilters
    case .undo: query.canUndo
    case .redo: query.canRedo
    case .back: isPaneOpen || query.canGoBack
    case .forward: query.canGoForward
    case .filterText where results != nil: query.hasFilters
    default: results?.offers(command) ?? true
    }
  }

  private func offersChange(_ command: Command) -> Bool {
    if changes.areOfSavedQueries { return true }
    if changes.isReadOnly { return false }
    switch command {
    case .undoTransaction: return changes.canUndo
    case .redoTransaction: return changes.canRedo
    case .hold: return true
    default: break
    }
    if changes.isNamespaceReadOnly { return false }
    guard let results else { return true }
    switch command {
    case .edit, .delete: return results.hasEntity
    case .add: return results.content == .rows
    default: return true
    }
  }

  /// Returns a label of one or two words for a command in the focused pane.
  func label(of command: Command) -> String {
    if let label = paneLabels[command] { return label }
    switch command {
    case .interrupt where isLoading: return "cancel"
    case .orderFurther: return results?.sorting == .byOthers ? "then by" : "desc"
    case .group: return "count"
    case .aggregate where results?.content != .groups: return "sum …"
    case .filterByCell: return "filter"
    case .hideColumn where results?.content == .groups: return "remove"
    case .palette where results.map { $0.content.showsRows && !$0.isEmpty } ?? false:
      return "column"
    case .expandAll:
      guard let results else { break }
      let isExpanded = results.isReading ? !results.hasCollapsed : results.hasExpanded
      return isExpanded ? "collapse all" : "expand all"
    default: break
    }
    return focus.traits.label(of: command)
  }
}

extension HintState.Results.Content {
  /// Whether there are lines with columns: rows or groups.
  fileprivate var showsRows: Bool { self == .rows || self == .groups }
}

extension HintState.Results {
  /// Returns whether the results contain what a command needs, such as a row or a link.
  fileprivate func offers(_ command: Command) -> Bool {
    if command == .marks { return hasMarks && content != .groups }
    if content == .nothing { return !command.needsRow }
    let hasLines = content.showsRows && !isEmpty
    return switch command {
    case .open: hasEntity || hasMembers || isInRelation
    case .relations: content != .groups
    case .peek: hasEntity && (column?.isLink == true || hasInferredLink)
    case .filterByCell: hasEntity || content == .groups && hasLines
    case .order: hasLines && offersOrder
    case .orderFurther: hasLines && offersOrder && sorting != .byColumn
    case .group: content == .rows && !isInRelation && column?.isDistinct == false
    case .aggregate:
      content == .groups
        ? isGrouped : content == .rows && !isInRelation && column?.isNumber == true
    case .hideColumn: content != .groups || canRemoveAggregate
    case .expand: isReading ? hasEntity && hasCollapsed && includesRelations : canExpandEntity
    case .fold: isReading ? includesRelations : hasExpanded
    case .expandAll: includesRelations || hasExpanded || !isReading && column?.isLink == true
    default: true
    }
  }

  private var offersOrder: Bool { content == .groups || column?.isAttribute == true }
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
