import InstaQL
import TerminalUI
import Triples

/// A pane as the target of keys: the same key can have another meaning in each.
package enum Focus: CaseIterable, Sendable, Hashable {
  case namespaces, schema, query, results
  case help, entity, menu, relations, columns, changes, chooser, palette, saved, text, facets
  case export, subscriptions, diagram, newEntity, themes

  /// The pane's name in titles, help and messages.
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
    case .facets: "Value counts"
    case .export: "Export"
    case .subscriptions: "Live queries"
    case .diagram: "Diagram"
    case .newEntity: "New row"
    case .themes: "Themes"
    }
  }
}

extension Focus {
  /// The intent that focuses it from anywhere; nil if it only opens in context.
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

  /// Whether a second instance above the first would show the same.
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

  /// Whether it is modal: unknown keys do not reach the panes below, except keys for the program.
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

  /// Intents that change the row, cell or namespace under the cursor of a main pane.
  static let changing: [Intent] = [.edit, .add, .delete]

  /// The keys that keep their usual meaning here: while typing, no letters and no line-editing
  /// keys.
  func speaking(_ keys: [Key]) -> [Key] {
    takesTyping ? keys.filter { !TextField.edits($0) } : keys
  }

  /// Whether an intent for any pane has no effect here and can be left out of its help.
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
  /// Vertical movement by more than one line.
  private static let farther: [Intent] = byPages + [.first, .last]
  private static let byPages: [Intent] = [.pageUp, .pageDown, .halfPageUp, .halfPageDown]
  /// Intents that every dialog handles.
  private static let inDialogues = throughDialogues + [.up, .down, .open, .cancel, .back]
}

/// The permanent panes, in the order of Tab; others open above them.
enum MainPane: CaseIterable, Sendable, Hashable {
  case namespaces, schema, query, results

  var focus: Focus {
    switch self {
    case .namespaces: .namespaces
    case .schema: .schema
    case .query: .query
    case .results: .results
    }
  }

  var next: MainPane { moved(by: 1) }
  var previous: MainPane { moved(by: -1) }

  private func moved(by step: Int) -> MainPane {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + step + all.count) % all.count]
  }
}

extension MainPane {
  /// The most useful intents for the footer.
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

/// A pane of a tab.
struct KeyPlace: Sendable, Equatable {
  let tab: Int
  let focus: Focus
}
