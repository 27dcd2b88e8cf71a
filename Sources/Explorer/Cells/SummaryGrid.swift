import InstaQL
import TerminalUI
import Triples

/// A result table of groups or aggregate values instead of entities.
struct SummaryGrid: Sendable, Equatable {
  struct Column: Sendable, Equatable {
    let title: String
    let kind: Answer.ColumnKind
    /// The rule for decimals on the screen.
    fileprivate let decimals: NumberText.Decimals
    fileprivate(set) var fit: ColumnFit
  }

  private let table: SummaryTable
  private(set) var columns: [Column]

  /// Creates the table; nil if the answer consists of entities.
  init?(_ answer: Answer, in catalog: Catalog) {
    guard let table = answer.table else { return nil }
    self.table = table
    let step = max(1, table.rows.count / Self.rowsMeasured)
    let measured = stride(from: 0, to: table.rows.count, by: step)
    columns = zip(table.columns, answer.columnKinds).enumerated().map { place, column in
      let (title, kind) = column
      return Column(
        title: title, kind: kind,
        decimals: NumberText.decimals(of: measured.lazy.map { table.rows[$0][place] }),
        fit: ColumnFit(title: TextWidth.columns(of: title) + Self.orderMark, limit: Self.maxWidth))
    }
    for row in measured {
      for place in columns.indices {
        let cell = shownCell(row, place, in: catalog)
        columns[place].fit.grow(for: cell.text, isNumber: cell.isRightAligned)
      }
    }
  }

  var rowCount: Int { table.rows.count }

  /// Returns a cell with the decimals that the screen shows.
  func shownCell(_ row: Int, _ column: Int, in catalog: Catalog) -> CellText {
    cell(row, column, in: catalog, columns[column].decimals)
  }

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

  func json(ofRow row: Int) -> String {
    let members = zip(table.columns, table.rows[row]).map { JSONObject.Member(key: $0, value: $1) }
    return JSONWriter.text(.object(JSONObject(members)))
  }

  /// The width of the sort mark in front of a title, in columns.
  private static let orderMark = 1
  private static let maxWidth = 40
  private static let rowsMeasured = 200
}
