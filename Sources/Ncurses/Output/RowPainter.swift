internal import CNcurses
internal import CTerminal
internal import TerminalUI

/// Converts rows of a frame to ncurses' cells, with one cell for each glyph.
struct RowPainter {
  /// The characters that the terminal can display.
  enum Repertoire {
    case everything
    /// Letters of all scripts, but only ASCII lines and symbols.
    case plainDrawings
    /// Letters, and those drawings and symbols that fonts of the Linux console have.
    case console
    case ascii
  }

  let repertoire: Repertoire
  private(set) var cells: [cchar_t] = []
  /// The number of elements of `cells` that are painted.
  private(set) var count = 0
  /// The column after the last painted column.
  private var end = 0
  /// The codes of letters with the same paint.
  private var letters: [UInt8] = []
  /// The index in `cells` for each column. A wide glyph is a single cell.
  private var places: [Int] = []
  /// Whether color pairs became invalid while the row was painted, so that the screen must be
  /// repainted.
  private(set) var isReset = false

  init(repertoire: Repertoire) { self.repertoire = repertoire }

  /// Returns the range of elements in `cells` that show the given painted columns.
  func cells(of columns: Range<Int>) -> Range<Int> {
    let last = columns.upperBound < end ? places[columns.upperBound] : count
    return places[columns.lowerBound]..<last
  }

  /// Fills `cells` with some columns of a row of `frame`. Columns beyond the frame are blank.
  ///
  /// - Parameters:
  ///   - columns: The columns to paint. They must begin and end with whole glyphs.
  ///   - hidden: Sorted ranges of columns. In these ranges, only the background is painted, not the
  ///     text.
  mutating func paint(
    row: Int, of frame: Frame, columns: Range<Int>, hiding hidden: [Range<Int>] = [],
    table: inout PaintTable
  ) {
    if places.count < columns.upperBound {
      cells = Array(repeating: cchar_t(), count: columns.upperBound)
      places = Array(repeating: 0, count: columns.upperBound)
      letters = Array(repeating: 0, count: columns.upperBound)
    }
    var hidden = hidden[...]
    end = columns.upperBound
    let shown = frame.row(row).prefix(columns.upperBound)
    var paint = Paint.text
    let first = table.entry(for: Self.ink(before: columns.lowerBound, in: shown))
    let text = table.entry(for: paint)
    var look = text.entry
    var before = first.entry
    var isReset = first.isReset || text.isReset
    let repertoire = repertoire
    count = cells.withUnsafeMutableBufferPointer { cells in
      places.withUnsafeMutableBufferPointer { places in
        letters.withUnsafeMutableBufferPointer { letters in
          var line = Line(
            cells: cells, places: places, letters: letters, repertoire: repertoire)
          var column = columns.lowerBound
          while column < shown.count {
            let cell = shown[shown.startIndex + column]
            // Called through `!=`, the comparison would not be inlined.
            if !(cell.paint == paint) {
              paint = cell.paint
              let found = table.entry(for: paint)
              look = found.entry
              isReset = isReset || found.isReset
            }
            places[column] = line.count
            if let range = hidden.first, range.contains(column) {
              line.append(UInt8(ascii: " "), look)
              column += 1
              if column == range.upperBound { hidden = hidden.dropFirst() }
              continue
            }
            // A blank shows no ink, so it keeps the paint of the cell before it, which saves a change
            // of colors.
            if !(cell.isBlank && look.showsSameBlank(as: before)) { before = look }
            if hidden.isEmpty, !cell.isBlank, cell.plainASCII != nil {
              column += line.appendLetters(of: frame, row: row, column..<shown.count, before)
            } else if let code = cell.plainASCII {
              line.append(code, before)
              column += 1
            } else {
              let width = cell.isWide && column + 1 < shown.count ? 2 : 1
              let marks = cell.hasMarks ? frame.marks(row: row, column: column) : []
              line.append(cell, marks, width, before)
              column += width
            }
          }
          for rest in column..<max(column, columns.upperBound) {
            places[rest] = line.count
            line.append(UInt8(ascii: " "), text.entry)
          }
          return line.count
        }
      }
    }
    self.isReset = isReset
  }

  /// Returns the paint of the nearest text to the left of a column, or else to its right.
  private static func ink(before column: Int, in cells: ArraySlice<Cell>) -> Paint {
    let left = cells.prefix(column)
    let cell = left.last { !$0.isBlank } ?? cells[left.endIndex...].first { !$0.isBlank }
    return cell?.paint ?? .text
  }

  /// The ncurses cells of a row.
  private struct Line {
    let cells: UnsafeMutableBufferPointer<cchar_t>
    let places: UnsafeMutableBufferPointer<Int>
    /// Room for the codes of letters with the same paint.
    let letters: UnsafeMutableBufferPointer<UInt8>
    let repertoire: Repertoire
    var count = 0

    mutating func append(_ code: UInt8, _ look: PaintTable.Entry) {
      nc_set_cell(&cells[count], wchar_t(code), look.attributes, look.pair)
      count += 1
    }

    /// Adds the letter at the start of some columns and the next ones with the same paint. Returns
    /// their number.
    mutating func appendLetters(
      of frame: Frame, row: Int, _ columns: Range<Int>, _ look: PaintTable.Entry
    ) -> Int {
      let room = UnsafeMutableBufferPointer(rebasing: letters[..<columns.count])
      let added = frame.copyLetters(row: row, from: columns.lowerBound, to: room)
      for (place, code) in room[..<added].enumerated() {
        places[columns.lowerBound + place] = count
        append(code, look)
      }
      return added
    }

    mutating func append(
      _ cell: Cell, _ marks: [Unicode.Scalar], _ width: Int, _ look: PaintTable.Entry
    ) {
      let shown = repertoire.spelling(of: cell.scalar, width: cell.isWide ? 2 : 1, room: width)
      let first = count
      nc_set_cell(&cells[count], wchar_t(shown.value), look.attributes, look.pair)
      count += 1
      for _ in 0..<width - max(1, Int(ct_width(shown.value))) { append(UInt8(ascii: " "), look) }
      if repertoire == .ascii { return }
      for (index, mark) in marks.enumerated() where ct_width(mark.value) == 0 {
        nc_add_mark(&cells[first], Int32(index + 1), wchar_t(mark.value))
      }
    }
  }
}

extension RowPainter.Repertoire {
  /// Returns the scalar to display in place of one that takes `width` columns in the frame.
  ///
  /// The result is U+FFFD if the C library assumes another width, because ncurses uses the widths
  /// of the C library.
  fileprivate func spelling(
    of scalar: Unicode.Scalar, width: Int, room: Int
  ) -> Unicode.Scalar {
    switch self {
    case .ascii: return ASCIIGlyphs.any(scalar)
    case .plainDrawings: if let plain = ASCIIGlyphs.drawing(scalar) { return plain }
    case .console: if let shown = ConsoleGlyphs.drawing(scalar) { return shown }
    case .everything: break
    }
    return width == room && Int(ct_width(scalar.value)) == width ? scalar : "\u{FFFD}"
  }
}
