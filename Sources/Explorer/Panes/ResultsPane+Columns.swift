// Which columns are in view.
extension ResultsPane {
  /// Where a column stands: its number, its distance from the left and its width.
  struct Slot: Equatable {
    let column: Int
    let offset: Int
    let width: Int
  }

  /// Columns between two columns.
  static let gap = 2
  /// Blank columns at the right edge, where a sign may say that there is more.
  static let margin = 1
  /// Of a column at the edge no less is shown.
  private static let leastShown = 3

  /// The columns of the rows that fit in `width`.
  func slots(of table: ResultTable, width: Int) -> [Slot] {
    Self.slots(
      of: table.columns, frozen: table.frozenCount, chosen: column, from: 1,
      width: width - Self.margin)
  }

  /// The columns that fit in `width`: the frozen ones stay in view, and the chosen one is in view.
  ///
  /// Frozen columns that would leave the others no room move along with these, all of them where it is
  /// very narrow.
  /// - Parameter from: Where the first one stands.
  static func slots(
    of columns: [TableColumn], frozen: Int, chosen: Int, from start: Int, width: Int
  ) -> [Slot] {
    guard !columns.isEmpty else { return [] }
    let space = width - start + 1
    let most =
      frozen < columns.count
      ? min(start - 1 + max(8, space / 2), width - gap - leastShown - 1) : width
    var result: [Slot] = []
    var offset = start
    for index in 0..<frozen {
      let wanted = columns[index].width
      // The first is cut, so that there is one; of a further one a part would say something else.
      if index > 0, offset + wanted > most { break }
      let room = max(1, min(wanted, most - offset + 1, width - offset))
      if room < min(wanted, leastShown), frozen < columns.count { break }
      result.append(Slot(column: index, offset: offset, width: room))
      offset += room + gap
    }
    let firstFree = result.count
    var first = max(firstFree, chosen)
    var needed = offset - gap
    // As many columns before the chosen one as fit beside it.
    while first >= firstFree, first < columns.count {
      needed += gap + columns[first].width
      if needed > width { break }
      first -= 1
    }
    if first < max(firstFree, chosen) { first += 1 }
    var index = max(firstFree, first)
    while index < columns.count, offset < width {
      let room = min(columns[index].width, width - offset)
      // So little of a column says nothing, and a part of a number says another one.
      let isHidden = columns[index].isRightAligned && index != chosen
      let least = isHidden ? columns[index].width : leastShown
      if room < min(columns[index].width, least), !result.isEmpty { break }
      result.append(Slot(column: index, offset: offset, width: room))
      offset += columns[index].width + gap
      index += 1
    }
    return result
  }

  /// Before which of some columns others are hidden; nil where those at the left are all in view.
  static func firstAfterHidden(_ slots: [Slot]) -> Slot? {
    zip(slots, slots.dropFirst()).first { $1.column > $0.column + 1 }?.1
  }

  /// The column that stands at a distance from the left on the line of the cursor, for the mouse.
  func columnHere(at offset: Int, width: Int) -> Int? {
    guard let block = blockHere else { return column(at: offset, width: width) }
    return slots(of: block, width: width).last { $0.offset <= offset }?.column
  }

  /// The column whose right edge lies at a distance from the left, on the line of the titles.
  func edge(at offset: Int, width: Int) -> Slot? {
    guard let table, table.grid == nil else { return nil }
    return slots(of: table, width: width).first {
      ($0.offset + $0.width..<$0.offset + $0.width + Self.gap).contains(offset)
    }
  }

  /// The same of the rows.
  func column(at offset: Int, width: Int) -> Int? {
    guard let table else { return nil }
    return slots(of: table, width: width).last { $0.offset <= offset }?.column
  }

  /// The chosen columns, of the rows and of what lies beneath them.
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

  /// Goes to the column of a link of the rows; where it is shown only by the next answer, then.
  mutating func reach(columnOf label: String) {
    guard blockHere == nil else { return }
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

  /// Where the match of the line under the cursor is in no column that is seen whole, goes to the first
  /// one that holds it.
  mutating func reachMatchingColumn(width: Int) {
    guard form == .table, let table, table.grid == nil, let entity = chosenEntity?.entity else {
      return
    }
    let columns = columnsHere
    let seen = (blockHere.map { slots(of: $0, width: width) } ?? slots(of: table, width: width))
      .filter { $0.width >= columns[$0.column].width }.map(\.column)
    let matching = columns.indices.filter {
      pattern.isIn(columns[$0].cell(of: entity, in: table.catalog).text)
    }
    guard let first = matching.first, !matching.contains(where: seen.contains) else { return }
    choose(column: first)
  }
}
