import Triples
import TerminalUI

/// Where the panes stand on a screen of a given size.
///
/// Wide screens have namespaces and schema at the left of query and results; narrow ones show the
/// side that has the focus.
struct Layout: Equatable {
  let header: Rect
  let footer: Rect
  /// Namespaces above the schema; nil when the other side has the screen.
  let left: Rect?
  /// Query above the results; nil when the other side has the screen.
  let right: Rect?

  /// Rows within the panes.
  let namespaceRows: Int
  let schemaRows: Int
  let queryRows: Int
  let resultPaneRows: Int
  let helpRows: Int

  static let smallest = Size(columns: 40, rows: 10)
  private static let narrowColumns = 70
  private static let leftColumns = 27

  init(size: Size, focus: Focus, namespaceCount: Int) {
    header = Rect(row: 0, column: 0, rows: 1, columns: size.columns)
    footer = Rect(row: max(0, size.rows - 1), column: 0, rows: 1, columns: size.columns)
    let middle = max(0, size.rows - 2)
    let isNarrow = size.columns < Self.narrowColumns
    let leftWidth = isNarrow ? size.columns : Self.leftColumns
    let wantsLeft = focus == .namespaces || focus == .schema
    left =
      isNarrow && !wantsLeft
      ? nil : Rect(row: 1, column: 0, rows: middle, columns: leftWidth)
    let rightStart = isNarrow ? 0 : leftWidth
    right =
      isNarrow && wantsLeft
      ? nil
      : Rect(row: 1, column: rightStart, rows: middle, columns: size.columns - rightStart)
    // Three lines of each box are border: top, middle, bottom.
    let inner = max(0, middle - 3)
    namespaceRows = max(1, min(max(3, namespaceCount), inner / 2))
    schemaRows = max(0, inner - namespaceRows)
    queryRows = min(inner, 2)
    resultPaneRows = max(0, inner - queryRows)
    helpRows = max(1, middle - 2)
  }

  /// Rows of results in view, without their titles.
  var resultRows: Int { max(1, resultPaneRows - ResultsPane.titleRows) }
}

extension Model {
  var layout: Layout {
    Layout(
      size: size, focus: focus, namespaceCount: catalog?.schema.namespaces.count ?? 0)
  }
}
