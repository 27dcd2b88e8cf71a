import InstaQL
import Notebooks
import Triples

/// The user's choice of the columns to export.
enum ExportColumns: Sendable, Equatable, CaseIterable {
  /// The visible columns in the order of the screen, except the lists that ``shownWithLists`` adds,
  /// with ids and foreign keys.
  case shown
  /// All fields of the query, and `id`.
  case all
  /// The columns of ``shown``, and also links to several rows that neither the query includes nor
  /// the rows of a file have.
  case shownWithLists
}

extension ResultTable {
  /// The choices of columns that lead to different files.
  var exportChoices: [ExportColumns] {
    guard answer.table == nil, answer.count == nil else { return [.shown] }
    return columns.contains(where: isListBesideRow) ? ExportColumns.allCases : [.shown, .all]
  }

  /// Returns the columns to write; nil for all fields of the query.
  func columns(toExport choice: ExportColumns) -> [TableColumn]? {
    let visible = columns.map(\.unfitted)
    switch choice {
    case .all: return nil
    case .shownWithLists: return addingKeys(to: visible)
    case .shown:
      let written = addingKeys(to: visible.filter { !isListBesideRow($0) })
      return written.isEmpty ? visible : written
    }
  }

  /// Returns whether a column is a link to several rows that neither the query includes nor the row
  /// itself stores.
  private func isListBesideRow(_ column: TableColumn) -> Bool {
    guard let link = column.link, link.cardinality == .many,
      answer.plan.relation(link.label) == nil
    else { return false }
    return link.direction == .reverse || catalog.areRows(answer.namespace)
  }

  /// Returns the columns with the id and the foreign keys, which the screen omits. A foreign key
  /// precedes its link.
  ///
  /// Nothing is added if the query names its fields.
  private func addingKeys(to columns: [TableColumn]) -> [TableColumn] {
    guard answer.plan.selectsAll else { return columns }
    let (namespace, hidden) = (answer.namespace, Set(settings.hidden))
    var all = columns
    for attribute in catalog.schema.attributes(of: namespace) {
      let column = TableColumn(source: .attribute(attribute))
      guard !hidden.contains(attribute.label), !all.contains(where: { $0.source == column.source })
      else { continue }
      if attribute.isIdentity {
        if !catalog.schema.hasDerivedIDs(namespace) { all.insert(column, at: 0) }
      } else if let link = attribute.keyOf {
        let place = all.firstIndex {
          $0.link?.direction == .forward && $0.link?.attribute.id == link
        }
        all.insert(column, at: place ?? all.firstIndex(where: \.isLink) ?? all.count)
      }
    }
    return all
  }
}
