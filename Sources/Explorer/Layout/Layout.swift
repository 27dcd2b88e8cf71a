import TerminalUI

/// The positions of panes on a screen of a given size.
///
/// A wide screen shows namespaces and schema to the left of query and results. A narrower screen
/// shows the left side only while it has the focus. So does a wide screen on which the record next to
/// the rows needs the space. The narrowest screens only show the side that has the focus.
struct Layout: Equatable {
  let header: Rect
  let footer: Rect
  /// The area of the namespaces and of the schema below; nil if the other side covers the screen.
  let left: Rect?
  /// The area of the query and the results below the query; nil if the other side covers the
  /// screen.
  let right: Rect?

  /// The number of rows inside each main pane, without its border.
  let namespaceRows: Int
  let schemaRows: Int
  let queryRows: Int
  let resultPaneRows: Int
  /// The number of rows of the record below the results; 0 if it is next to them or hidden.
  private let detailRows: Int
  private let detail: Detail
  /// The area between header and footer.
  let middle: Rect
  /// The main pane that covers the whole screen; nil if a side with two panes is shown.
  let only: MainPane?
  private let zoom: Zoom
  private let splits: Splits

  static let smallest = Size(columns: 40, rows: 10)
  /// The minimum screen width at which the right side stays visible while the namespaces or the
  /// schema have the focus.
  static let narrowColumns = 70
  /// The minimum screen width at which the left side stays visible while the query or the results
  /// have the focus.
  private static let wideColumns = 100
  private static let leftColumns = 27
  private static let queryLines = 2
  private static let minSchemaRows = 3
  /// The maximum number of lines while the user types a query.
  static let maxTypedLines = 10
  /// The number of result rows to keep visible before a long query gets more lines.
  private static let preferredRows = 12

  /// The minimum width of the results at which a pane opens next to them. In narrower results, the
  /// pane covers them.
  private static let minColumnsForSidePane = 90
  /// The minimum screen width at which the record at the cursor is shown by default.
  private static let detailColumns = 120
  private static let minDetailColumns = 36
  /// The width of the rows on the narrowest of these screens, above which the record gets wider.
  private static let rowColumns = detailColumns - minDetailColumns
  /// The minimum number of result rows above a record; with fewer, the record does not fit.
  private static let minRowsAboveDetail = 10
  /// The minimum width in columns of both panes when the divider between them is moved.
  private static let minColumns = 16

  /// The part of the screen that the focused pane occupies.
  enum Zoom {
    case none, side, pane
  }

  /// A rule for when the record at the cursor is shown together with the rows.
  enum Detail {
    /// The screen does not show the record.
    case never
    /// The record is shown on wide screens if it leaves enough space for the columns of the rows. The
    /// left side may be hidden for it.
    case onWideScreens
    /// The user requested the record.
    case wanted
  }

  /// The contents of the screen, as far as they influence the sizes of panes.
  struct Contents {
    let namespaceCount: Int
    /// The number of fields of the namespace with the most fields.
    let fieldCount: Int
    /// The number of lines of the query. The query pane gets that many lines if enough space remains
    /// for the results.
    let queryLines: Int
    /// The number of rows, above the last row, that state why data may be out of date.
    let staleRows: Int
    let detail: Detail
    /// The minimum width at which the results show as many columns as they would on a screen of 80
    /// columns; 0 if they have no records.
    let resultColumns: Int
  }

