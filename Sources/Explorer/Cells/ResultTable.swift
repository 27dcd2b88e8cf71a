import InstaQL
import Notebooks
import TerminalUI
import Triples
import Widgets

/// An answer laid out in lines: its rows, and below each row the relations expanded there.
///
/// Lines are computed on demand, so the cost depends on the visible lines only.
struct ResultTable: Sendable {
  /// The kind of a line, and what it shows.
  enum Line: Sendable, Equatable {
    case row(Int)
    case childTitles(block: Int)
    case child(block: Int, index: Int)
    /// The number of linked entities that are not shown.
    case more(block: Int)
  }

  /// A row of the answer below which relations are expanded.
  struct ExpandedRow: Sendable {
    let row: Int
    /// The line of the table after the row.
    let firstLine: Int
    /// The lines of the relations.
    var lines: [Line] = []
  }

  /// The parts of a table that never change while the table is shown.
  ///
  /// It is a class, because tables are copied many times for each key press.
  private final class Contents: Sendable {
    let answer: Answer
    let catalog: Catalog
    let settings: ColumnSettings
    let cells = CellTextCache()

    init(answer: Answer, catalog: Catalog, settings: ColumnSettings) {
      self.answer = answer
      self.catalog = catalog
      self.settings = settings
    }
  }

  private let contents: Contents
  private(set) var columns: [TableColumn]
  /// The expanded relations from top to bottom. Each relation precedes the relations within it.
  var blocks: [ExpandedRelation] = []
  /// The rows of the answer below which relations are expanded, from top to bottom.
  var expandedRows: [ExpandedRow] = []
  /// The width that the table needs, by the column widths in its first rows. It decides whether the
  /// record fits next to the table. Later answers to the same query and resized columns do not change
  /// it.
  private(set) var neededColumns = 0

  /// The labels of the columns that are moved next to the label. The query sorts or filters by them,
  /// and they would be out of view otherwise.
  let moved: Set<String>
  /// Whether `moved` was determined for the width of the pane. It then stays until the query
  /// changes.
  let isArranged: Bool

  var answer: Answer { contents.answer }
  var catalog: Catalog { contents.catalog }
  var settings: ColumnSettings { contents.settings }
  /// Whether the rows are only the first ones of a store that is still loading.
  var isBeginning: Bool { catalog.snapshot.freshness == .loading }
  /// Whether the rows are groups or aggregate values instead of entities.
  var isSummary: Bool { answer.table != nil }
  private var groups: [[Value]] { answer.table?.rows ?? [] }
  private var cells: CellTextCache { contents.cells }

  /// - Parameters:
  ///   - previous: The table before, whose widths and moved columns are kept.
  ///   - moved: The columns to move next to the label; nil keeps those of the table before.
  init(
    answer: Answer, catalog: Catalog, settings: ColumnSettings = ColumnSettings(),
    keepingWidthsOf previous: ResultTable? = nil, moving moved: Set<String>? = nil
  ) {
    contents = Contents(answer: answer, catalog: catalog, settings: settings)
    if let previous { catalog.adoptUUIDs(of: previous.catalog) }
    let before = previous?.answer.plan == answer.plan ? previous : nil
    isArranged = moved != nil || before?.isArranged == true || answer.table != nil
    self.moved = moved ?? previous?.moved ?? []
    columns =
      answer.table == nil
      ? TableColumn.shown(of: answer.plan, in: catalog, by: settings, moving: self.moved)
      : TableColumn.ofGroups(in: answer)
    beginColumns(keeping: before?.columns ?? [])
    var known = before?.settings
    known?.widths = settings.widths
    let isSame = known == settings && before?.moved == self.moved
    neededColumns = isSame ? before?.neededColumns ?? 0 : ColumnLayout.columns(toShow: measuredFits)
  }

  /// Creates a copy of a table with `catalog`, which contains more links of the same rows.
  init(_ other: ResultTable, knowing catalog: Catalog) {
    contents = Contents(answer: other.answer, catalog: catalog, settings: other.settings)
    columns = other.columns
    neededColumns = other.neededColumns
    (moved, isArranged) = (other.moved, other.isArranged)
  }

  /// Returns a copy that moves columns next to the label if the query uses them and they are not
  /// visible. Columns that were moved for an earlier query stay there.
  func arranged(showing visible: Set<String>) -> ResultTable {
    let used = TableColumn.labels(usedBy: answer.plan, settings)
    return ResultTable(
      answer: answer, catalog: catalog, settings: settings, keepingWidthsOf: self,
      moving: Set(used.filter { moved.contains($0) || !visible.contains($0) }))
  }

