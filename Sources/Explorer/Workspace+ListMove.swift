import Widgets

extension Workspace {
  /// Moves the cursor of a main pane. Returns nil if the pane has no lines or does not support the
  /// move.
  mutating func go(_ move: ListMove, in pane: MainPane) -> InputResult? {
    guard let catalog else { return nil }
    switch pane {
    case .namespaces:
      return moveInNamespaces { [page = layout.namespaceRows] in
        $0.go(move, catalog: catalog, page: page)
      }
    case .schema:
      guard let namespace = chosenNamespace else { return nil }
      return tab.schema.go(move, namespace: namespace, catalog: catalog, page: layout.schemaRows)
    case .query: return tab.queryLines.scroll(move, page: layout.queryRows)
    case .results: return tab.results.go(move, page: layout.resultRows)
    }
  }

  /// Returns the index of the cursor's line in a main pane.
  func line(in pane: MainPane) -> Int {
    switch pane {
    case .namespaces: namespaces.cursor.index
    case .schema: tab.schema.cursor.index
    case .query: 0
    case .results: tab.results.cursor.index
    }
  }
}
