/// A movement to another line of a pane.
enum ListMove: Sendable, Equatable {
  /// By a key.
  case by(Intent)
  /// To a line, counted from the first one.
  case to(Int)
  /// To a clicked line, counted from the first visible one.
  case clicked(Int)
  /// With the view, this many lines down.
  case scroll(Int)
}

extension ListCursor {
  /// Moves among this many lines; nil for an intent that does not move.
  mutating func go(_ move: ListMove, of count: Int, page: Int) -> InputResult? {
    switch move {
    case .by(let intent): return handle(intent, count: count, page: page)
    case .to(let line): self.move(to: line, of: count, page: page)
    case .clicked(let line): self.move(to: top + line, of: count, page: page)
    case .scroll(let lines): scroll(by: lines, of: count, page: page)
    }
    return .done
  }
}

extension Model {
  /// Moves to another line of a main pane; nil if the pane has no lines or the intent does not
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
    case .query: return nil
    case .results: return tab.results.go(move, page: layout.resultRows)
    }
  }

  /// The line under the cursor of a main pane.
  func line(in pane: MainPane) -> Int {
    switch pane {
    case .namespaces: namespaces.cursor.index
    case .schema: tab.schema.cursor.index
    case .query: 0
    case .results: tab.results.cursor.index
    }
  }
}