  var lineCount: Int { answer.rows.count + expandedRows.reduce(0) { $0 + $1.lines.count } }

  /// The number of lines to which the cursor can move; in a table of groups, the number of groups.
  var height: Int { isSummary ? groups.count : lineCount }

  /// Returns the rows drawn in columns that fit in `width`.
  func drawnRows(in slots: [ColumnLayout.Slot], width: Int) -> DrawnRows {
    cells.drawnRows(RowLook(slots, of: columns, width: width))
  }

  var rowCells: RowCells { RowCells(cache: cells, columns: columns, catalog: catalog) }

  func cell(_ column: Int, of entity: EntityHandle) -> CellText {
    cells.cell(column, of: columns, entity, in: catalog)
  }

  func cell(_ column: Int, ofGroup row: Int) -> CellText {
    columns[column].cell(groups[row][column], in: catalog)
  }

  func json(ofGroup row: Int) -> String {
    let members = zip(columns, groups[row]).map { JSONObject.Member(key: $0.label, value: $1) }
    return JSONWriter.text(.object(JSONObject(members)))
  }

  /// Returns the cell of a value outside of the table, where its number has all digits.
  func cell(_ value: Value?, of attribute: Attribute) -> CellText {
    let column = columns.first {
      if case .attribute(let shown) = $0.source { shown.id == attribute.id } else { false }
    }
    return CellText(
      value, of: attribute, column?.grouping ?? .long, column?.decimals.whole ?? .all)
  }

  /// Returns the cells of a row as text, each in a line. A search reads them for each typed letter.
  func text(ofRow row: Int) -> String {
    cells.text(ofRow: row) {
      columns.map { $0.cell(of: answer.rows[row], in: catalog).text }.joined(separator: "\n")
    }
  }

  /// Returns the lines of a row as a document.
  func document(_ row: Int, as form: AnswerForm, folds: NodeFolds) -> [DocumentLines.Line] {
    cells.document(row, form, folds) {
      DocumentLines(answer.rows[row], of: answer.plan, in: catalog, as: form, folds: folds).lines
    }
  }

  /// Returns the content of `line`. It must be less than `lineCount`.
  func line(_ line: Int) -> Line {
    guard let last = expandedRows.last(where: { $0.firstLine <= line }) else { return .row(line) }
    let offset = line - last.firstLine
    return offset < last.lines.count
      ? last.lines[offset] : .row(last.row + 1 + offset - last.lines.count)
  }

  func line(ofRow row: Int) -> Int {
    row + expandedRows.reduce(0) { $0 + ($1.row < row ? $1.lines.count : 0) }
  }

  /// Returns the line of the entity at a path. If the path no longer exists, returns another line
  /// that shows the same entity.
  func line(of trail: EntityPath) -> Int? {
    guard let last = trail.last, let entity = catalog.store.handle(of: last) else { return nil }
    let parent = Array(trail.dropLast())
    if trail.count > 1, let line = line(of: entity, in: { $0.trail == parent }) { return line }
    return line(of: entity)
  }

  /// Returns the line of an entity: as a row of the answer, or else within an expanded relation.
  func line(of entity: EntityHandle) -> Int? {
    if let row = answer.rows.firstIndex(of: entity) { return line(ofRow: row) }
    return line(of: entity) { _ in true }
  }

  /// Returns the line of an entity within the first of some expanded relations that contains it.
  private func line(of entity: EntityHandle, in isSearched: (ExpandedRelation) -> Bool) -> Int? {
    for block in blocks.indices where isSearched(blocks[block]) {
      if let index = blocks[block].entities.firstIndex(of: entity) {
        return blocks[block].lines.first { line($0) == .child(block: block, index: index) }
      }
    }
    return nil
  }

  /// Returns the path to the entity on a line. For a line that shows no entity, returns the path to
  /// the owner of the relation.
  func trail(ofLine line: Int) -> EntityPath {
    guard line < lineCount else { return [] }
    return switch self.line(line) {
    case .row(let row): [catalog.store.id(of: answer.rows[row])]
    case .child(let block, let index):
      blocks[block].trail + [catalog.store.id(of: blocks[block].entities[index])]
    case .childTitles(let block), .more(let block): blocks[block].trail
    }
  }