  /// Computes the positions of the panes.
  ///
  /// - Parameter focus: The main pane that must be visible.
  init(size: Size, focus: MainPane, splits: Splits, zoom: Zoom, _ contents: Contents) {
    self.zoom = zoom
    self.splits = splits
    header = Rect(row: 0, column: 0, rows: 1, columns: size.columns)
    footer = Rect(row: max(0, size.rows - 1), column: 0, rows: 1, columns: size.columns)
    let rows = max(0, size.rows - 2 - contents.staleRows)
    middle = Rect(row: 1, column: 0, rows: rows, columns: size.columns)
    let wantsLeft = focus == .namespaces || focus == .schema
    let width = Self.within(
      splits[.left] ?? Self.leftColumns,
      Self.minColumns...max(Self.minColumns, size.columns - Self.smallest.columns))
    let isWide = size.columns >= Self.detailColumns
    // Without the left side, a wide screen always has enough space for the record. A width that the
    // user set keeps the left side.
    let isLeftHidden =
      isWide && !wantsLeft && splits[.left] == nil
      && !Self.fitsDetail(in: size.columns - width, beside: contents.resultColumns)
    let isAlone =
      zoom != .none || isLeftHidden
      || size.columns < (wantsLeft ? Self.narrowColumns : Self.wideColumns)
    let sides = middle.split(columns: isAlone ? (wantsLeft ? size.columns : 0) : width)
    left = isAlone && !wantsLeft ? nil : sides.left
    right = isAlone && wantsLeft ? nil : sides.right
    only = zoom == .pane ? focus : nil
    let columns = right?.columns ?? 0
    let isDetailed =
      contents.detail == .wanted
      || contents.detail == .onWideScreens && isWide
        && Self.fitsDetail(in: columns, beside: contents.resultColumns)
    detail = isDetailed ? contents.detail : .never
    if let only {
      let inner = max(0, rows - 2)
      namespaceRows = only == .namespaces ? inner : 0
      schemaRows = only == .schema ? inner : 0
      queryRows = only == .query ? inner : 0
      resultPaneRows = only == .results ? inner : 0
      detailRows = 0
      return
    }
    // The borders of two panes, one above the other, take three rows: top, middle and bottom.
    let inner = max(0, rows - 3)
    let limit = max(1, inner - 1)
    // The namespaces get at most half of the rows, or those that no schema needs.
    let free = max(inner / 2, inner - max(Self.minSchemaRows, contents.fieldCount))
    namespaceRows = Self.within(
      splits[.namespaces] ?? min(max(3, contents.namespaceCount), free), 1...limit)
    schemaRows = max(0, inner - namespaceRows)
    let wanted = min(contents.queryLines, inner - Self.preferredRows)
    queryRows = min(
      inner,
      Self.within(splits[.query] ?? max(Self.queryLines, wanted), 1...max(1, inner - Self.minRows)))
    let below = max(0, inner - queryRows)
    let isBelow =
      detail == .wanted && zoom == .none && below >= Self.minRowsAboveDetail
      && columns < Self.minColumnsForSidePane
    detailRows = isBelow ? below / 2 : 0
    resultPaneRows = isBelow ? below - detailRows - 1 : below
  }

  /// Returns the default width of the record next to the results.
  private static func detailWidth(in columns: Int) -> Int {
    max(minDetailColumns, min(columns * 2 / 5, columns - rowColumns))
  }

  /// Returns whether the record leaves rows in `columns` the columns that they need.
  private static func fitsDetail(in columns: Int, beside rows: Int) -> Bool {
    columns - detailWidth(in: columns) >= rows
  }

  /// The maximum numbers of rows and columns that would show nothing but borders next to a popup.
  private static let uselessRows = 2
  private static let uselessColumns = 3
  /// The minimum number of result rows that stay visible when a divider is moved.
  private static let minRows = 3

  private static func within(_ number: Int, _ range: ClosedRange<Int>) -> Int {
    min(max(number, range.lowerBound), range.upperBound)
  }

  /// Returns the area of a pane that opens above the others, including its border.
  func area(of place: PanePlace) -> Rect {
    switch place {
    case .screen: return middle
    case .results: return resultsArea
    case .beside:
      return besideColumns.map { resultsArea.split(columns: resultsArea.columns - $0).right }
        ?? resultsArea
    case .popup(let columns, let rows, let heading, let maxRows):
      // Text that is too wide continues on additional lines.
      let more =
        heading.isEmpty ? columns / max(1, middle.columns - 1) : headRows(heading, columns)
      let largest = middle.centered(
        Size(
          columns: Self.extended(columns + 2, to: middle.columns, over: Self.uselessColumns),
          rows: Self.extended(
            max(rows, maxRows) + more + 2, to: middle.rows, over: Self.uselessRows)))
      return maxRows == 0 ? largest : largest.split(rows: rows + more + 2).top
    case .at(let corner, let columns, let rows, let heading):
      return middle.holding(
        Size(columns: columns + 2, rows: rows + headRows(heading, columns) + 2), near: corner)
    }
  }

