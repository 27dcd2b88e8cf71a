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
  /// All between header and footer.
  let middle: Rect

  static let smallest = Size(columns: 40, rows: 10)
  private static let narrowColumns = 70
  private static let leftColumns = 27

  /// From here on an entity stands beside the results, not in their place.
  private static let widestAlone = 90

  /// - Parameter focus: The standing pane that must be in sight.
  init(size: Size, focus: StandingPane, namespaceCount: Int) {
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
    self.middle = Rect(row: 1, column: 0, rows: middle, columns: size.columns)
  }

  /// Where a pane that opens above the others is drawn, its border included.
  func area(of place: PanePlace) -> Rect {
    switch place {
    case .screen: middle
    case .results: resultsArea
    case .beside:
      resultsArea.columns < Self.widestAlone
        ? resultsArea : resultsArea.split(columns: resultsArea.columns / 2).right
    case .popup(let columns, let rows):
      middle.centered(Size(columns: columns + 2, rows: rows + 2))
    }
  }

  /// The results with the line above them; everything where they are not in sight.
  private var resultsArea: Rect {
    guard let right else { return middle }
    return right.inset(top: queryRows + 1)
  }

  /// Rows of results in view, without their titles.
  var resultRows: Int { max(1, resultPaneRows - ResultsPane.titleRows) }
}

extension Model {
  var layout: Layout {
    // The prompt stands in the query's place, which must then be in sight.
    Layout(
      size: size, focus: prompt == nil ? focus : .query,
      namespaceCount: catalog?.schema.namespaces.count ?? 0)
  }
}
