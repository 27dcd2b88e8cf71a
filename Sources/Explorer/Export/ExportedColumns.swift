import InstaQL
import Triples

/// The columns of the screen in a file.
///
/// Values are complete and as stored. A link is written as the labels of its targets.
struct ExportedColumns {
  let columns: [TableColumn]
  private let catalog: Catalog

  /// Nil if the export writes all fields of the query.
  init?(_ order: ExportOrder) {
    guard let columns = order.columns, order.answer.table == nil, order.answer.count == nil else {
      return nil
    }
    self.columns = columns
    catalog = order.catalog
  }

  func table(of rows: [EntityHandle]) -> FlatTable {
    FlatTable(
      titles: columns.map(\.label),
      rows: rows.map { row in columns.map { $0.exported(row, in: catalog) } })
  }
}
