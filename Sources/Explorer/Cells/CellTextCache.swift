import Synchronization
import Triples

/// A cache of recently drawn cells and documents, which saves reading the store at each key press.
///
/// A cache belongs to one answer in one snapshot, so its texts never become invalid.
final class CellTextCache: Sendable {
  private let rows = Mutex(Recent<UInt32, [CellText?]>(limit: 8_000))
  private let drawn = LastValue<RowLook, DrawnRows>()
  /// The documents, with room for the longest one and those around it.
  private let documents = Mutex(Recent<Place, Document>(limit: 2 * DocumentLines.maxCount))

  private struct Place: Hashable {
    let row: Int
    let form: AnswerForm
    let folds: NodeFolds
  }

  private struct Document {
    let lines: [DocumentLines.Line]
    /// The maximum number of lines for which the document was rendered.
    let limit: Int

    func serves(_ limit: Int) -> Bool { limit <= self.limit || lines.count < self.limit }
  }

  /// Returns the cell of an entity in the column at `place`.
  func cell(
    _ place: Int, of columns: [TableColumn], _ entity: EntityHandle, in catalog: Catalog
  ) -> CellText {
    if let cell = rows.withLock({ $0[entity.row]?[place] }) { return cell }
    let cell = columns[place].cell(of: entity, in: catalog)
    rows.withLock { rows in
      if rows[entity.row] == nil {
        let none = [CellText?](repeating: nil, count: columns.count)
        rows.cache(none, for: entity.row, cost: columns.count)
      }
      rows.change(entity.row) { $0[place] = cell }
    }
    return cell
  }

  /// Returns the cached cells of an entity, one per column, or nil for a cell that is not cached.
  /// The array is empty if no cell is cached.
  func row(of entity: EntityHandle) -> [CellText?] { rows.withLock { $0[entity.row] } ?? [] }

  /// Returns the rows drawn in certain columns. The rows in other columns are dropped.
  func drawnRows(_ look: RowLook) -> DrawnRows { drawn(of: look) { DrawnRows(look) } }

  /// Returns the first lines of a row's document, cached or computed by `make`.
  ///
  /// - Parameter limit: The number of lines needed. The result may have more.
  func document(
    _ row: Int, _ form: AnswerForm, _ folds: NodeFolds, limit: Int,
    _ make: () -> [DocumentLines.Line]
  ) -> [DocumentLines.Line] {
    let place = Place(row: row, form: form, folds: folds)
    if let kept = documents.withLock({ $0[place] }), kept.serves(limit) { return kept.lines }
    let lines = make()
    documents.withLock {
      $0.cache(Document(lines: lines, limit: limit), for: place, cost: lines.count)
    }
    return lines
  }
}
