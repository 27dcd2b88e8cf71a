import InstaQL
package import Triples

/// A search among the lines of the results: those near the cursor at once, all others beside the
/// screen, so that no key waits for a long answer.
package struct RowSearch: Sendable, Equatable {
  let table: ResultTable
  let form: AnswerForm
  let pattern: TextPattern
  /// The line that it begins at.
  let start: Int
  /// 1 downwards, -1 upwards; after the last line comes the first.
  let step: Int

  /// The first line between two distances from the start that holds the pattern; nil for none, and
  /// when nobody wants to know any more.
  ///
  /// - Complexity: O(columns) a line.
  func line(between first: Int, and end: Int) -> Int? {
    let count = table.lineCount
    guard count > 0 else { return nil }
    var distance = first
    while distance < end {
      let line = ((start + distance * step) % count + count) % count
      if holds(line) { return line }
      distance += 1
      if distance.isMultiple(of: 1_024), Task.isCancelled { return nil }
    }
    return nil
  }

  /// The entity on the first line further than was looked at once; nil when none is.
  package func rest() -> RowHit? {
    line(between: Self.linesAtOnce, and: table.lineCount + 1).flatMap { line in
      table.entity(onLine: line).map {
        RowHit(entity: table.catalog.store.id(of: $0.entity), row: table.row(ofLine: line))
      }
    }
  }

  /// The distance at which it ends: once around from `first` on, or where only a part of the rows is
  /// read at the end of that part.
  func end(from first: Int) -> Int {
    guard let stretch = table.answer.stretch, stretch.pageCount != table.answer.rows.count else {
      return table.lineCount + first
    }
    return step > 0 ? table.lineCount - start : start + 1
  }

  /// So many lines are looked at while a key waits.
  static let linesAtOnce = 400

  func holds(_ line: Int) -> Bool {
    switch table.line(line) {
    case .row(let row):
      let entity = table.answer.rows[row]
      switch form {
      case .table: return holds(table.columns, of: entity)
      case .tree, .json:
        return DocumentLines(entity, of: table, as: form, most: Self.mostDocumentLines).lines
          .contains { pattern.isIn($0.text) }
      }
    case .child(let block, let index):
      return holds(table.blocks[block].columns, of: table.blocks[block].entities[index])
    case .childTitles, .more: return false
    }
  }

  private func holds(_ columns: [TableColumn], of entity: EntityHandle) -> Bool {
    columns.contains { pattern.isIn($0.cell(of: entity, in: table.catalog).text) }
  }

  private static let mostDocumentLines = 1_000
}

/// What a search found.
package struct RowHit: Sendable, Equatable {
  let entity: EntityID
  /// Where it stands on the page: also a row that is not read yet.
  let row: Int

  package init(entity: EntityID, row: Int) {
    (self.entity, self.row) = (entity, row)
  }
}
