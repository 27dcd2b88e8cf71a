package import InstaQL
import TerminalUI
package import Triples

/// An answer as plain text: the columns that the screen shows, a line a row.
package struct TextTable {
  package let text: String

  package init(answer: Answer, snapshot: StoreSnapshot) {
    if let count = answer.count {
      text = "\(count)\n"
      return
    }
    let catalog = Catalog(snapshot: snapshot)
    let columns = TableColumn.all(of: answer.plan, in: catalog)
    let rows = answer.rows.map { row in
      columns.map { $0.cell(of: row, in: catalog) }
    }
    let widths = columns.indices.map { index in
      rows.reduce(TextWidth.columns(of: columns[index].label)) {
        max($0, TextWidth.columns(of: $1[index].text))
      }
    }
    let titles = columns.map { CellText(text: $0.label, role: .header) }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
    text =
      ([Self.line(titles, widths), rule] + rows.map { Self.line($0, widths) })
      .joined(separator: "\n") + "\n"
  }

  /// A line as a frame writes it: nothing in a cell can move the cursor of a terminal.
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
