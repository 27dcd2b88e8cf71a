import Synchronization
import TerminalUI
import Triples

/// The columns in which the rows of an answer are drawn.
struct RowLook: Sendable, Equatable {
  let slots: [ColumnLayout.Slot]
  /// The columns of the slots.
  let columns: [TableColumn]
  let width: Int

  init(_ slots: [ColumnLayout.Slot], of columns: [TableColumn], width: Int) {
    self.slots = slots
    self.columns = slots.map { columns[$0.column] }
    self.width = width
  }
}

/// The cells of the rows of one answer or of one relation.
struct RowCells {
  let cache: CellTextCache
  let columns: [TableColumn]
  let catalog: Catalog

  func cell(_ column: Int, of entity: EntityHandle) -> CellText {
    cache.cell(column, of: columns, entity, in: catalog)
  }
}

/// The rows of one answer, drawn in certain columns, so that most key presses only copy them.
///
/// A drawn row depends only on its entity, because answer and columns never change. It contains
/// nothing that changes while the answer is shown, such as the cursor or a search.
final class DrawnRows: Sendable {
  let look: RowLook
  private let rows = Mutex(Recent<UInt32, Frame>(limit: maxRows))

  /// The number of cached rows. It is more than a screen shows.
  private static let maxRows = 300

  init(_ look: RowLook) { self.look = look }

  /// Returns the drawn row of an entity as a frame of one line.
  func row(of entity: EntityHandle, _ cells: RowCells) -> Frame {
    if let row = rows.withLock({ $0[entity.row] }) { return row }
    var row = Frame(size: Size(columns: look.width, rows: 1))
    for (slot, column) in zip(look.slots, look.columns) {
      row.write(
        cells.cell(slot.column, of: entity).standing(in: column.fit, width: slot.width),
        in: slot.place(on: row.bounds), on: .text)
    }
    rows.withLock { $0.cache(row, for: entity.row, cost: 1) }
    return row
  }
}
