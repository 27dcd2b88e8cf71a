import InstaQL
package import Triples
import Widgets

/// A search in the results. Lines near the cursor are searched immediately, all others in the
/// background.
package struct RowSearch: Sendable, Equatable {
  let table: ResultTable
  let form: AnswerForm
  let pattern: TextPattern
  /// The line where the search starts.
  let start: Int
  /// The direction of the search: 1 downwards, -1 upwards. The search wraps around.
  let step: Int

  /// Returns the first matching line whose distance from `start` is at least `first` and less than
  /// `end`. Nil if no line matches or the task was canceled.
  ///
  /// - Complexity: O(columns) per line.
  func line(between first: Int, and end: Int) -> Int? {
    let count = table.height
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

  /// Returns the first match beyond the first `linesAtOnce` lines; nil if there is none.
  package func rest() -> RowHit? {
    line(between: Self.linesAtOnce, and: table.height + 1).flatMap { line in
      if table.isSummary { return RowHit(entity: nil, row: line) }
      return table.entity(onLine: line).map {
        RowHit(entity: table.catalog.store.id(of: $0.entity), row: table.row(ofLine: line))
      }
    }
  }

  /// Returns the distance at which the search ends.
  ///
  /// It ends after one full cycle. If some rows are not loaded, it ends at the last loaded row in
  /// its direction.
  func end(from first: Int) -> Int {
    guard let window = table.answer.window, window.pageCount != table.answer.rows.count else {
      return table.height + first
    }
    return step > 0 ? table.height - start : start + 1
  }

  /// The number of lines to search immediately, while the user waits. All others are searched in
  /// the background.
  static let linesAtOnce = 400

  func holds(_ line: Int) -> Bool {
    switch table.line(line) {
    case .row(let row) where table.isSummary:
      return pattern.isIn(form == .json ? table.json(ofGroup: row) : table.text(ofGroup: row))
    case .row(let row):
      switch form {
      case .table: return pattern.isIn(table.text(ofRow: row))
      case .tree, .json:
        let entity = table.answer.rows[row]
        return DocumentLines(entity, of: table.answer.plan, in: table.catalog, as: form).lines
          .contains { pattern.isIn($0.text) }
      }
    case .child(let block, let index):
      let block = table.blocks[block]
      return block.columns.contains {
        pattern.isIn($0.cell(of: block.entities[index], in: table.catalog).text)
      }
    case .childTitles, .more: return false
    }
  }

  /// The lines with a match; nil if there are too many lines to count them while the user waits.
  var matchingLines: [Int]? {
    guard form == .table, table.isSearchedAtOnce else { return nil }
    return (0..<table.height).filter(holds)
  }
}

extension ResultTable {
  /// Whether all lines are loaded and few enough to be searched while the user waits.
  var isSearchedAtOnce: Bool { height <= RowSearch.linesAtOnce && answer.window == nil }

  /// Returns the cells of a group as text, each in a line.
  fileprivate func text(ofGroup row: Int) -> String {
    columns.indices.map { cell($0, ofGroup: row).text }.joined(separator: "\n")
  }

  /// Whether the names of all linked rows are known, which the rows show.
  var knowsLinks: Bool {
    if !catalog.isServed { return true }
    let links = columns.links(besides: answer.plan)
    return answer.rows.allSatisfy { row in
      links.allSatisfy { catalog.targets(of: row, $0) != nil }
    }
  }

  /// Returns the line of a match; nil if its row is not loaded.
  func line(of hit: RowHit) -> Int? {
    guard let entity = hit.entity else { return hit.row < height ? hit.row : nil }
    return catalog.store.handle(of: entity).flatMap { line(of: $0) }
  }
}

/// The result of a search.
package struct RowHit: Sendable, Equatable {
  /// The entity of the matching row; nil for a group.
  let entity: EntityID?
  /// The index of the matching row on the page of the query. The row may not be loaded yet.
  let row: Int

  package init(entity: EntityID?, row: Int) { (self.entity, self.row) = (entity, row) }
}
