internal import CNcurses
internal import CTerminal
internal import TerminalUI

/// Turns rows of a frame into rows of ncurses' cells, one for each glyph.
struct RowPainter {
  /// What can be shown besides ASCII.
  enum Repertoire {
    case everything
    /// Letters of all scripts, but plain lines and signs.
    case plainDrawings
    case ascii
  }

  let repertoire: Repertoire
  private(set) var cells: [cchar_t] = []
  /// How many of `cells` are what was painted.
  private(set) var count = 0
  /// The column after the last one that is painted.
  private var end = 0
  /// Which of `cells` stands in a column: a wide glyph is one cell.
  private var places: [Int] = []
  /// Whether colour pairs lost their meaning on the way.
  private(set) var isReset = false

  init(repertoire: Repertoire) { self.repertoire = repertoire }

  /// The part of `cells` that covers some of the columns that were painted.
  func cells(of columns: Range<Int>) -> Range<Int> {
    let last = columns.upperBound < end ? places[columns.upperBound] : count
    return places[columns.lowerBound]..<last
  }

  /// Fills `cells` with some columns of a row of `frame`, blanks where the frame has none.
  ///
  /// - Parameters:
  ///   - columns: They begin and end with whole glyphs.
  ///   - hidden: Columns of which only the ground is painted, in order.
  mutating func paint(
    row: Int, of frame: Frame, columns: Range<Int>, hiding hidden: [Range<Int>] = [],
    table: inout PaintTable
  ) {
    if places.count < columns.upperBound {
      cells = Array(repeating: cchar_t(), count: columns.upperBound)
      places = Array(repeating: 0, count: columns.upperBound)
    }
    var hidden = hidden[...]
    count = 0
    end = columns.upperBound
    let shown = row < frame.size.rows ? min(columns.upperBound, frame.size.columns) : 0
    var paint = Paint.text
    let first = table.entry(for: ink(before: columns.lowerBound, row, of: frame, columns: shown))
    let text = table.entry(for: paint)
    var look = text.entry
    var before = first.entry
    isReset = first.isReset || text.isReset
    var column = columns.lowerBound
    while column < shown {
      let cell = frame.cell(row: row, column: column)
      if cell.paint != paint {
        paint = cell.paint
        let found = table.entry(for: paint)
        look = found.entry
        isReset = isReset || found.isReset
      }
      places[column] = count
      if let range = hidden.first, range.contains(column) {
        append(" ", look)
        column += 1
        if column == range.upperBound { hidden = hidden.dropFirst() }
        continue
      }
      // The ink of a blank is not seen: that of the word before saves the terminal a change of colours.
      let isHidden = cell.isBlank && look.showsSameBlank(as: before)
      if !isHidden { before = look }
      let width = cell.isWide && column + 1 < shown ? 2 : 1
      append(cell, at: Position(row: row, column: column), of: frame, width: width, before)
      column += width
    }
    for rest in column..<max(column, columns.upperBound) {
      places[rest] = count
      append(" ", text.entry)
    }
  }

  /// How the last word before a column is painted, or else the first one after it.
  private func ink(before column: Int, _ row: Int, of frame: Frame, columns: Int) -> Paint {
    var place = min(column, columns)
    while place > 0 {
      place -= 1
      let cell = frame.cell(row: row, column: place)
      if !cell.isBlank { return cell.paint }
    }
    for place in column..<max(column, columns) {
      let cell = frame.cell(row: row, column: place)
      if !cell.isBlank { return cell.paint }
    }
    return .text
  }

  private mutating func append(
    _ cell: Cell, at place: Position, of frame: Frame, width: Int, _ look: PaintTable.Entry
  ) {
    if cell.scalar.isASCII, !cell.hasMarks {
      append(cell.scalar, look)
    } else {
      let marks = cell.hasMarks ? frame.marks(row: place.row, column: place.column) : []
      append(cell, marks, width, look)
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ look: PaintTable.Entry) {
    nc_set_cell(&cells[count], wchar_t(scalar.value), look.attributes, look.pair)
    count += 1
  }

  private mutating func append(
    _ cell: Cell, _ marks: [Unicode.Scalar], _ width: Int, _ look: PaintTable.Entry
  ) {
    let shown = spelling(of: cell.scalar, width: cell.isWide ? 2 : 1, room: width)
    let first = count
    append(shown, look)
    for _ in 0..<width - max(1, Int(ct_width(shown.value))) { append(" ", look) }
    if repertoire == .ascii { return }
    for (index, mark) in marks.enumerated() where ct_width(mark.value) == 0 {
      nc_add_mark(&cells[first], Int32(index + 1), wchar_t(mark.value))
    }
  }

  /// What is shown of a scalar that the frame has given `width` columns. The system's idea of its width
  /// must be the same, as ncurses goes by that.
  private func spelling(of scalar: Unicode.Scalar, width: Int, room: Int) -> Unicode.Scalar {
    switch repertoire {
    case .ascii: return ASCIIGlyphs.any(scalar)
    case .plainDrawings: if let plain = ASCIIGlyphs.drawing(scalar) { return plain }
    case .everything: break
    }
    return width == room && Int(ct_width(scalar.value)) == width ? scalar : "\u{FFFD}"
  }
}
