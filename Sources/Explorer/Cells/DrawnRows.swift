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
  ///
  /// - Parameter cell: Returns the entity's cell in a column.
  func row(of entity: EntityHandle, cell: (_ column: Int) -> CellText) -> Frame {
    rows.value(of: entity.row) {
      var row = Frame(size: Size(columns: look.width, rows: 1))
      for (slot, column) in zip(look.slots, look.columns) {
        row.write(
          cell(slot.column).standing(in: column.fit, width: slot.width),
          in: slot.place(on: row.bounds), on: .text)
      }
      return row
    }
  }
}
