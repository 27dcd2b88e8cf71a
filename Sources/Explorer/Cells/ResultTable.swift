import InstaQL
import Notebooks
import TerminalUI
import Triples

/// An answer laid out in lines: its rows, and beneath a row the relation that is open there.
///
/// Lines are made when they are asked for, so that cost follows what is in view.
struct ResultTable: Sendable {
  /// What stands on one line.
  enum Line: Sendable, Equatable {
    case row(Int)
    /// The column titles of an open relation.
    case childTitles(block: Int)
    case child(block: Int, index: Int)
    /// How many linked entities are not shown.
    case more(block: Int)
  }

  /// The relation that is open beneath one row.
  struct Block: Sendable {
    let row: Int
    let link: Link
    let entities: [EntityHandle]
    /// Linked entities in all; more than `entities` when they are too many to show.
    let total: Int
    let columns: [TableColumn]
    fileprivate let cells = ShownCells()
    /// The first line of the block, counted in lines of the table.
    var firstLine = 0

    /// What stands above the first column: the relation and how many entities it leads to.
    var head: String { Self.head(link, total) }

    static func head(_ link: Link, _ total: Int) -> String {
      "╰ \(link.label) \(NumberText.grouped(total))"
    }

    var lines: Range<Int> { firstLine..<firstLine + lineCount }

    var lineCount: Int { 1 + entities.count + (total > entities.count ? 1 : 0) }
  }

  let answer: Answer
  let catalog: Catalog
  let settings: ColumnSettings
  private(set) var columns: [TableColumn]
  private(set) var blocks: [Block] = []
  private let cells = ShownCells()
  /// What is shown instead of entities, where the query asks for groups or the like: then there are
  /// neither rows nor columns of entities.
  let grid: SummaryGrid?

  init(
    answer: Answer, catalog: Catalog, settings: ColumnSettings = ColumnSettings(),
    keepingWidthsOf previous: ResultTable? = nil
  ) {
    self.answer = answer
    self.catalog = catalog
    self.settings = settings
    grid = SummaryGrid(answer, in: catalog)
    columns =
      grid == nil
      ? TableColumn.arranged(TableColumn.all(of: answer.plan, in: catalog), by: settings) : []
    fitColumns(atLeast: previous?.columns ?? [])
  }

  var lineCount: Int {
    answer.rows.count + blocks.reduce(0) { $0 + $1.lineCount }
  }

  /// Lines that the cursor can stand on: those of entities, or those of values.
  var height: Int { grid?.rowCount ?? lineCount }

  /// What stands in a column of a row.
  func cell(_ column: Int, of entity: EntityHandle) -> CellText {
    cells.cell(of: entity, column: column, of: columns.count) {
      columns[column].cell(of: entity, in: catalog)
    }
  }

  /// What stands in a column of an open relation.
  func cell(_ column: Int, ofChild index: Int, in block: Block) -> CellText {
    block.cells.cell(of: block.entities[index], column: column, of: block.columns.count) {
      block.columns[column].cell(of: block.entities[index], in: catalog)
    }
  }

  /// The first lines of a row as a document, `most` of them if there are so many.
  func document(_ row: Int, as form: AnswerForm, most: Int) -> [DocumentLines.Line] {
    cells.document(row, form, most: most) {
      DocumentLines(answer.rows[row], of: self, as: form, most: most).lines
    }
  }

  /// What stands on `line`, which is within `lineCount`.
  func line(_ line: Int) -> Line {
    var skipped = 0
    for (index, block) in blocks.enumerated() {
      if line < block.firstLine { break }
      let offset = line - block.firstLine
      if offset == 0 { return .childTitles(block: index) }
      if offset <= block.entities.count { return .child(block: index, index: offset - 1) }
      if offset < block.lineCount { return .more(block: index) }
      skipped += block.lineCount
    }
    return .row(line - skipped)
  }

  /// The line on which a row of the answer stands.
  func line(ofRow row: Int) -> Int {
    row + blocks.reduce(0) { $0 + ($1.row < row ? $1.lineCount : 0) }
  }

  /// The line on which an entity stands: as a row, or else within an open relation.
  func line(of entity: EntityHandle) -> Int? {
    if let row = answer.rows.firstIndex(of: entity) { return line(ofRow: row) }
    for block in blocks {
      if let index = block.entities.firstIndex(of: entity) { return block.firstLine + 1 + index }
    }
    return nil
  }

