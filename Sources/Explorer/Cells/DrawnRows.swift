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
  struct Row: Sendable {
    /// The row as a frame of one line.
    let frame: Frame
    /// The cell in each slot.
    let cells: [CellText]
  }

  let look: RowLook
  /// The rows that were last drawn one below the other.
  private let page = LastValue<[EntityHandle], Frame>()
  private let rows = Mutex(Recent<UInt32, Row>(limit: maxRows))

  /// The number of cached rows. It is more than a screen shows.
  private static let maxRows = 300

  init(_ look: RowLook) { self.look = look }

  /// Returns the drawn rows of entities, one below the other.
  func page(of entities: [EntityHandle], _ cells: RowCells) -> Frame {
    page(of: entities) {
      var page = Frame(size: Size(columns: look.width, rows: entities.count))
      for (place, entity) in entities.enumerated() {
        page.copy(row(of: entity, cells).frame, row: place, column: 0)
      }
      return page
    }
  }

  /// Returns the drawn row of an entity.
  func row(of entity: EntityHandle, _ cells: RowCells) -> Row {
    if let row = rows.withLock({ $0[entity.row] }) { return row }
    var frame = Frame(size: Size(columns: look.width, rows: 1))
    let texts = look.slots.map { cells.cell($0.column, of: entity) }
    for (place, slot) in look.slots.enumerated() {
      frame.write(
        texts[place].standing(in: look.columns[place].fit, width: slot.width),
        in: slot.place(on: frame.bounds), on: .text)
    }
    let row = Row(frame: frame, cells: texts)
    rows.withLock { $0.cache(row, for: entity.row, cost: 1) }
    return row
  }
}