  func row(ofLine line: Int) -> Int {
    switch self.line(line) {
    case .row(let row): row
    case .childTitles(let block), .child(let block, _), .more(let block): blocks[block].row
    }
  }

  /// Returns the row of the answer that the cursor's line belongs to, also inside expanded
  /// relations. Returns 0 if there are no rows.
  func rowAtCursor(_ cursor: ListCursor) -> Int {
    height == 0 ? 0 : row(ofLine: min(cursor.index, height - 1))
  }

  /// Returns the entity on a line and its namespace; nil for a line without an entity.
  func entity(onLine line: Int) -> (entity: EntityHandle, namespace: String)? {
    guard line < lineCount else { return nil }
    return switch self.line(line) {
    case .row(let row): (answer.rows[row], answer.plan.namespace)
    case .child(let block, let index):
      (blocks[block].entities[index], blocks[block].link.target)
    case .childTitles, .more: nil
    }
  }

  /// Prepares the columns, before cells are measured.
  ///
  /// A column is never narrower than in an earlier answer to the same query, so that live rows do
  /// not make it jump.
  private mutating func beginColumns(keeping previous: [TableColumn]) {
    let (entities, groups) = (Self.sample(of: answer.rows), Self.sample(of: groups))
    for index in columns.indices {
      columns[index].begin(
        in: answer.plan.order,
        sample: columns[index].numbers(of: entities, catalog) + groups.map { $0[index] },
        averaging: averagedValues(ofColumn: index))
      let column = columns[index]
      let before = previous.first { $0.label == column.label && $0.source == column.source }
      if let before {
        columns[index].adopt(before, isPart: answer.window != nil)
      }
      if !isSummary { columns[index].obey(settings) }
    }
  }

  /// Returns the first rows and some of the others.
  private static func sample<Row>(of rows: [Row]) -> [Row] {
    rows.prefix(firstMeasured)
      + stride(from: 0, to: rows.count, by: max(1, rows.count / rowsMeasured)).map { rows[$0] }
  }

  private var measuredFits: [ColumnFit] {
    columns.indices.prefix(Self.maxMeasuredColumns).map { place in
      var fit = columns[place].fit
      for entity in answer.rows.prefix(Self.firstMeasured / 2) {
        let cell = cell(place, of: entity)
        fit.grow(for: cell.text, isNumber: cell.isRightAligned)
      }
      return fit
    }
  }

  /// Widens the columns at `places` for the rows on `lines`.
  mutating func fit(_ places: [Int], to lines: some Sequence<Int>) {
    for line in lines {
      guard case .row(let row) = self.line(line) else { continue }
      for place in places {
        columns[place].grow(
          for: isSummary ? cell(place, ofGroup: row) : cell(place, of: answer.rows[row]))
      }
    }
  }

  /// Returns the width of the widest cell of a column. It measures the cells on `lines` and a
  /// sample of all others.
  func fullWidth(of column: TableColumn, lines: Range<Int> = 0..<0) -> Int {
    let step = max(1, answer.rows.count / Self.rowsMeasured)
    let rows =
      stride(from: 0, to: answer.rows.count, by: step)
      + lines.clamped(to: 0..<lineCount).map { row(ofLine: $0) }
    let widths = rows.map {
      TextWidth.columns(of: column.cell(of: answer.rows[$0], in: catalog).text)
    }
    return min(
      TableColumn.maxUserWidth,
      max(TextWidth.columns(of: column.label) + 2, widths.max() ?? 0))
  }

  /// Returns some of the values that a column averages; empty for any other column.
  private func averagedValues(ofColumn index: Int) -> [Value] {
    guard isSummary, let attribute = answer.averagedAttribute(ofColumn: index) else { return [] }
    return catalog.store.rows(of: attribute.namespace).prefix(Self.firstMeasured)
      .compactMap { catalog.store.value($0, attribute.id) }
  }

  private static let rowsMeasured = 100
  /// The number of rows that are measured first, which is more than any screen shows.
  static let firstMeasured = 60
  /// The number of columns that are measured first, which is more than fit next to a record.
  private static let maxMeasuredColumns = 24
}

extension ResultTable: Equatable {
  static func == (a: ResultTable, b: ResultTable) -> Bool {
    a.answer.plan == b.answer.plan && a.catalog == b.catalog && a.columns == b.columns
      && a.answer.table == b.answer.table
      && a.blocks.map(\.trail) == b.blocks.map(\.trail)
      && a.blocks.map(\.links) == b.blocks.map(\.links)
  }
}
