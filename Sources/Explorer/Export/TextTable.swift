package import InstaQL
import TerminalUI
package import Triples

/// An answer as a table in plain text, with a line for each row.
package struct TextTable {
  package let text: String

  /// Creates the table of an answer.
  ///
  /// - Parameter hasLinks: Whether the snapshot contains the linked entities of all rows, even
  ///   those that the query does not include.
  package init(answer: Answer, snapshot: StoreSnapshot, hasLinks: Bool = false) {
    self.init(answer, in: Catalog(snapshot: snapshot, linked: hasLinks ? snapshot : nil))
  }

  /// Creates the table of an answer.
  ///
  /// - Parameter columns: The columns of the entities; nil for those of the query.
  init(_ answer: Answer, in catalog: Catalog, columns: [TableColumn]? = nil) {
    if let count = answer.count {
      text = "\(count)\n"
      return
    }
    if let table = answer.table {
      var columns = TableColumn.ofGroups(in: answer)
      for place in columns.indices {
        columns[place].groupDigits(of: table.rows.map { $0[place] })
      }
      let rows = table.rows.map { row in zip(columns, row).map { $0.cell($1, in: catalog) } }
      text = Self.text(table.columns, rows)
      return
    }
    var columns = columns ?? TableColumn.all(of: answer.plan, in: catalog)
    for place in columns.indices {
      columns[place].groupDigits(of: columns[place].numbers(of: answer.rows, catalog))
    }
    let rows = answer.rows.map { row in
      columns.map { $0.cell(of: row, in: catalog) }
    }
    text = Self.text(columns.map(\.label), rows)
  }

  private static func text(_ titles: [String], _ rows: [[CellText]]) -> String {
    let widths = titles.indices.map { column in
      rows.reduce(TextWidth.columns(of: titles[column])) {
        max($0, TextWidth.columns(of: $1[column].text))
      }
    }
    let head = titles.indices.map { column in
      CellText(
        text: titles[column], role: .header,
        isRightAligned: rows.contains { $0[column].isRightAligned })
    }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    return ([line(head, widths), rule] + rows.map { line($0, widths) })
      .joined(separator: "\n") + "\n"
  }

  /// Returns a line as it is displayed. Control characters in cells are replaced.
  private static func line(_ cells: [CellText], _ widths: [Int]) -> String {
    let columns = widths.reduce(0) { $0 + $1 + gap }
    var frame = Frame(size: Size(columns: columns, rows: 1))
    var column = 0
    for (cell, width) in zip(cells, widths) {
      frame.write(
        cell.text, row: 0, column: column, width: width,
        alignment: cell.isRightAligned ? .trailing : .leading)
      column += width + gap
    }
    return frame.text(row: 0)
  }

  private static let gap = 2
}
