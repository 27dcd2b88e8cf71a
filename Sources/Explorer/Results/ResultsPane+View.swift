import InstaQL
import LiveQueries
import TerminalUI
import Triples
import Widgets

extension ResultsPane {
  /// The number of rows for column titles at the top of the pane.
  static let titleRows = 1

  /// Draws the results.
  ///
  /// - Parameters:
  ///   - marks: The selected entities.
  ///   - recoveryHint: The key to show if there are no rows.
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
        Notice(failure.advice ?? "", hints: [recoveryHint]), keys, in: area.inset(top: lines))
    case .table(let table):
      if let count = table.answer.count {
        Self.write(NumberText.grouped(count), role: .number, into: &frame, area: area)
        if count == 0, emptyReason?.sentence(for: table.answer.plan) != nil {
          frame.writePanel(whyEmpty(table, recoveryHint), keys, in: area.inset(top: 1))
        }
      } else if form != .table, table.lineCount > 0 {
        drawDocuments(of: table, into: &frame, area: area, isFocused: isFocused, marks: marks)
      } else if table.height == 0 {
        drawTitles(of: table, into: &frame, area: area)
        frame.writePanel(whyEmpty(table, recoveryHint), keys, in: area.inset(top: 1))
      } else {
        drawTitles(of: table, into: &frame, area: area)
        drawLines(
          of: table, into: &frame, area: area.inset(top: 1), isFocused: isFocused,
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
    if let reason = emptyReason?.sentence(for: table.answer.plan) {
      return .noRowMatches(because: reason).hinting(recoveryHint)
    }
    if table.isSummary { return .noGroups }
    guard let condition = table.answer.plan.condition else { return .noRows(of: namespace) }
    let source = table.catalog.source(of: condition, in: namespace)
    return (source.map { Notice.noneLinked(namespace, to: $0) } ?? .noRowMatches)
      .hinting(recoveryHint)
  }

  private static func write(_ text: String, role: Role, into frame: inout Frame, area: Rect) {
    if area.rows > 0 { frame.write(text, role, in: area.line(0)) }
  }

  private func drawTitles(of table: ResultTable, into frame: inout Frame, area: Rect) {
    guard area.rows > 0 else { return }
    let line = area.line(0).area
    frame.fill(line, Paint(.header, on: .header))
    let order = table.answer.plan.order
    let columnSlots = slots(of: table, width: area.columns)
    let isInRows = relationAtCursor == nil
    for slot in columnSlots {
      let role: Role = isInRows && slot.column == column ? .headerSorted : .header
      frame.write(
        table.columns[slot.column].title(in: order, role), in: slot.place(on: line), on: .header)
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
    let slots = slots(of: table, width: area.columns)
    let rows = table.drawnRows(in: slots, width: area.columns)
    let cells = table.rowCells
    let marked = marks[table.answer.namespace]
    let here = table.block(ofLine: cursor.index)
    // The columns that fit are the same for all lines of a relation, so they are computed once.
    var relation: (block: Int, rows: DrawnRows)?
    var titles: [Int: (links: [Link], slots: [Slot])] = [:]
    let chosen: Role = isFocused ? .selection : .selectionUnfocused
    let lines = Array(cursor.lines(of: table.height, in: area, chosen: chosen))
    let isPage = !table.isSummary && table.blocks.isEmpty
    if isPage {
      drawPage(of: table, from: rows, marked, lines, into: &frame, isFocused: isFocused)
    }
    for line in lines where !isPage {
      let isChosen = line.index == cursor.index
      if isChosen { frame.fill(line) }
      let drawn = DrawnLine(line: line, chosen: isChosen && isFocused ? column : nil)
      switch table.line(line.index) {
      case .row(let index) where table.isSummary:
        drawGroup(index, of: table, in: slots, into: &frame, on: drawn)
      case .row(let index):
        let entity = table.answer.rows[index]
        draw(entity, cells, from: rows, into: &frame, on: drawn)
        drawGutter(of: entity, table, marked, into: &frame, line: line.area, ground: line.ground)
      case .childTitles(let block):
        drawTitles(of: table.blocks[block], isHere: block == here, &titles, into: &frame, in: line)
      case .child(let block, let index):
        let child = table.blocks[block]
        if relation?.block != block {
          let slots = self.slots(of: child, isHere: block == here, width: area.columns)
          relation = (block, child.drawnRows(in: slots, width: area.columns))
        }
        if let relation {
          drawChild(index, of: child, from: relation.rows, table, marks, into: &frame, on: drawn)
        }
      case .more(let block):
        drawMore(of: table.blocks[block], keys, into: &frame, in: line)
      }
    }
    // The scroll bar includes rows that are not loaded.
    let loaded = table.answer.rows.count
    let all = max(loaded, position(in: table).count.rows) + (hasMoreRows ? 1 : 0)
    frame.drawScrollThumb(
      top: (table.answer.window?.skipped ?? 0) + cursor.top, page: area.rows,
      of: table.lineCount + all - loaded, in: area)
  }

  /// Draws rows without expanded relations. They were drawn before, so only lines that differ from
  /// that are drawn one by one.
  private func drawPage(
    of table: ResultTable, from rows: DrawnRows, _ marked: Set<EntityID>, _ lines: [ListLine],
    into frame: inout Frame, isFocused: Bool
  ) {
    guard let first = lines.first?.area else { return }
    let cells = table.rowCells
    let entities = lines.map { table.answer.rows[$0.index] }
    frame.copy(rows.page(of: entities, cells), row: first.row, column: first.column)
    let isPlain =
      (pattern.isEmpty || isPatternTyped) && highlights.isEmpty && marked.isEmpty
      && table.catalog.snapshot.pending.entities.isEmpty
    for (entity, line) in zip(entities, lines) where !isPlain || line.index == cursor.index {
      let chosen = isFocused && line.index == cursor.index ? column : nil
      mark(entity, cells, from: rows, into: &frame, on: DrawnLine(line: line, chosen: chosen))
      drawGutter(of: entity, table, marked, into: &frame, line: line.area, ground: line.ground)
    }
  }

  struct DrawnLine {
    let line: ListLine
    /// The column of the selected cell; nil if the line has none.
    let chosen: Int?
  }

  /// Draws the row of an entity: its cells, which were drawn before, and over them the cursor, and
  /// the highlights of matches and changes.
  func draw(
    _ entity: EntityHandle, _ cells: RowCells, from rows: DrawnRows, into frame: inout Frame,
    on drawn: DrawnLine
  ) {
    let area = drawn.line.area
    frame.copy(rows.row(of: entity, cells).frame, row: area.row, column: area.column)
    mark(entity, cells, from: rows, into: &frame, on: drawn)
  }

  /// Draws the cursor, and the highlights of matches and changes, over the row of an entity.
  private func mark(
    _ entity: EntityHandle, _ cells: RowCells, from rows: DrawnRows, into frame: inout Frame,
    on drawn: DrawnLine
  ) {
    let line = drawn.line
    if line.ground != .text { frame.repaint(line.area, ground: line.ground) }
    let pattern = pattern(isAtCursor: line.ground != .text)
    let isPlain = pattern.isEmpty && highlights.isEmpty
    let texts = isPlain ? [] : rows.row(of: entity, cells).cells
    for (index, slot) in rows.look.slots.enumerated()
    where !isPlain || slot.column == drawn.chosen {
      let place = slot.place(on: line.area)
      let ground = slot.column == drawn.chosen ? .cursorCell : line.ground
      if ground != line.ground { frame.repaint(place, ground: ground) }
      if isPlain { continue }
      let text = texts[index]
      if highlights.isEmpty, !pattern.isIn(text.text) { continue }
      highlight(
        text, of: entity, rows.look.columns[index], into: &frame, at: place, ground: ground,
        isOnGround: line.ground != .text)
    }
  }

  /// Returns the pattern whose matches are highlighted on a line.
  func pattern(isAtCursor: Bool) -> TextPattern {
    isPatternTyped && !isAtCursor ? .none : pattern
  }

  /// Highlights a cell if it matches the search, or if its value or its row is new.
  private func highlight(
    _ cell: CellText, of entity: EntityHandle, _ tableColumn: TableColumn, into frame: inout Frame,
    at place: Rect, ground: Role, isOnGround: Bool
  ) {
    let pattern = pattern(isAtCursor: isOnGround)
    let isMatch = pattern.isIn(cell.text)
    let shown = isMatch ? cell.showing(pattern, within: place.columns) : cell
    if shown != cell {
      frame.fill(place, Paint(.text, on: ground))
      frame.write(
        shown.standing(in: tableColumn.fit, width: place.columns), in: place, on: ground)
    }
    if !highlights.isEmpty, let attribute = tableColumn.attribute {
      highlights.mark(entity, attribute.id, into: &frame, place: place, isOnGround: isOnGround)
    }
    if isMatch { frame.highlight(pattern, in: place, ground: isOnGround ? .matchCurrent : .match) }
  }

  /// Draws the symbol in front of a row that is selected or has pending changes.
  func drawGutter(
    of entity: EntityHandle, _ table: ResultTable, _ marked: Set<EntityID>,
    into frame: inout Frame, line: Rect, ground: Role
  ) {
    let pending = table.catalog.snapshot.pending
    guard !marked.isEmpty || !pending.entities.isEmpty else { return }
    let id = table.catalog.store.id(of: entity)
    if marked.contains(id) {
      Self.drawMark(into: &frame, line: line, ground: ground)
    } else if let mark = pending.mark(of: id) {
      frame.write(
        mark.sign, row: line.row, column: line.column, width: 1,
        paint: Paint(mark == .deletion ? .deleted : .pending, on: ground))
    }
  }

  static func drawMark(into frame: inout Frame, line: Rect, ground: Role) {
    frame.write(
      "●", row: line.row, column: line.column, width: 1, paint: Paint(.marked, on: ground))
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
