import Synchronization
import Triples

/// A cache of recently read cells, rows and documents, which saves reading the store for each key.
///
/// A cache belongs to one answer in one snapshot, so its texts never become invalid.
final class CellTextCache: Sendable {
  private let cells = Mutex(Recent<CellPlace, CellText>(limit: 8_000))
  private let drawn = LastValue<RowLook, DrawnRows>()
  /// The documents, with room for the longest ones above and below the cursor.
  private let documents = Mutex(
    Recent<DocumentPlace, [DocumentLines.Line]>(limit: 2 * DocumentLines.maxCount + 4_000))

  /// The texts of rows, up to a size in bytes.
  private let rows = Mutex(Recent<Int, String>(limit: 1_000_000))

  private struct CellPlace: Hashable {
    let row: UInt32
    let column: Int
  }

  private struct DocumentPlace: Hashable {
    let row: Int
    let form: AnswerForm
    let folds: NodeFolds
  }

  /// Returns the cell of an entity in the column at `place`.
  func cell(
    _ place: Int, of columns: [TableColumn], _ entity: EntityHandle, in catalog: Catalog
  ) -> CellText {
    cells.value(of: CellPlace(row: entity.row, column: place)) {
      columns[place].cell(of: entity, in: catalog)
    }
  }

  /// Returns the rows drawn in certain columns. The rows in other columns are dropped.
  func drawnRows(_ look: RowLook) -> DrawnRows { drawn(of: look) { DrawnRows(look) } }

  /// Returns the text of a row, cached or computed by `make`.
  func text(ofRow row: Int, _ make: () -> String) -> String {
    rows.value(of: row, cost: \.utf8.count, make)
  }

  /// Returns a row's document, cached or computed by `make`.
  func document(
    _ row: Int, _ form: AnswerForm, _ folds: NodeFolds, _ make: () -> [DocumentLines.Line]
  ) -> [DocumentLines.Line] {
    documents.value(of: DocumentPlace(row: row, form: form, folds: folds), cost: \.count, make)
  }
}
