import Triples

/// Writes tables in GitHub Flavored Markdown, with numbers right-aligned. If there are several
/// answers, each table has a heading with its namespace.
struct MarkdownFormat {
  func write(
    _ answers: [Answer], _ options: QueryOptions, into output: inout JSONOutput
  ) throws(QueryError) {
    let start = output.count
    for (place, answer) in answers.enumerated() {
      if place > 0 { output.append("\n") }
      if answers.count > 1 { output.append(raw: "## \(escaped(answer.namespace))\n\n") }
      try write(FlatTable(answer), options, since: start, into: &output)
    }
  }

  /// Writes one table. The maximum size includes what was written since `start`.
  func write(
    _ table: FlatTable, _ options: QueryOptions, since start: Int = 0,
    into output: inout JSONOutput
  ) throws(QueryError) {
    var rows: [[FlatTable.Cell]] = []
    for row in 0..<table.rowCount { rows.append(try table.row(row)) }
    write(table.titles.map { escaped($0) }, into: &output)
    write(table.titles.indices.map { rule(of: $0, rows) }, into: &output)
    for row in rows {
      write(row.map { escaped($0.text) }, into: &output)
      try output.check(options, since: start)
    }
  }

  /// Returns the delimiter row's entry for a column. If the column contains only numbers, it is
  /// right-aligned.
  private func rule(of column: Int, _ rows: [[FlatTable.Cell]]) -> String {
    var hasNumber = false
    for row in rows {
      switch row[column] {
      case .number: hasNumber = true
      case .missing, .null: break
      case .bool, .text, .json: return "---"
      }
    }
    return hasNumber ? "---:" : "---"
  }

  private func write(_ cells: [String], into output: inout JSONOutput) {
    output.append(raw: "| " + cells.joined(separator: " | ") + " |\n")
  }

  /// Escapes characters that would end a cell or be read as markup.
  private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "|", "\\", "`", "*", "_", "[", "]": result += "\\\(scalar)"
      case "<": result += "&lt;"
      case "&": result += "&amp;"
      case "\r": break
      case "\n": result += "<br>"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
