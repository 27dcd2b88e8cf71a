import TerminalUI
import Triples
import Widgets

// Arranges the panes of the workspace.
extension Workspace {
  /// Counts the lines of the query. It is called after the query or the screen size changed.
  mutating func measureQuery() {
    tab.queryLines.forget()
    guard let plan = tab.queryHistory?.plan, let right = layout.right else { return }
    tab.queryLines.measure(
      plan, session.spelling, words: session.typedWords, in: known, columns: right.columns)
  }

  /// Counts the lines of the query again if its width or the store changed, for example because a
  /// divider was moved.
  ///
  /// - Parameter columns: The width of the query pane with its border.
  mutating func remeasureQuery(columns: Int) {
    guard !tab.queryLines.areMeasured(columns: columns, in: known?.store) else { return }
    let before = (tab.queryLines.columns, tab.queryLines.preferredRows)
    measureQuery()
    if before != (tab.queryLines.columns, tab.queryLines.preferredRows) || before.0 == 0 {
      keepInView()
    }
  }

  /// Whether the screen shows both the prompt and the list that is searched.
  private var showsSearchedList: Bool {
    searchedList != nil && !screen.isZoomed && !settings.isScreenReader
      && size.columns >= Layout.narrowColumns
  }

  var layout: Layout {
    // A prompt replaces the query pane, which must then be visible, unless the prompt is in a cell.
    // Without boxes, there are two more columns and one more row.
    Layout(
      size: settings.isScreenReader
        ? Size(columns: size.columns + 2, rows: size.rows + 1) : size,
      focus: isTypingInLine && !showsSearchedList ? .query : tab.focus,
      splits: screen.splits,
      zoom: settings.isScreenReader
        ? .pane : screen.isZoomed ? (isTypingInLine ? .side : .pane) : .none,
      Layout.Contents(
        namespaceCount: catalog?.schema.namespaces.count ?? 0,
        fieldCount: catalog?.maxFieldCount ?? 0,
        queryLines: linePrompt.map { min($0.preferredRows, Layout.maxTypedLines) }
          ?? tab.queryLines.preferredRows,
        staleRows: stalenessBelow != nil && !settings.isScreenReader ? 1 : 0,
        detail: detail,
        resultColumns: tab.preview == .hidden ? 0 : tab.results.neededColumns))
  }

  private var detail: Layout.Detail {
    guard hasDetail else { return .never }
    return switch tab.preview {
    case .onWideScreens: .onWideScreens
    case .open: .wanted
    case .hidden: .never
    }
  }

  /// Moves the cursor of a main pane. Returns nil if the pane has no lines or does not support the
  /// move.
  mutating func go(_ move: ListMove, in pane: MainPane) -> InputResult? {
    guard let catalog else { return nil }
    switch pane {
    case .namespaces:
      return moveInNamespaces { $0.cursor.go(move, of: $0.items.count, page: $1) }
    case .schema:
      guard let namespace = chosenNamespace else { return nil }
      let count = catalog.lines(of: namespace).count
      return tab.schema.cursor.go(move, of: count, page: layout.schemaRows)
    case .query: return tab.queryLines.scroll(move, page: layout.queryRows)
    case .results: return tab.results.go(move, page: layout.resultRows)
    }
  }

  func line(in pane: MainPane) -> Int {
    switch pane {
    case .namespaces: namespaces.cursor.index
    case .schema: tab.schema.cursor.index
    case .query: 0
    case .results: tab.results.cursor.index
    }
  }
}
