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
  /// The only standing pane that is shown; nil when a whole side is.
  let only: StandingPane?
  private let zoom: Zoom
  private let splits: Splits

  static let smallest = Size(columns: 40, rows: 10)
  private static let narrowColumns = 70
  private static let leftColumns = 27
  private static let queryLines = 2
  /// A long query has so many.
  static let mostQueryLines = 4
  /// Rows of results that are worth more than the rest of a long query.
  private static let wishedRows = 12

  /// From here on an entity stands beside the results, not in their place.
  private static let widestAlone = 90
  /// What moving a divider leaves a pane at least.
  private static let leastColumns = 16

  /// How much of the screen the pane in focus has for itself.
  enum Zoom {
    case none, side, pane
  }

  /// - Parameters:
  ///   - focus: The standing pane that must be in sight.
  ///   - queryLines: How many the query takes: it has them where the results have room beneath.
  ///   - staleRows: Rows above the last one that say why what is shown may not be true.
  init(
    size: Size, focus: StandingPane, namespaceCount: Int, splits: Splits = Splits(),
    zoom: Zoom = .none, queryLines: Int = 1, staleRows: Int = 0
  ) {
    self.zoom = zoom
    self.splits = splits
    header = Rect(row: 0, column: 0, rows: 1, columns: size.columns)
    footer = Rect(row: max(0, size.rows - 1), column: 0, rows: 1, columns: size.columns)
    let rows = max(0, size.rows - 2 - staleRows)
    middle = Rect(row: 1, column: 0, rows: rows, columns: size.columns)
    let isAlone = size.columns < Self.narrowColumns || zoom != .none
    let wantsLeft = focus == .namespaces || focus == .schema
    let width = Self.within(
      splits[.left] ?? Self.leftColumns,
      Self.leastColumns...max(Self.leastColumns, size.columns - Self.smallest.columns))
    let sides = middle.split(columns: isAlone ? (wantsLeft ? size.columns : 0) : width)
    left = isAlone && !wantsLeft ? nil : sides.left
    right = isAlone && wantsLeft ? nil : sides.right
    only = zoom == .pane ? focus : nil
    if let only {
      let inner = max(0, rows - 2)
      namespaceRows = only == .namespaces ? inner : 0
      schemaRows = only == .schema ? inner : 0
      queryRows = only == .query ? inner : 0
      resultPaneRows = only == .results ? inner : 0
      return
    }
    // Three lines of each box are border: top, middle, bottom.
    let inner = max(0, rows - 3)
    let most = max(1, inner - 1)
    namespaceRows = Self.within(
      splits[.namespaces] ?? min(max(3, namespaceCount), inner / 2), 1...most)
    schemaRows = max(0, inner - namespaceRows)
    let wanted = min(queryLines, Self.mostQueryLines, inner - Self.wishedRows)
    queryRows = min(
      inner,
      Self.within(
        splits[.query] ?? max(Self.queryLines, wanted), 1...max(1, inner - Self.leastRows)))
    resultPaneRows = max(0, inner - queryRows)
  }

  /// Rows beneath a popup that show nothing.
  private static let uselessRows = 2
  private static let uselessColumns = 3
  /// Rows that moving a divider leaves the results.
  private static let leastRows = 3

  private static func within(_ number: Int, _ range: ClosedRange<Int>) -> Int {
    min(max(number, range.lowerBound), range.upperBound)
  }

  /// Where a pane that opens above the others is drawn, its border included.
  func area(of place: PanePlace) -> Rect {
    switch place {
    case .screen: return middle
    case .results: return resultsArea
    case .beside:
      return besideColumns.map { resultsArea.split(columns: resultsArea.columns - $0).right }
        ?? resultsArea
    case .popup(let columns, let rows, let heading):
      // What does not fit side by side goes on in lines of its own.
      let more =
        heading.isEmpty ? columns / max(1, middle.columns - 1) : headRows(heading, columns)
      return middle.centered(
        Size(columns: popupColumns(columns + 2), rows: popupRows(rows + more)))
    case .at(let corner, let columns, let rows, let heading):
      return middle.holding(
        Size(columns: columns + 2, rows: rows + headRows(heading, columns) + 2), near: corner)
    }
  }

  /// Rows of a heading that is too long for a popup's own line.
  private func headRows(_ heading: String, _ columns: Int) -> Int {
    MenuPane.head(heading, in: min(columns + 2, middle.columns) - 2).count
  }

  /// Columns that a popup has of the screen's, its border included: one or two of the panes beneath
  /// would be their borders alone.
  private func popupColumns(_ wanted: Int) -> Int {
    middle.columns - wanted <= Self.uselessColumns ? middle.columns : wanted
  }

  /// Rows that a popup has of those between header and footer, its border included.
  private func popupRows(_ rows: Int) -> Int {
    let wanted = rows + 2
    // A line or two of the panes beneath would be their borders alone.
    return middle.rows - wanted <= Self.uselessRows ? middle.rows : wanted
  }

  /// Columns of what stands beside the results; nil where there is no room for both.
  private var besideColumns: Int? {
    let all = resultsArea.columns
    guard zoom == .none, all >= Self.widestAlone else { return nil }
    return Self.within(
      splits[.beside] ?? (all - all / 2), Self.leastColumns...(all - Self.leastColumns))
  }

  /// The results with the line above them; everything where they are not in sight.
  private var resultsArea: Rect {
    guard let right, zoom == .none else { return middle }
    return right.inset(top: queryRows + 1)
  }

  /// Whether a pane has rows on the screen.
  func shows(_ pane: StandingPane) -> Bool {
    switch pane {
    case .namespaces: left != nil && namespaceRows > 0
    case .schema: left != nil && schemaRows > 0
    case .query: right != nil && queryRows > 0
    case .results: right != nil && resultPaneRows > 0
    }
  }

  /// Rows of results in view, without their titles.
  var resultRows: Int { max(1, resultPaneRows - ResultsPane.titleRows) }

  // MARK: Dividers

  /// How large a divider makes its pane now; nil where it is not in sight.
  func size(_ divider: Splits.Divider) -> Int? {
    switch divider {
    case .left: right == nil ? nil : left?.columns
    case .namespaces: left == nil || only != nil ? nil : namespaceRows
    case .query: right == nil || only != nil ? nil : queryRows
    case .beside: besideColumns
    }
  }

  /// The divider at a place on the screen.
  ///
  /// - Parameter hasBeside: Whether a pane stands beside the results.
  func divider(row: Int, column: Int, hasBeside: Bool) -> Splits.Divider? {
    guard middle.contains(row: row, column: column) else { return nil }
    if hasBeside, size(.beside) != nil, column == area(of: .beside).column,
      resultsArea.contains(row: row, column: column)
    {
      return .beside
    }
    if size(.left) != nil, let right, column == right.column || column == right.column - 1 {
      return .left
    }
    if size(.namespaces) != nil, let left, left.contains(row: row, column: column),
      row == left.row + 1 + namespaceRows
    {
      return .namespaces
    }
    if size(.query) != nil, let right, right.contains(row: row, column: column),
      row == right.row + 1 + queryRows
    {
      return .query
    }
    return nil
  }

  /// How large a divider makes its pane when it is drawn to a place.
  func size(_ divider: Splits.Divider, at row: Int, column: Int) -> Int {
    switch divider {
    case .left: column + 1
    case .namespaces, .query: row - middle.row - 1
    case .beside: resultsArea.endColumn - column
    }
  }
}