  /// Returns the area of a pane that opens above the others; nil if no space remains inside its
  /// border, so that it is not drawn.
  func visibleArea(of place: PanePlace) -> Rect? {
    let area = area(of: place)
    return area.rows > 2 && area.columns > 2 ? area : nil
  }

  /// Returns the number of additional rows that a popup needs for a heading too long for its title
  /// line.
  private func headRows(_ heading: String, _ columns: Int) -> Int {
    MenuPane.head(heading, in: min(columns + 2, middle.columns) - 2).count
  }

  /// Returns the width or height of a popup, including its border: all of it if only a useless rest
  /// would remain.
  private static func extended(_ wanted: Int, to all: Int, over useless: Int) -> Int {
    all - wanted <= useless ? all : wanted
  }

  /// The width of a pane next to the results; nil if there is not enough space for both.
  private var besideColumns: Int? {
    let all = resultsArea.columns
    guard zoom == .none, all >= Self.minColumnsForSidePane else { return nil }
    return Self.within(
      splits[.beside] ?? (all - all / 2), Self.minColumns...(all - Self.minColumns))
  }

  /// The area of the record at the cursor, including its border; nil if it is not shown.
  var detailArea: Rect? {
    guard detail != .never, let right, zoom == .none else { return nil }
    if detailRows > 0 { return right.inset(top: queryRows + resultPaneRows + 2) }
    guard let besideColumns else { return nil }
    let area = resultsArea
    let columns = splits[.beside] == nil ? Self.detailWidth(in: area.columns) : besideColumns
    return area.split(columns: area.columns - columns).right
  }

  /// Whether the record at the cursor is next to the results instead of below them.
  var isDetailBeside: Bool { detailArea != nil && detailRows == 0 }

  /// The area of the results, including the line above them. If the results are hidden, it is the
  /// whole area between header and footer.
  private var resultsArea: Rect {
    guard let right, zoom == .none else { return middle }
    return right.inset(top: queryRows + 1)
  }

  /// Returns the area inside the border of a main pane; nil if another pane takes its place.
  func inside(_ pane: MainPane) -> Rect? {
    let (side, above, rows) =
      switch pane {
      case .namespaces: (left, -1, namespaceRows)
      case .schema: (left, namespaceRows, schemaRows)
      case .query: (right, -1, queryRows)
      case .results: (right, queryRows, resultPaneRows)
      }
    guard let side, only == nil || only == pane else { return nil }
    return Rect(
      row: side.row + (only == nil ? above : -1) + 2, column: side.column + 1, rows: rows,
      columns: side.columns - 2)
  }

  func shows(_ pane: MainPane) -> Bool { inside(pane).map { $0.rows > 0 } ?? false }

  /// The number of result rows that fit into the pane below the column titles.
  var resultRows: Int { max(1, resultPaneRows - ResultsPane.titleRows) }

  // MARK: Dividers

  /// Returns the current size of the pane that a divider resizes; nil if the pane is hidden.
  func size(_ divider: Splits.Divider) -> Int? {
    switch divider {
    case .left: right == nil ? nil : left?.columns
    case .namespaces: left == nil || only != nil ? nil : namespaceRows
    case .query: right == nil || only != nil ? nil : queryRows
    case .beside: besideColumns
    }
  }

  /// Returns the divider at a position on the screen; nil if no divider is there.
  ///
  /// - Parameter beside: The width of the pane next to the results; 0 if there is none.
  func divider(at position: Position, beside columns: Int) -> Splits.Divider? {
    guard middle.contains(position) else { return nil }
    if columns > 0, position.column == resultsArea.endColumn - columns,
      resultsArea.contains(position)
    {
      return .beside
    }
    if size(.left) != nil, let right,
      position.column == right.column || position.column == right.column - 1
    {
      return .left
    }
    if size(.namespaces) != nil, let left, left.contains(position),
      position.row == left.row + 1 + namespaceRows
    {
      return .namespaces
    }
    if size(.query) != nil, let right, right.contains(position),
      position.row == right.row + 1 + queryRows
    {
      return .query
    }
    return nil
  }

  /// Returns the size of a divider's pane after the divider is dragged to a position.
  func size(_ divider: Splits.Divider, at position: Position) -> Int {
    switch divider {
    case .left: position.column + 1
    case .namespaces, .query: position.row - middle.row - 1
    case .beside: resultsArea.endColumn - position.column
    }
  }
}
