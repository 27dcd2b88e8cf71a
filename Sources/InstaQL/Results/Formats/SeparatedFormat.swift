import Triples

/// Writes separated values with a header line.
///
/// Missing values and nulls are empty fields. In CSV, an empty text is written as `""`, to
/// distinguish it from a missing value.
enum SeparatedFormat {
  case csv, tsv

  func write(
    _ table: FlatTable, _ options: QueryOptions, into output: inout JSONOutput
  ) throws(QueryError) {
    let start = output.count
    write(table.titles.map(FlatTable.Cell.text), into: &output)
    for place in 0..<table.rowCount {
      write(try table.row(place), into: &output)
      try output.check(options, since: start)
    }
  }

  private func write(_ cells: [FlatTable.Cell], into output: inout JSONOutput) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { output.append(separator) }
      switch self {
      case .csv: Self.writeQuoted(cell, into: &output)
      case .tsv: Self.writeEscaped(cell.text, into: &output)
      }
    }
    output.append(UInt8(ascii: "\n"))
  }

  private var separator: UInt8 {
    switch self {
    case .csv: UInt8(ascii: ",")
    case .tsv: UInt8(ascii: "\t")
    }
  }

  /// Writes a field by RFC 4180. If a field contains commas, quotes or line breaks, it is quoted,
  /// and its quotes are doubled.
  ///
  /// Fields with leading or trailing spaces are also quoted, since some readers remove the spaces.
  private static func writeQuoted(_ cell: FlatTable.Cell, into output: inout JSONOutput) {
    let text = cell.text.utf8
    let quote = UInt8(ascii: "\"")
    let isPlain =
      if text.isEmpty {
        cell != .text("")
      } else {
        text.first != 0x20 && text.last != 0x20
          && !text.contains { $0 == quote || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D }
      }
    if isPlain { return output.append(Array(text)) }
    output.append(quote)
    for byte in text {
      if byte == quote { output.append(quote) }
      output.append(byte)
    }
    output.append(quote)
  }

  private static func writeEscaped(_ text: String, into output: inout JSONOutput) {
    for byte in text.utf8 {
      switch byte {
      case 0x09: output.append("\\t")
      case 0x0A: output.append("\\n")
      case 0x0D: output.append("\\r")
      case UInt8(ascii: "\\"): output.append("\\\\")
      default: output.append(byte)
      }
    }
  }
}
