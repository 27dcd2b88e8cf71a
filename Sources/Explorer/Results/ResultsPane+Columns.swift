import InstaQL
import Widgets

// Determines which columns are visible.
extension ResultsPane {
  typealias Slot = ColumnLayout.Slot

  static let gap = ColumnLayout.gap
  static let margin = ColumnLayout.margin

  /// The minimum width at which the rows leave space for their record (see
  /// `ResultTable.neededColumns`); 0 if they have no records.
  ///
  /// While other rows load, it stays the same, so that no pane appears or disappears meanwhile. In
  /// other forms of the results and for other queries of the namespace, it does not get smaller.
  var neededColumns: Int {
    switch content {
    case .nothing, .loading: previousNeededColumns
    case .table(let table) where form == .table && !table.answer.rows.isEmpty:
      max(table.neededColumns, keptNeededColumns)
    case .table, .failed: keptNeededColumns
    }
  }

  /// Creates a pane whose rows are not loaded yet. Until they are, it needs as much space as
  /// `previous`.
  init(after previous: ResultsPane) { previousNeededColumns = previous.neededColumns }

  /// Returns the positions of the columns that fit in `width`.
  func slots(of table: ResultTable, width: Int) -> [Slot] {
    ColumnLayout.slots(
      of: table.columns.map(\.fit), frozen: table.settings.frozenCount(of: table.columns),
      chosen: column, from: 1, width: width - Self.margin)
  }

  /// The rows and columns that were last measured to fit the column widths.
  struct Measured: Sendable, Equatable {
    var lines = 0..<0
    var columns: [Int] = []
    /// The selected column and the pane's width, which together determine the visible columns.
    var chosen = 0
    var width = 0
  }

  /// Widens the visible columns to fit the visible rows. In the first answer to a query, also moves
  /// columns that the query uses next to the label if they are out of view.
  mutating func fitColumns(width: Int, page: Int) {
    guard !isReading, let table, table.answer.count == nil else { return }
    measureColumns(width: width, page: page)
    guard !table.isArranged else { return }
    // A column that moves next to the label can move another one out of view.
    var moved: Set<String>
    repeat {
      moved = self.table?.moved ?? []
      arrangeColumns(width: width)
      measureColumns(width: width, page: page)
    } while self.table?.moved.isSubset(of: moved) == false
  }

  /// Moves columns that the query uses next to the label if they are out of view.
  private mutating func arrangeColumns(width: Int) {
    guard let table else { return }
    let visible = slots(of: table, width: width).filter {
      $0.width >= min(table.columns[$0.column].width, ColumnLayout.minShownWidth)
    }
    var new = table.arranged(showing: Set(visible.map { table.columns[$0.column].label }))
    new.open(opened)
    restoreColumn(in: new)
    content = .table(new)
    measured = Measured()
  }

  private mutating func measureColumns(width: Int, page: Int) {
    guard case .table(var table) = content else { return }
    let lines = linesInView(page: page).clamped(to: 0..<table.height)
    guard
      measured.lines != lines || measured.chosen != column || measured.width != width
        || measured.columns.isEmpty
    else { return }
    let before = measured
    measured = Measured(lines: lines, chosen: column, width: width)
    // A wider column can scroll other columns into view, which must then be measured, too.
    while true {
      let new = slots(of: table, width: width).map(\.column)
        .filter { !measured.columns.contains($0) }
      if new.isEmpty { break }
      let known = new.filter(before.columns.contains)
      table.fit(known, to: lines.lazy.filter { !before.lines.contains($0) })
      table.fit(new.filter { !known.contains($0) }, to: lines)
      measured.columns += new
    }
    content = .table(table)
  }

  /// Returns the drawn width of the selected column of the rows; nil if it is not visible.
  func chosenWidth(within width: Int) -> Int? {
    table.flatMap { slots(of: $0, width: width).first { $0.column == column }?.width }
  }

  /// Returns the positions of the visible columns of the relation at the cursor, or else of the rows.
  private func slotsHere(width: Int) -> [Slot] {
    relationAtCursor.map { slots(of: $0, width: width) }
      ?? table.map { slots(of: $0, width: width) } ?? []
  }

