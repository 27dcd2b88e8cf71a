import InstaQL
import Triples
import Widgets

// Moves the cursor.
extension ResultsPane {
  /// Performs a command that moves the cursor; nil for any other command.
  mutating func handle(_ command: Command, page: Int) -> InputResult? {
    let before = (cursor, column, columnHere, reading)
    guard move(command, page: page) else { return nil }
    let isMoved = before != (cursor, column, columnHere, reading)
    let leadsDown = command == .last || command.steps(page: page) > 0
    return !isMoved && leadsDown && hasMoreRows ? .noEffect(.moreRowsComing) : .done
  }

  private mutating func move(_ command: Command, page: Int) -> Bool {
    guard let table else { return false }
    if isReading { return moveReading(command, page: page) }
    switch command {
    case .left: choose(column: columnHere - 1)
    case .right: choose(column: columnHere + 1)
    case .firstColumn: choose(column: 0)
    case .lastColumn: choose(column: columnsHere.count - 1)
    default:
      guard cursor.handle(command, count: table.height, page: page) != nil else { return false }
      remember()
    }
    return true
  }

  /// Whether there are rows after the last loaded row.
  var hasMoreRows: Bool {
    guard let answer = table?.answer, let window = answer.window else { return false }
    return window.skipped + answer.rows.count < window.pageCount ?? answer.total
  }

  /// Returns the reason why there are no rows, for commands that need a row. Nil if there is an
  /// answer.
  func missingResultReason(_ recoveryHint: KeyHint) -> Notice? {
    switch content {
    case .table: nil
    case .nothing: .emptyStore
    case .loading: .loadingResults
    case .failed: .noResults.hinting(recoveryHint)
    }
  }

  mutating func go(_ move: ListMove, page: Int) -> InputResult? {
    switch move {
    case .by(let command): return handle(command, page: page)
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
    move(to: cursor.top + line, page: page)
  }

  mutating func scroll(by lines: Int, page: Int) {
    guard let table else { return }
    if isReading { return scrollReading(by: lines, page: page) }
    cursor.scroll(by: lines, of: table.height, page: page)
    remember()
  }

  /// Scrolls as little as necessary to make the cursor visible.
  mutating func keepInView(page: Int) {
    if isReading { scrollReading(by: 0, page: page) } else { move(to: cursor.index, page: page) }
  }

  /// Returns the range of visible lines. It may extend beyond the last line.
  func linesInView(page: Int) -> Range<Int> { cursor.top..<cursor.top + max(0, page) }

  /// The attribute of the selected column; nil for a column without an attribute.
  var chosenAttribute: Attribute? { chosenColumn?.source?.attribute }

  /// The link of the selected column; nil for a column without a link.
  var chosenLink: Link? { chosenColumn?.link }

  /// The query for the targets of the link that the selected column's name suggests. Nil if it
  /// suggests none, and in a document, which has no selected column.
  var inferredTargets: QueryPlan? {
    guard !isReading, let attribute = chosenAttribute, let (entity, _) = chosenEntity else {
      return nil
    }
    return table?.catalog.inferredTargets(of: entity, at: attribute)
  }

  /// Whether the selected cell contains a list or an object with members, which the record shows.
  var hasNestedValue: Bool {
    guard !isReading, let attribute = chosenAttribute, let (entity, _) = chosenEntity,
      let value = table?.catalog.store.value(entity, attribute.id)
    else { return false }
    if case .text(let text) = value { return EntityLines.document(in: text)?.isNested == true }
    return value.isNested && attribute.blobSize(of: value) == nil
  }

  var chosenColumn: TableColumn? {
    let columns = columnsHere
    return columns.indices.contains(columnHere) ? columns[columnHere] : nil
  }

  /// The entity at the cursor and its namespace; nil on a line without an entity.
  var chosenEntity: (entity: EntityHandle, namespace: String)? {
    guard let table, table.lineCount > 0 else { return nil }
    return table.entity(onLine: cursor.index)
  }

  /// The cursor, the expanded relations and the collapsed values, to restore them in another
  /// answer. All of them refer to entities instead of lines.
  struct Place: Sendable, Equatable {
    var trail: EntityPath = []
    var column = 0
    var group: AnswerGroup?
    var opened: ExpandedLinks = [:]
    var folds = DocumentFolds()
  }

  /// Whether the query failed last time, even if rows of an earlier answer are known.
  var hasFailed: Bool { if case .failed = content { true } else { false } }

  var place: Place {
    Place(
      trail: locator?.trail ?? chosen, column: column, group: group, opened: opened, folds: folds)
  }
}
