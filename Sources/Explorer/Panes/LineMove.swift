/// A way to another line of a pane.
enum LineMove: Sendable, Equatable {
  /// As a key says it.
  case by(Intent)
  /// To a line, counted from the first of all.
  case to(Int)
  /// To a line that was clicked, counted from the first in view.
  case clicked(Int)
  /// With the view, by so many lines down.
  case scroll(Int)
}

extension ListCursor {
  /// Goes another way among so many lines; nil for an intent that does not move.
  mutating func go(_ move: LineMove, of count: Int, page: Int) -> Outcome? {
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
  /// Goes to another line of a standing pane; nil where it has none to go to, or the intent moves nothing.
  mutating func go(_ move: LineMove, in pane: StandingPane) -> Outcome? {
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

  /// The line under the cursor of a standing pane.
  func line(in pane: StandingPane) -> Int {
    switch pane {
    case .namespaces: namespaces.cursor.index
    case .schema: tab.schema.cursor.index
    case .query: 0
    case .results: tab.results.cursor.index
    }
  }
}
