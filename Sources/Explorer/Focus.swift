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
    case .text: "Text"
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
    case .relations, .columns, .changes, .palette, .export, .subscriptions, .diagram, .themes: true
    case .namespaces, .schema, .query, .results, .help, .entity, .menu, .chooser, .saved, .text,
      .facets, .newEntity:
      false
    }
  }
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
