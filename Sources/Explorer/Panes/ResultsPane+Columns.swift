// The visible columns.
extension ResultsPane {
  /// The position of a column: its index, its distance from the left and its width.
  struct Slot: Equatable {
    let column: Int
    let offset: Int
    let width: Int
  }

  /// The gap between two columns.
  static let gap = 2
  /// The columns at the right edge for the mark that there are more.
  static let margin = 1
  /// The minimum visible width of a cut column.
  private static let minShownWidth = 3

  /// The columns of the rows that fit in `width`.
  func slots(of table: ResultTable, width: Int) -> [Slot] {
    Self.slots(
      of: table.columns, frozen: table.frozenCount, chosen: column, from: 1,
      width: width - Self.margin)
  }

  /// The columns that fit in `width`, including the frozen ones and the selected one.
  ///
  /// Frozen columns that leave no space for others scroll like these; in a very narrow pane, all of
  /// them do.
  ///
  /// - Parameter from: The position of the first column.
  static func slots(
    of columns: [TableColumn], frozen: Int, chosen: Int, from start: Int, width: Int
  ) -> [Slot] {
    guard !columns.isEmpty else { return [] }
    let space = width - start + 1
    let most =
      frozen < columns.count
      ? min(start - 1 + max(8, space / 2), width - gap - minShownWidth - 1) : width
    var result: [Slot] = []
    var offset = start
    for index in 0..<frozen {
      let wanted = columns[index].width
      // The first column is cut to fit. A later one is not, since a part would be misleading.
      if index > 0, offset + wanted > most { break }
      let room = max(1, min(wanted, most - offset + 1, width - offset))
      if room < min(wanted, minShownWidth), frozen < columns.count { break }
      result.append(Slot(column: index, offset: offset, width: room))
      offset += room + gap
    }
    let firstFree = result.count
    var first = max(firstFree, chosen)
    var needed = offset - gap
    // As many columns before the selected one as fit next to it.
    while first >= firstFree, first < columns.count {
      needed += gap + columns[first].width
      if needed > width { break }
      first -= 1
    }
    if first < max(firstFree, chosen) { first += 1 }
    var index = max(firstFree, first)
    while index < columns.count, offset < width {
      let room = min(columns[index].width, width - offset)
      // A narrow rest of a column is useless, and a cut number is wrong.
      let isHidden = columns[index].isRightAligned && index != chosen
      let least = isHidden ? columns[index].width : minShownWidth
      if room < min(columns[index].width, least), !result.isEmpty { break }
      result.append(Slot(column: index, offset: offset, width: room))
      offset += columns[index].width + gap
      index += 1
    }
    return result
  }

  /// The column before which others are hidden; nil if all on the left are visible.
  static func firstAfterHidden(_ slots: [Slot]) -> Slot? {
    zip(slots, slots.dropFirst()).first { $1.column > $0.column + 1 }?.1
  }

  /// The column at a distance from the left on the cursor's line, for the mouse.
  func columnHere(at offset: Int, width: Int) -> Int? {
    guard let block = relationAtCursor else { return column(at: offset, width: width) }
    return slots(of: block, width: width).last { $0.offset <= offset }?.column
  }

  /// The column whose right edge is at a distance from the left, on the line of titles.
  func edge(at offset: Int, width: Int) -> Slot? {
    guard let table, table.grid == nil else { return nil }
    return slots(of: table, width: width).first {
      ($0.offset + $0.width..<$0.offset + $0.width + Self.gap).contains(offset)
    }
  }

  /// The column of the rows at a distance from the left.
  func column(at offset: Int, width: Int) -> Int? {
    guard let table else { return nil }
    return slots(of: table, width: width).last { $0.offset <= offset }?.column
  }

  /// The selected columns of the rows and of expanded relations.
  struct ColumnPlace: Sendable, Equatable {
    var column = 0
    var beneath: [Int] = []
  }

  var columnPlace: ColumnPlace { ColumnPlace(column: column, beneath: columnsBeneath) }

  mutating func choose(columns place: ColumnPlace) {
    let count = table?.grid?.columns.count ?? table?.columns.count ?? 0
    column = max(0, min(place.column, count - 1))
    columnsBeneath = place.beneath
  }

  /// Moves to the column with this label.
  mutating func choose(columnOf label: String) {
    guard let place = table?.columns.firstIndex(where: { $0.label == label }) else { return }
    column = place
  }

  /// Moves to the column of a link, as soon as it exists.
  mutating func reach(columnOf label: String) {
    guard relationAtCursor == nil else { return }
    wantedColumn = label
    reachWantedColumn()
  }

  mutating func reachWantedColumn() {
    guard let wantedColumn, let table,
      let place = table.columns.firstIndex(where: { $0.label == wantedColumn && $0.source.isLink })
    else { return }
    column = place
    self.wantedColumn = nil
  }

  /// Moves to the first column with the match if no fully visible column contains it.
  mutating func reachMatchingColumn(width: Int) {
    guard form == .table, let table, table.grid == nil, let entity = chosenEntity?.entity else {
      return
    }
    let columns = columnsHere
    let seen =
      (relationAtCursor.map { slots(of: $0, width: width) } ?? slots(of: table, width: width))
      .filter { $0.width >= columns[$0.column].width }.map(\.column)
    let matching = columns.indices.filter {
      pattern.isIn(columns[$0].cell(of: entity, in: table.catalog).text)
    }
    guard let first = matching.first, !matching.contains(where: seen.contains) else { return }
    choose(column: first)
  }
}
