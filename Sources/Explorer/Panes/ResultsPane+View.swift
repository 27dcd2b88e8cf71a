import InstaQL
import LiveQueries
import TerminalUI
import Triples
import Widgets

extension ResultsPane {
  /// The number of rows of the pane that are for column titles.
  static let titleRows = 1

  /// The remark in the pane's title: the position of the cursor among the rows.
  var remark: String {
    switch content {
    case .nothing: ""
    case .loading: "loading"
    case .failed: "failed"
    case .table(let table):
      (form == .table ? "" : form.title + " · ") + movement + whereTo + positionText(in: table)
        + Self.cutLinks(of: table.catalog)
    }
  }

  /// Returns the position of the cursor, and the number of matches if it differs from the number of
  /// rows.
  private func positionText(in table: ResultTable) -> String {
    let answer = table.answer
    if answer.count != nil { return "count" }
    let position = position(in: table)
    guard let matches = Self.matches(beyond: position.count, of: answer) else {
      return position.text
    }
    return position.text + " · \(RowPosition.plain(matches)) rows match"
  }

  /// Returns the position of the cursor among all rows, including those that are not loaded.
  func position(in table: ResultTable) -> RowPosition {
    let skipped = table.answer.window?.skipped ?? 0
    let row = table.grid == nil ? table.rowAtCursor(cursor) : cursor.index
    return RowPosition(row: skipped + row + 1, of: Self.count(of: table.answer))
  }

  private static func count(of answer: Answer) -> RowPosition.Count {
    guard let window = answer.window else {
      return .exactly(answer.table?.rows.count ?? answer.rows.count)
    }
    guard let count = window.pageCount else { return .atLeast(answer.total - 1) }
    return window.isEstimate ? .about(count) : .exactly(count)
  }

  /// Returns the number of matches; nil if all of them are rows of the answer.
  private static func matches(beyond count: RowPosition.Count, of answer: Answer) -> Int? {
    if case .atLeast = count { return nil }
    return answer.total == count.rows ? nil : answer.total
  }

  /// The numbers of recently added and removed rows, as text.
  private var movement: String {
    (came > 0 ? "+\(came) · " : "") + (went > 0 ? "−\(went) · " : "")
  }

  /// A text with the row that the cursor is moving to; empty if the cursor has arrived.
  private var whereTo: String {
    rowAhead.map { "to row \(RowPosition.plain($0)) · " } ?? ""
  }

  /// Returns a text about links with more targets than are loaded.
  private static func cutLinks(of catalog: Catalog) -> String {
    (catalog.snapshot.served?.cutLinks ?? [:]).sorted { $0.key < $1.key }.map { link, count in
      let label = link.lastIndex(of: ".").map { String(link[link.index(after: $0)...]) } ?? link
      return " · first \(NumberText.grouped(count)) \(label)"
    }.joined()
  }

  /// Draws the results.
  ///
  /// - Parameters:
  ///   - marks: The selected entities.
  ///   - recoveryHint: The key that helps if there are no rows.
  func draw(
    into frame: inout Frame, area: Rect, isFocused: Bool, marks: EntitySelection, keys: KeyNames,
    recoveryHint: KeyHint
  ) {
    switch content {
    case .nothing: break
    case .loading: Self.write("Loading …", role: .dim, into: &frame, area: area)
    case .failed(let failure):
      let lines = frame.writeWrapped(failure.message, in: area, paint: Paint(.error))
      frame.writeNotice(
        Notice(failure.advice ?? "", hints: [recoveryHint]), keys, in: area.dropping(rows: lines))
    case .table(let table):
      if let count = table.answer.count {
        Self.write(NumberText.grouped(count), role: .number, into: &frame, area: area)
        if count == 0, emptyReason(of: table) != nil {
          frame.writePanel(whyEmpty(table, recoveryHint), keys, in: area.dropping(rows: 1))
        }
      } else if let grid = table.grid {
        draw(grid, of: table, into: &frame, area: area, isFocused: isFocused, keys: keys)
      } else if form != .table, table.lineCount > 0 {
        drawDocuments(
          of: table, into: &frame, area: area, isFocused: isFocused, marks: marks)
      } else if table.lineCount == 0 {
        drawTitles(of: table, into: &frame, area: area)
        frame.writePanel(whyEmpty(table, recoveryHint), keys, in: area.dropping(rows: 1))
      } else {
        drawTitles(of: table, into: &frame, area: area)
        drawLines(
          of: table, into: &frame, area: area.dropping(rows: 1), isFocused: isFocused,
          marks: marks, keys: keys)
      }
    }
  }

