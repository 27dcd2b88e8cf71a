import InstaQL
import TerminalUI
import Triples

// What the keys do.
extension ResultsPane {
  /// Answers the intents that only move; nil for any other.
  mutating func handle(_ intent: Intent, page: Int) -> Outcome? {
    let before = (cursor, column, columnHere, reading)
    guard move(intent, page: page) else { return nil }
    let isMoved = before != (cursor, column, columnHere, reading)
    return !isMoved && intent.leadsDown && hasMoreRows
      ? .nothing(because: .moreRowsComing) : .done
  }

  private mutating func move(_ intent: Intent, page: Int) -> Bool {
    guard let table else { return false }
    if let grid = table.grid { return move(intent, in: grid, page: page) }
    if isReading { return moveReading(intent, page: page) }
    switch intent {
    case .left: choose(column: columnHere - 1)
    case .right: choose(column: columnHere + 1)
    case .firstColumn: choose(column: 0)
    case .lastColumn: choose(column: columnsHere.count - 1)
    default:
      guard cursor.handle(intent, count: table.height, page: page) != nil else { return false }
      remember()
    }
    return true
  }

  /// Whether the answer goes on after the rows that are here.
  var hasMoreRows: Bool {
    guard let answer = table?.answer, let stretch = answer.stretch else { return false }
    return stretch.skipped + answer.rows.count < stretch.pageCount ?? answer.total
  }

  /// Why there are no rows to do anything with; nil where there is an answer.
  func whyNoAnswer(_ wayOut: KeyHint) -> Notice? {
    switch content {
    case .table: nil
    case .nothing: .emptyStore
    case .loading: .loadingResults
    case .failed: .noResults.hinting(wayOut)
    }
  }

  mutating func go(_ move: LineMove, page: Int) -> Outcome? {
    switch move {
    case .by(let intent): return handle(intent, page: page)
    case .to(let line): self.move(to: line, page: page)
    case .clicked(let line): choose(line: line, page: page)
    case .scroll(let lines): scroll(by: lines, page: page)
    }
    return .done
  }

  mutating func move(to line: Int, page: Int) {
    guard let table else { return }
    cursor.move(to: line, of: table.height, page: page)
    remember()
    readDocument()
  }

  mutating func choose(line: Int, page: Int) {
    if isReading { return chooseReading(line: line + Self.titleRows, page: page) }
    guard let table, cursor.top + line < table.height else { return }
    cursor.move(to: cursor.top + line, of: table.height, page: page)
    remember()
  }

  mutating func scroll(by lines: Int, page: Int) {
    guard let table else { return }
    if isReading { return scrollReading(by: lines, page: page) }
    cursor.scroll(by: lines, of: table.height, page: page)
    remember()
  }

  /// Scrolls no further than is needed to see the line under the cursor.
  mutating func keepInView(page: Int) {
    if isReading { scrollReading(by: 0, page: page) } else { move(to: cursor.index, page: page) }
  }

  /// The lines that are on the screen, and perhaps some beyond the last one.
  func linesInView(page: Int) -> Range<Int> { cursor.top..<cursor.top + max(0, page) }

  /// The attribute in the chosen column.
  var chosenAttribute: Attribute? {
    guard case .attribute(let attribute)? = chosenColumn?.source else { return nil }
    return attribute
  }

  /// The link in the chosen column.
  var chosenLink: Link? {
    guard case .link(let link)? = chosenColumn?.source else { return nil }
    return link
  }

  var chosenColumn: TableColumn? {
    let columns = columnsHere
    return columns.indices.contains(columnHere) ? columns[columnHere] : nil
  }

  /// The entity under the cursor and its namespace.
  var chosenEntity: (entity: EntityHandle, namespace: String)? {
    guard let table, table.lineCount > 0 else { return nil }
    return table.entity(onLine: cursor.index)
  }
}
