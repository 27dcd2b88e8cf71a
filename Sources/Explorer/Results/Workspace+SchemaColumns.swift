import InstaQL
import Notebooks
import TerminalUI
import Triples

// Handles attributes of the schema pane as columns of the results.
extension Workspace {
  /// Performs a command on the field at the cursor of the schema pane. Nil if it does not apply to
  /// a field.
  mutating func performInSchema(_ command: Command) -> [Effect]? {
    guard let (namespace, source) = chosenInSchema else { return nil }
    switch (command, source) {
    case (.open, .link(let link)): return drillDown(QueryPlan(link.target))
    case (.open, .attribute):
      let effects = showColumn(source.label, of: namespace)
      tab.focus = .results
      return effects
    case (.filterByCell, _):
      typeFilter(by: source)
      return []
    case (.order, _), (.orderFurther, _), (.group, _), (.aggregate, _), (.hideColumn, _),
      (.fitColumn, _), (.freezeColumn, _):
      let effects = showColumn(source.label, of: namespace)
      guard tab.results.table?.answer.namespace == namespace else {
        return effects + performWhenLoaded(command)
      }
      // The next key is for the groups. If the results are hidden, the effect becomes visible.
      if command == .group || !layout.shows(.results) { tab.focus = .results }
      return effects + (performInResults(command) ?? [])
    default: return nil
    }
  }

  /// Counts the values of the attribute at the cursor of the schema pane; nil if another pane has
  /// the focus.
  mutating func countInSchema() -> [Effect]? {
    guard tab.overlays.isEmpty, tab.focus == .schema, let (namespace, source) = chosenInSchema
    else { return nil }
    let effects = showColumn(source.label, of: namespace)
    guard tab.results.table?.answer.namespace == namespace else {
      return effects + performWhenLoaded(.facets)
    }
    return effects + showFacets()
  }

  /// The label of the column at the cursor of the results or of the schema; nil if the cursor is
  /// elsewhere.
  var columnAtCursor: String? {
    guard tab.focus == .schema else {
      return tab.results.relationAtCursor?.links.first?.label ?? tab.results.chosenColumn?.label
    }
    return chosenInSchema?.source.label
  }

  /// The field at the cursor of the schema pane, and its namespace; nil if there is none.
  var chosenInSchema: (namespace: String, source: ColumnSource)? {
    guard let catalog, let namespace = chosenNamespace else { return nil }
    return tab.schema.chosen(of: namespace, in: catalog).map { (namespace, $0) }
  }

  /// Selects a column of the results.
  ///
  /// Opens the namespace or shows the hidden column first if necessary.
  mutating func showColumn(_ label: String, of namespace: String) -> [Effect] {
    guard namespace == shownNamespace else {
      let effects = drillDown(QueryPlan(namespace))
      tab.results.wantedColumn = label
      return effects
    }
    var effects: [Effect] = []
    if var settings = tab.results.table?.settings, settings.hidden.contains(label) {
      settings.hidden.toggle(label)
      effects = arrange(settings)
    }
    tab.results.choose(columnOf: label)
    return effects
  }

  /// Opens a list of all namespaces with the names and types of their columns.
  mutating func openAllColumns() -> [Effect] {
    guard let catalog, !catalog.schema.namespaces.isEmpty else { return notify(missingQueryReason) }
    open(TextPane(.allColumns, catalog.columnLines))
    return []
  }
}

extension Catalog {
  /// The namespaces, each followed by a line with its columns.
  fileprivate var columnLines: [TextLine] {
    schema.namespaces.flatMap { namespace in
      let columns = lines(of: namespace).map { SchemaPane.text(of: $0, in: self) }
      return [TextLine(namespace, .emphasis), TextLine("  " + columns.joined(separator: ", "))]
    }
  }
}

extension PaneTraits {
  package static let allColumns = reference(
    "All columns",
    about: "All namespaces with their columns and types, and their links: → to one, ⇉ to many.")
}