  /// The row of the answer that a line belongs to.
  func row(ofLine line: Int) -> Int {
    switch self.line(line) {
    case .row(let row): row
    case .childTitles(let block), .child(let block, _), .more(let block): blocks[block].row
    }
  }

  /// The entity on a line and its namespace; nil where a line names none.
  func entity(onLine line: Int) -> (entity: EntityHandle, namespace: String)? {
    guard line < lineCount else { return nil }
    return switch self.line(line) {
    case .row(let row): (answer.rows[row], answer.plan.namespace)
    case .child(let block, let index):
      (blocks[block].entities[index], blocks[block].link.target)
    case .childTitles, .more: nil
    }
  }

  /// Opens each relation that `opened` names beneath its entity, where that is in the answer.
  mutating func open(_ opened: [EntityID: Link]) {
    blocks = []
    for (id, link) in opened {
      guard let entity = catalog.store.handle(of: id),
        let row = answer.rows.firstIndex(of: entity)
      else { continue }
      blocks.append(block(of: link, beneath: entity, row: row))
    }
    blocks.sort { $0.row < $1.row }
    var before = 0
    for index in blocks.indices {
      blocks[index].firstLine = blocks[index].row + 1 + before
      before += blocks[index].lineCount
    }
  }

  private func block(of link: Link, beneath entity: EntityHandle, row: Int) -> Block {
    let linked = Relations.entities(of: link, from: entity, plan: answer.plan, in: catalog)
    let shown = Array(linked.prefix(Self.childrenShown))
    var columns = TableColumn.all(of: QueryPlan(link.target), in: catalog)
    columns.removeAll { $0.source.isLink(other: link) }
    for index in columns.indices {
      columns[index].fit(shown, in: catalog)
    }
    if !columns.isEmpty {
      columns[0].widen(to: TextWidth.columns(of: Block.head(link, linked.count)))
    }
    return Block(row: row, link: link, entities: shown, total: linked.count, columns: columns)
  }

  /// Gives each column the width of what it shows in some rows from all over the answer.
  ///
  /// Columns that were there before keep at least their width, so that live rows do not make them
  /// jump.
  private mutating func fitColumns(atLeast previous: [TableColumn]) {
    let step = max(1, answer.rows.count / Self.rowsMeasured)
    let sample = stride(from: 0, to: answer.rows.count, by: step).map { answer.rows[$0] }
    for index in columns.indices {
      let before = previous.first { $0.source == columns[index].source }?.width ?? 0
      columns[index].fit(sample, in: catalog)
      columns[index].widen(to: before)
      columns[index].obey(settings)
    }
  }

  /// Columns that stay in view while the others scroll; the first one always does.
  var frozenCount: Int {
    max(1, columns.prefix { settings.frozen.contains($0.label) }.count)
  }

  /// What the widest text of a column takes, in the lines in view and in some rows from all over the
  /// answer.
  func fullWidth(of column: TableColumn, lines: Range<Int> = 0..<0) -> Int {
    let step = max(1, answer.rows.count / Self.rowsMeasured)
    let rows =
      stride(from: 0, to: answer.rows.count, by: step)
      + lines.clamped(to: 0..<lineCount).map { row(ofLine: $0) }
    let widths = rows.map {
      TextWidth.columns(of: column.cell(of: answer.rows[$0], in: catalog).text)
    }
    return min(
      TableColumn.widestByHand,
      max(TextWidth.columns(of: column.label) + 2, widths.max() ?? 0))
  }

  private static let rowsMeasured = 100
  private static let childrenShown = 100
}

extension ResultTable: Equatable {
  static func == (a: ResultTable, b: ResultTable) -> Bool {
    a.answer.plan == b.answer.plan && a.catalog == b.catalog && a.columns == b.columns
      && a.grid == b.grid
      && a.blocks.map(\.row) == b.blocks.map(\.row)
  }
}

extension TableColumn.Source {
  /// Whether this is the other end of `link`: the column that would show the parent again.
  fileprivate func isLink(other link: Link) -> Bool {
    guard case .link(let mine) = self else { return false }
    return mine.attribute.id == link.attribute.id && mine.direction != link.direction
  }
}
