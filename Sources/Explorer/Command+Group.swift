extension Command {
  /// The topics of commands, in the order in which lists show them.
  enum Group: CaseIterable, Sendable {
    case querying, data, answer, columns, panes, program, moving

    var title: String {
      switch self {
      case .querying: "Querying"
      case .data: "Changing data"
      case .answer: "Exploring"
      case .columns: "Columns"
      case .panes: "Panes and tabs"
      case .program: "Program"
      case .moving: "Moving"
      }
    }
  }

  var group: Group {
    switch self {
    case .filterByCell, .excludeCell, .filterText, .queryText, .order, .orderFurther, .orderText,
      .group, .aggregate, .relations, .limit, .undo, .redo, .saveQuery, .savedQueries, .spelling:
      .querying
    case .edit, .add, .delete, .undoTransaction, .redoTransaction, .hold, .mark, .marks,
      .deleteMarked:
      .data
    case .open, .peek, .back, .forward, .expand, .fold, .expandAll, .form, .facets, .explain,
      .pause, .changes, .subscriptions, .diagram, .copy, .export, .pipe, .outside, .find,
      .findNext, .findPrevious:
      .answer
    case .columns, .hideColumn, .fitColumn, .freezeColumn, .moveUp, .moveDown, .wider, .narrower,
      .reset:
      .columns
    case .nextPane, .previousPane, .paneNamespaces, .paneSchema, .paneQuery, .paneResults,
      .paneEntity, .splitLeft, .splitRight, .splitUp, .splitDown, .evenSplits, .zoom, .newTab,
      .closeTab,
      .nextTab, .previousTab, .stores:
      .panes
    case .palette, .help, .cancel, .quit, .interrupt, .suspend, .redraw, .nextTheme, .themes,
      .mouse,
      .callServer:
      .program
    case .up, .down, .left, .right, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last,
      .firstColumn, .lastColumn:
      .moving
    }
  }

  /// All commands, group by group.
  static let grouped = Group.allCases.flatMap { group in allCases.filter { $0.group == group } }
}

extension Command {
  /// Whether the command moves the cursor downwards.
  var leadsDown: Bool {
    switch self {
    case .down, .pageDown, .halfPageDown, .last: true
    default: false
    }
  }
}