  private func whyEmpty(_ table: ResultTable, _ recoveryHint: KeyHint) -> Notice {
    let namespace = table.answer.namespace
    guard table.catalog.schema.namespaces.contains(namespace) else {
      return .namespaceGone(namespace)
    }
    if table.answer.total > 0 { return .pastEnd(rows: table.answer.total).hinting(recoveryHint) }
    if let reason = emptyReason(of: table) {
      return .noRowMatches(because: reason).hinting(recoveryHint)
    }
    return table.answer.plan.condition == nil
      ? .noRows(of: namespace) : .noRowMatches.hinting(recoveryHint)
  }

  /// The sentence that says why the query found nothing; nil if the reason is unknown.
  func emptyReason(of table: ResultTable) -> String? {
    emptyReason.flatMap { $0.plan == table.answer.plan ? $0.name.sentence : nil }
  }

  private static func write(_ text: String, role: Role, into frame: inout Frame, area: Rect) {
    guard area.rows > 0 else { return }
    frame.write(
      text, row: area.row, column: area.column + 1, width: max(0, area.columns - 2),
      paint: Paint(role))
  }

  private func drawTitles(of table: ResultTable, into frame: inout Frame, area: Rect) {
    guard area.rows > 0 else { return }
    frame.fill(
      Rect(row: area.row, column: area.column, rows: 1, columns: area.columns),
      Paint(.header, on: .header))
    let order = table.answer.plan.order
    let columnSlots = slots(of: table, width: area.columns)
    let isInRows = relationAtCursor == nil
    for slot in columnSlots {
      let tableColumn = table.columns[slot.column]
      let role: Role = isInRows && slot.column == column ? .headerSorted : .header
      let cell = CellText(
        text: tableColumn.sign(in: order) + tableColumn.label, role: role,
        isRightAligned: tableColumn.fit.isRightAligned)
      Self.draw(
        cell, into: &frame, row: area.row, column: area.column + slot.offset, width: slot.width,
        ground: .header)
    }
    if let first = Self.firstAfterHidden(columnSlots) {
      frame.write(
        "‹", row: area.row, column: area.column + first.offset - 1, width: 1,
        paint: Paint(.key, on: .header))
    }
    if let last = columnSlots.last, last.column < table.columns.count - 1 {
      frame.write(
        "›", row: area.row, column: area.column + area.columns - 1, width: 1,
        paint: Paint(.key, on: .header))
    }
  }

  private func drawLines(
    of table: ResultTable, into frame: inout Frame, area: Rect, isFocused: Bool,
    marks: EntitySelection,
    keys: KeyNames
  ) {
    let columnSlots = slots(of: table, width: area.columns)
    let marked = marks[table.answer.namespace]
    let here = table.block(ofLine: cursor.index)
    // The columns that fit are the same for all lines of a relation, so they are computed once.
    var (slotted, blockSlots): (Int?, [Slot]) = (nil, [])
    for row in 0..<area.rows where cursor.top + row < table.lineCount {
      let line = cursor.top + row
      let isChosen = line == cursor.index
      let ground: Role =
        isChosen ? (isFocused ? .selection : .selectionUnfocused) : .text
      let rect = Rect(row: area.row + row, column: area.column, rows: 1, columns: area.columns)
      if isChosen { frame.fill(rect, Paint(.text, on: ground)) }
      switch table.line(line) {
      case .row(let index):
        let entity = table.answer.rows[index]
        drawGutter(of: entity, table, marked, into: &frame, line: rect, ground: ground)
        let drawn = table.drawnCells(of: entity)
        for slot in columnSlots {
          let known = drawn.indices.contains(slot.column) ? drawn[slot.column] : nil
          let cell = known ?? table.cell(slot.column, of: entity)
          let isCell = isChosen && isFocused && slot.column == column
          let place = Rect(
            row: rect.row, column: rect.column + slot.offset, rows: 1, columns: slot.width)
          let isHit = pattern.isIn(cell.text)
          let shown = isHit ? cell.showing(pattern, within: slot.width) : cell
          Self.draw(
            shown.standing(in: table.columns[slot.column].fit, width: slot.width), into: &frame,
            row: place.row, column: place.column, width: slot.width,
            ground: isCell ? .cursorCell : ground)
          if !highlights.isEmpty {
            mark(
              table.columns[slot.column], of: entity, into: &frame, place: place,
              isOnGround: isChosen)
          }
          if isHit {
            frame.repaint(place, ground: isChosen ? .matchCurrent : .match)
          }
        }
      case .childTitles(let block):
        drawTitles(
          of: table.blocks[block], isHere: block == here, into: &frame, line: rect, ground: ground)
      case .child(let block, let index):
        let isCell = isChosen && isFocused
        if slotted != block {
          blockSlots = slots(
            of: table.blocks[block], isHere: block == here, width: rect.columns)
          slotted = block
        }
        drawChild(
          index, of: table.blocks[block], in: blockSlots, isCell: isCell, in: table, marks,
          into: &frame, line: rect, ground: ground)
      case .more(let block):
        drawMore(of: table.blocks[block], keys, into: &frame, line: rect, ground: ground)
      }
    }
    // The scroll bar includes rows that are not loaded.
    let loaded = table.answer.rows.count
    let all = max(loaded, position(in: table).count.rows) + (hasMoreRows ? 1 : 0)
    frame.drawScrollThumb(
      top: (table.answer.window?.skipped ?? 0) + cursor.top, page: area.rows,
      of: table.lineCount + all - loaded, in: area)
  }

