import TerminalUI

/// A pane as far as keys are concerned: what each key means may differ from one to the other.
package enum Focus: CaseIterable, Sendable, Hashable {
  case namespaces, schema, query, results
  case help, entity, menu, relations, columns, changes, chooser, palette, saved, text, facets
  case export, subscriptions, diagram, newEntity, themes

  /// The pane's name, as titles, help and messages say it.
  package var title: String {
    switch self {
    case .namespaces: "Namespaces"
    case .schema: "Schema"
    case .query: "Query"
    case .results: "Results"
    case .help: "Help"
    case .entity: "Entity"
    case .menu: "Menu"
    case .relations: "Relations"
    case .columns: "Columns"
    case .changes: "Changes"
    case .chooser: "Chooser"
    case .palette: "Palette"
    case .saved: "Saved queries"
    case .text: "Explain"
    case .facets: "Facets"
    case .export: "Export"
    case .subscriptions: "Subscriptions"
    case .diagram: "Diagram"
    case .newEntity: "New entity"
    case .themes: "Themes"
    }
  }
}

extension Focus {
  /// What leads to it from anywhere; nil for a pane that opens only where it is asked for.
  var intent: Intent? {
    switch self {
    case .namespaces: .paneNamespaces
    case .schema: .paneSchema
    case .query: .paneQuery
    case .results: .paneResults
    case .entity: .paneEntity
    case .facets: .facets
    case .changes: .changes
    case .subscriptions: .subscriptions
    case .diagram: .diagram
    case .help, .menu, .relations, .columns, .chooser, .palette, .saved, .text, .export, .newEntity,
      .themes:
      nil
    }
  }

  /// Whether a second one above the first would show the same.
  var isAlone: Bool {
    switch self {
    case .relations, .columns, .changes, .palette, .export, .subscriptions, .diagram, .themes,
      .saved:
      true
    case .namespaces, .schema, .query, .results, .help, .entity, .menu, .chooser, .text, .facets,
      .newEntity:
      false
    }
  }
}

extension Focus {
  /// Whether letters are typed into it.
  var takesTyping: Bool {
    switch self {
    case .chooser, .palette, .newEntity, .themes: true
    case .namespaces, .schema, .query, .results, .help, .entity, .menu, .relations, .columns,
      .changes, .saved, .text, .facets, .export, .subscriptions, .diagram:
      false
    }
  }

  /// Whether it is answered before anything beneath it: no key that it does not know reaches that, but
  /// for what concerns the program.
  var isDialogue: Bool {
    switch self {
    case .menu, .chooser, .palette, .export: true
    case .namespaces, .schema, .query, .results, .help, .entity, .relations, .columns, .changes,
      .saved, .text, .facets, .subscriptions, .diagram, .newEntity, .themes:
      false
    }
  }

  static let throughDialogues: [Intent] = [
    .help, .palette, .nextTheme, .suspend, .redraw, .quit, .interrupt,
  ]

  /// What is done to the row, the cell or the namespace under the cursor of a standing pane.
  static let changing: [Intent] = [.edit, .add, .delete]

  /// Those of some keys that say what they say elsewhere: where one types, no letter does, and no key
  /// that edits a line.
  func speaking(_ keys: [Key]) -> [Key] {
    takesTyping ? keys.filter { !TextField.edits($0) } : keys
  }

  /// Whether what is meant for any pane does nothing in this one, so that its help need not tell of it.
  package func ignores(_ intent: Intent) -> Bool {
    switch self {
    case .menu: !Self.inDialogues.contains(intent) && !Self.farther.contains(intent)
    case .chooser, .palette: !Self.inDialogues.contains(intent) && !Self.byPages.contains(intent)
    case .export:
      !Self.inDialogues.contains(intent)
        && ![.left, .right, .nextPane, .previousPane, .mark].contains(intent)
    case .namespaces, .schema: Self.sideways.contains(intent) || Self.unfolding.contains(intent)
    case .changes, .text, .facets, .subscriptions:
      Self.sideways.contains(intent) || Self.unfolding.contains(intent)
        || Self.changing.contains(intent)
    case .saved:
      Self.sideways.contains(intent) || Self.unfolding.contains(intent)
        || intent != .delete && Self.changing.contains(intent)
    case .query:
      Self.sideways.contains(intent) || Self.unfolding.contains(intent)
        || Self.farther.contains(intent) || [.up, .down].contains(intent)
    case .entity: Self.toEnds.contains(intent)
    case .relations: Self.toEnds.contains(intent) || Self.changing.contains(intent)
    case .columns:
      Self.toEnds.contains(intent) || Self.unfolding.contains(intent)
        || Self.changing.contains(intent)
    case .diagram: Self.unfolding.contains(intent) || Self.changing.contains(intent)
    case .results, .help, .newEntity, .themes: false
    }
  }

  private static let toEnds: [Intent] = [.firstColumn, .lastColumn]
  private static let sideways = [.left, .right] + toEnds
  private static let unfolding: [Intent] = [.expand, .fold]
  /// Down and up by more than a line.
  private static let farther: [Intent] = byPages + [.first, .last]
  private static let byPages: [Intent] = [.pageUp, .pageDown, .halfPageUp, .halfPageDown]
  /// What every dialogue does.
  private static let inDialogues = throughDialogues + [.up, .down, .open, .cancel, .back]
}

/// The panes that are always there, in the order of Tab; others open above them.
enum StandingPane: CaseIterable, Sendable, Hashable {
  case namespaces, schema, query, results

  var focus: Focus {
    switch self {
    case .namespaces: .namespaces
    case .schema: .schema
    case .query: .query
    case .results: .results
    }
  }

  var next: StandingPane { moved(by: 1) }
  var previous: StandingPane { moved(by: -1) }

  private func moved(by step: Int) -> StandingPane {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + step + all.count) % all.count]
  }
}

extension StandingPane {
  /// What helps most in it, for the footer.
  var hints: [Intent] {
    switch self {
    case .namespaces: [.open, .filterText, .queryText, .nextPane]
    case .schema: [.open, .back, .filterText, .nextPane]
    case .query: [.open, .filterText, .limit, .undo, .redo, .nextPane]
    case .results:
      [
        .add, .filterByCell, .filterText, .order, .relations, .limit, .expand, .open, .peek, .back,
        .edit,
        .undo, .copy, .explain, .form, .changes, .palette,
      ]
    }
  }
}
