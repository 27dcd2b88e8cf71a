/// A grid of cells that a view draws and a terminal displays.
///
/// All drawing is clipped to the frame (and to the area of `clipped(to:_:)`), so any coordinates
/// are valid. Text is measured in columns by `TextWidth`.
///
///     var frame = Frame(size: Size(columns: 80, rows: 24))
///     frame.box(area, title: "Results", border: Paint(.borderFocused), titlePaint: Paint(.title))
///     frame.write("Paris", row: 3, column: 2, width: 20, paint: Paint(.string))
///     frame.repaint(Rect(row: 3, column: 1, rows: 1, columns: 78), ground: .selection)
package struct Frame: Sendable {
  package let size: Size
  /// The position of the terminal's cursor; nil hides it.
  package var cursor: Position?
  /// The area to which drawing is clipped. `clipped(to:_:)` sets it.
  private(set) var clip: Rect
  /// The cells, row by row, with `size.columns` cells for each row.
  var cells: [Cell]
  /// The combining marks of cells with `hasMarks`, by cell index.
  var marks: [Int: [Unicode.Scalar]] = [:]
  /// Whether a wide glyph was ever written. Otherwise, writing cannot cut a glyph in half.
  var hasWideGlyphs = false

  /// Creates a blank frame.
  package init(size: Size, paint: Paint = .text) {
    self.size = size
    clip = Rect(size)
    let count = size.columns * size.rows
    cells = Array(unsafeUninitializedCapacity: count) { cells, initialized in
      cells.fill(with: Cell(paint: paint))
      initialized = count
    }
  }

  /// The area of the whole frame.
  package var bounds: Rect { Rect(size) }

  /// Returns the cell at a position within the frame.
  package func cell(row: Int, column: Int) -> Cell { cells[row * size.columns + column] }

  /// Returns the combining marks on a cell, at most `TextWidth.maxMarks`.
  package func marks(row: Int, column: Int) -> [Unicode.Scalar] {
    marks[row * size.columns + column] ?? []
  }

  /// Returns the cells of one row; none if the frame has no such row.
  package func row(_ row: Int) -> ArraySlice<Cell> {
    row < size.rows ? cells[row * size.columns..<(row + 1) * size.columns] : []
  }

  /// Copies the ASCII codes of a cell and of the next cells with the same paint, up to the first cell
  /// that shows something else.
  ///
  /// - Parameters:
  ///   - column: A column in the row.
  ///   - codes: The place for the codes. It limits their number.
  /// - Returns: The number of codes.
  package func copyLetters(
    row: Int, from column: Int, to codes: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    let first = row * size.columns + column
    let paint = cells[first].paint
    var count = 0
    for cell in cells[first..<first + min(codes.count, size.columns - column)] {
      guard cell.paint == paint, let code = cell.plainASCII else { break }
      codes[count] = code
      count += 1
    }
    return count
  }

  /// Returns the range of columns in which a row differs from a frame of the same size.
  ///
  /// The range covers whole glyphs. It is the entire row if the row has combining marks, and empty
  /// if the rows are equal.
  ///
  /// - Complexity: O(columns).
  package func changedColumns(since other: Frame, row: Int) -> Range<Int> {
    let range = row * size.columns..<(row + 1) * size.columns
    let changed = cells.withUnsafeBufferPointer { ours in
      other.cells.withUnsafeBufferPointer { theirs in
        Self.changed(
          UnsafeBufferPointer(rebasing: ours[range]), UnsafeBufferPointer(rebasing: theirs[range]))
      }
    }
    if marks.isEmpty && other.marks.isEmpty { return changed }
    let isMarked = range.contains { cells[$0].hasMarks || other.cells[$0].hasMarks }
    guard isMarked else { return changed }
    let isSame = changed.isEmpty && range.allSatisfy { marks[$0] == other.marks[$0] }
    return isSame ? 0..<0 : 0..<size.columns
  }

  private static func changed(
    _ ours: UnsafeBufferPointer<Cell>, _ theirs: UnsafeBufferPointer<Cell>
  ) -> Range<Int> {
    guard let differing = differing(ours, theirs) else { return 0..<0 }
    var (start, end) = (differing.lowerBound, differing.upperBound - 1)
    while start > 0, ours[start].isSecondHalf || theirs[start].isSecondHalf { start -= 1 }
    repeat {
      end += 1
    } while end < ours.count
      && (ours[end].isSecondHalf || theirs[end].isSecondHalf)
    return start..<end
  }

  /// Returns the range from the first to the last cell in which two rows differ; nil if they are
  /// equal.
  ///
  /// The cells are compared as 64-bit numbers, first all of them without stopping early, since most
  /// rows are equal.
  private static func differing(
    _ ours: UnsafeBufferPointer<Cell>, _ theirs: UnsafeBufferPointer<Cell>
  ) -> Range<Int>? {
    ours.withMemoryRebound(to: UInt64.self) { ours in
      theirs.withMemoryRebound(to: UInt64.self) { theirs in
        var difference: UInt64 = 0
        for index in ours.indices { difference |= ours[index] ^ theirs[index] }
        if difference == 0 { return nil }
        var (start, end) = (0, ours.count)
        while ours[start] == theirs[start] { start += 1 }
        while ours[end - 1] == theirs[end - 1] { end -= 1 }
        return start..<end
      }
    }
  }

  /// Calls `body` with all drawing clipped to `area`.
  package mutating func clipped(to area: Rect, _ body: (inout Frame) -> Void) {
    let before = clip
    clip = clip.intersection(area)
    body(&self)
    clip = before
  }
}

extension Frame: Equatable {
  /// Returns whether two frames look the same.
  package static func == (first: Frame, second: Frame) -> Bool {
    first.size == second.size && first.cursor == second.cursor && first.cells == second.cells
      && first.marks == second.marks
  }
}