  /// Returns the position of the column at the cursor; nil if it is not visible.
  func slotHere(width: Int) -> Slot? { slotsHere(width: width).first { $0.column == columnHere } }

  /// Returns the width of a text field over the cell at the cursor, for a text of `columns` columns.
  ///
  /// The field ends before the gap between two columns, or covers the next column completely. The
  /// rest of a cut cell would read like a part of the text.
  func fieldWidth(for columns: Int, within width: Int) -> Int {
    let slots = slotsHere(width: width)
    guard let slot = slots.first(where: { $0.column == columnHere }) else { return columns }
    // The cursor after the text may use one of the two columns of the gap.
    if columns <= slot.width { return min(max(slot.width, columns + 2), slot.width + 1) }
    var end = slot.offset + columns + 2
    for next in slots where next.offset > slot.offset && next.offset <= end {
      end = max(end, next.offset + next.width)
    }
    return end - slot.offset
  }

  /// Returns the first visible column directly after columns that are scrolled out of view. Nil if
  /// the visible columns are consecutive.
  static func firstAfterHidden(_ slots: [Slot]) -> Slot? {
    zip(slots, slots.dropFirst()).first { $1.column > $0.column + 1 }?.1
  }

  /// Returns the index of the column under the mouse on the cursor's line.
  func columnHere(at offset: Int, width: Int) -> Int? {
    slotsHere(width: width).last { $0.offset <= offset }?.column
  }

  /// Returns the column whose right edge is under the mouse in the title line; nil if there is
  /// none.
  func edge(at offset: Int, width: Int) -> Slot? {
    guard let table, !table.isSummary else { return nil }
    return slots(of: table, width: width).first {
      ($0.offset + $0.width..<$0.offset + $0.width + Self.gap).contains(offset)
    }
  }

  /// Selects columns of the rows and of expanded relations.
  mutating func choose(columns: [Int]) {
    chosenColumns = columns
    column = max(0, min(column, (table?.columns.count ?? 0) - 1))
  }

  /// Selects the column with this label, if it exists.
  mutating func choose(columnOf label: String) {
    guard let place = table?.columns.firstIndex(where: { $0.label == label }) else { return }
    column = place
  }

  /// Selects the column with this label, or waits until the column exists.
  mutating func reach(columnOf label: String) {
    guard relationAtCursor == nil else { return }
    wantedColumn = label
    reachWantedColumn()
  }

  mutating func reachWantedColumn() {
    guard let wantedColumn, let table,
      let place = table.columns.firstIndex(where: { $0.label == wantedColumn })
    else { return }
    column = place
    self.wantedColumn = nil
  }

  /// Selects the first column that contains the search match, unless a fully visible column does.
  mutating func reachMatchingColumn(width: Int) {
    let (matching, seen) = (matchingColumns, visibleColumns(width: width))
    guard let first = matching.first, !seen.contains(where: matching.contains) else { return }
    choose(column: first)
  }

  /// Returns the label of the column with the search match in the line at the cursor, a fully
  /// visible one if possible. Nil if it is the first column, which is always visible.
  func matchingColumn(width: Int) -> String? {
    let matching = matchingColumns
    guard let first = matching.first, first > 0 else { return nil }
    let seen = visibleColumns(width: width)
    return columnsHere[matching.first(where: seen.contains) ?? first].label
  }

  /// The columns with the search match in the line at the cursor.
  private var matchingColumns: [Int] {
    guard form == .table, let table else { return [] }
    if table.isSummary, cursor.index < table.height {
      return table.columns.indices.filter {
        pattern.isIn(table.cell($0, ofGroup: cursor.index).text)
      }
    }
    guard let entity = chosenEntity?.entity else { return [] }
    let columns = columnsHere
    return columns.indices.filter {
      pattern.isIn(columns[$0].cell(of: entity, in: table.catalog).text)
    }
  }

  /// Returns the fully visible columns of the line at the cursor.
  private func visibleColumns(width: Int) -> [Int] {
    let columns = columnsHere
    return slotsHere(width: width).filter { $0.width >= columns[$0.column].width }.map(\.column)
  }
}