extension Model {
  /// Counts the lines of the query anew: it is another one, or the screen has another size.
  mutating func measureQuery() {
    (tab.queryLines, tab.queryColumns) = (1, 0)
    guard let plan = tab.composer?.plan, let right = layout.right else { return }
    tab.queryColumns = right.columns
    tab.queryLines = QueryLine(plan, in: known)
      .lines(in: right.columns - 2, most: Layout.mostQueryLines)
  }

  /// Counts them anew where the query has become wider or narrower: by a divider, a zoom, another tab.
  mutating func remeasureQuery() {
    guard let columns = layout.right?.columns, columns != tab.queryColumns else { return }
    measureQuery()
    keepInView()
  }

  var layout: Layout {
    // The prompt stands in the query's place, which must then be in sight. Without boxes there are
    // two columns and a row more.
    Layout(
      size: preferences.isLinear ? Size(columns: size.columns + 2, rows: size.rows + 1) : size,
      focus: prompt == nil ? tab.focus : .query,
      namespaceCount: catalog?.schema.namespaces.count ?? 0, splits: sizes.splits,
      zoom: preferences.isLinear ? .pane : sizes.isZoomed ? (prompt == nil ? .pane : .side) : .none,
      queryLines: tab.queryLines, staleRows: isStale && !preferences.isLinear ? 1 : 0)
  }
}
