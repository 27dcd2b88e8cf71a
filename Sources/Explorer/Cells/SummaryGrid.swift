import InstaQL
import TerminalUI
import Triples

/// A result table of groups or aggregate values instead of entities.
struct SummaryGrid: Sendable, Equatable {
  struct Column: Sendable, Equatable {
    let title: String
    let kind: Answer.ColumnKind
    fileprivate(set) var fit: ColumnFit
  }

  private let table: SummaryTable
  private(set) var columns: [Column]

  /// Creates the table; nil if the answer consists of entities.
  init?(_ answer: Answer, in catalog: Catalog) {
    guard let table = answer.table else { return nil }
    self.table = table
    columns = zip(table.columns, answer.columnKinds).map { title, kind in
      Column(
        title: title, kind: kind,
        fit: ColumnFit(title: TextWidth.columns(of: title) + Self.orderMark, limit: Self.widest))
    }
    let step = max(1, rowCount / Self.rowsMeasured)
    for row in stride(from: 0, to: rowCount, by: step) {
      for place in columns.indices {
        let cell = cell(row, place, in: catalog, .few)
        columns[place].fit.grow(for: cell.text, isNumber: cell.isRightAligned)
      }
    }
  }

  var rowCount: Int { table.rows.count }

  func cell(
    _ row: Int, _ column: Int, in catalog: Catalog, _ decimals: NumberText.Decimals = .all
  ) -> CellText {
    let value = table.rows[row][column]
    switch columns[column].kind {
    case .values(let attribute): return CellText(value, of: attribute, .long, decimals)
    case .numbers: return CellText(value, of: nil, .long, decimals)
    case .entities(let namespace):
      // The group of entities whose link has no target has no label.
      guard case .text(let id) = value, let entity = catalog.store.handle(of: EntityID(id)) else {
        return .null
      }
      return CellText(text: catalog.label(of: entity, in: namespace), role: .link)
    }
  }

  /// Returns a row as one line of JSON.
  func json(ofRow row: Int) -> String {
    let members = zip(table.columns, table.rows[row]).map { JSONObject.Member(key: $0, value: $1) }
    return JSONWriter.text(.object(JSONObject(members)))
  }

  /// The width of the sort mark in front of a title, in columns.
  private static let orderMark = 1
  private static let widest = 40
  private static let rowsMeasured = 200
}