  /// Highlights a cell if its value or its whole row is new.
  func mark(
    _ tableColumn: TableColumn, of entity: EntityHandle, into frame: inout Frame, place: Rect,
    isOnGround: Bool
  ) {
    guard let attribute = tableColumn.attribute else { return }
    highlights.mark(
      entity, attribute.id, into: &frame, place: place, isOnGround: isOnGround)
  }

  /// Draws the mark before a row that is selected or has pending changes.
  func drawGutter(
    of entity: EntityHandle, _ table: ResultTable, _ marked: Set<EntityID>,
    into frame: inout Frame, line: Rect, ground: Role
  ) {
    guard !marked.isEmpty || isAnyPending(in: table) else { return }
    let id = table.catalog.store.id(of: entity)
    if marked.contains(id) {
      Self.drawMark(into: &frame, line: line, column: 0, ground: ground)
    } else if let pending = table.catalog.snapshot.pending.mark(of: id) {
      Self.draw(pending, into: &frame, line: line, column: 0, ground: ground)
    }
  }

  func isAnyPending(in table: ResultTable) -> Bool {
    !table.catalog.snapshot.pending.entities.isEmpty
  }

  static func draw(
    _ pending: PendingChanges.Mark, into frame: inout Frame, line: Rect, column: Int, ground: Role
  ) {
    frame.write(
      pending.sign, row: line.row, column: line.column + column, width: 1,
      paint: Paint(pending == .deletion ? .deleted : .pending, on: ground))
  }

  static func drawMark(
    into frame: inout Frame, line: Rect, column: Int, ground: Role
  ) {
    frame.write(
      "●", row: line.row, column: line.column + column, width: 1,
      paint: Paint(.marked, on: ground))
  }

  static func draw(
    _ cell: CellText, into frame: inout Frame, row: Int, column: Int, width: Int, ground: Role
  ) {
    let paint = Paint(cell.role, on: ground)
    if ground == .cursorCell {
      frame.fill(
        Rect(row: row, column: column, rows: 1, columns: width),
        Paint(.text, on: ground))
    }
    frame.write(
      cell.text, row: row, column: column, width: width, paint: paint,
      alignment: cell.isRightAligned ? .trailing : .leading)
  }
}

extension Rect {
  /// Returns the area without its first rows.
  func dropping(rows count: Int) -> Rect {
    Rect(row: row + count, column: column, rows: max(0, rows - count), columns: columns)
  }
}

extension PendingChanges.Mark {
  /// The symbol at the left edge of a row.
  fileprivate var sign: String {
    switch self {
    case .sending: "↑"
    case .staged: "±"
    case .deletion: "-"
    }
  }

  /// The words that a screen reader says before a row.
  var words: String {
    switch self {
    case .sending: "not confirmed yet"
    case .staged: "staged"
    case .deletion: "to be deleted"
    }
  }
}
