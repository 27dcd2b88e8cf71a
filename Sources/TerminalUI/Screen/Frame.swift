/// The screen as a grid of cells: what `view` makes and a terminal shows.
///
/// Everything that is drawn is cut to the frame (and to the area of `clipped(to:_:)`), so that no
/// coordinate can be wrong. Text measures in columns, by `TextWidth`.
///
///     var frame = Frame(size: Size(columns: 80, rows: 24))
///     frame.box(area, title: "Results", border: Paint(.borderFocused), titlePaint: Paint(.title))
///     frame.write("Paris", row: 3, column: 2, width: 20, paint: Paint(.string))
///     frame.repaint(Rect(row: 3, column: 1, rows: 1, columns: 78), ground: .selection)
package struct Frame: Sendable {
  package let size: Size
  /// Where the terminal's cursor blinks; nil hides it.
  package var cursor: Position?
  /// What is drawn at all; see `clipped(to:_:)`.
  private(set) var clip: Rect
  /// Row by row, `size.columns` each.
  var cells: [Cell]
  /// The zero-width scalars upon the cells that say `hasMarks`, by index of the cell.
  var marks: [Int: [Unicode.Scalar]] = [:]
  /// Whether a wide glyph was ever put: only then can half of one remain.
  var hasWideGlyphs = false

  /// A blank screen.
  package init(size: Size, paint: Paint = .text) {
    self.size = size
    clip = Rect(size)
    cells = Array(repeating: Cell(paint: paint), count: size.columns * size.rows)
  }

  /// The whole frame.
  package var bounds: Rect { Rect(size) }

  /// The cell at a place inside the frame.
  package func cell(row: Int, column: Int) -> Cell { cells[row * size.columns + column] }

  /// The zero-width scalars that lie on a cell, at most `TextWidth.mostMarks`.
  package func marks(row: Int, column: Int) -> [Unicode.Scalar] {
    marks[row * size.columns + column] ?? []
  }

  /// Calls `body` with the cells of one row.
  package func withRow<Result>(
    _ row: Int, _ body: (UnsafeBufferPointer<Cell>) -> Result
  ) -> Result {
    cells.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[row * size.columns..<(row + 1) * size.columns]))
    }
  }

  /// Which columns of a row look different in a frame of the same size: from the first one to the last,
  /// with whole glyphs at both ends, and all of them where marks lie on the row. Empty where all look
  /// the same.
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
    guard !areSame(ours, theirs), var start = ours.indices.first(where: { ours[$0] != theirs[$0] }),
      var end = ours.indices.last(where: { ours[$0] != theirs[$0] })
    else { return 0..<0 }
    while start > 0, ours[start].isSecondHalf || theirs[start].isSecondHalf { start -= 1 }
    repeat {
      end += 1
    } while end < ours.count
      && (ours[end].isSecondHalf || theirs[end].isSecondHalf)
    return start..<end
  }

  /// Most rows are the same, which is soon seen: a cell is eight bytes without a gap, compared as one
  /// number each.
  private static func areSame(
    _ ours: UnsafeBufferPointer<Cell>, _ theirs: UnsafeBufferPointer<Cell>
  ) -> Bool {
    ours.withMemoryRebound(to: UInt64.self) { ours in
      theirs.withMemoryRebound(to: UInt64.self) { theirs in
        var difference: UInt64 = 0
        for index in ours.indices { difference |= ours[index] ^ theirs[index] }
        return difference == 0
      }
    }
  }

  /// Draws with everything outside of `area` left as it is.
  package mutating func clipped(to area: Rect, _ body: (inout Frame) -> Void) {
    let before = clip
    clip = clip.intersection(area)
    body(&self)
    clip = before
  }
}

extension Frame: Equatable {
  /// Two frames are equal when they look the same.
  package static func == (first: Frame, second: Frame) -> Bool {
    first.size == second.size && first.cursor == second.cursor && first.cells == second.cells
      && first.marks == second.marks
  }
}
