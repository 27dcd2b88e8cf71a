/// What happens to text that is wider than its field.
package enum Overflow: Sendable {
  /// Cuts the text without an ellipsis.
  case clip
  /// Cuts the text and ends it with `…`.
  case ellipsis
}

/// The position of text within its field.
package enum Alignment: Sendable {
  case leading, trailing, center
}

extension Frame {
  /// Writes one line of text and returns the number of columns that it takes.
  ///
  /// Line breaks and other control characters are shown as symbols, so nothing in `text` reaches
  /// the terminal as a command. Right-to-left text is isolated, so that a terminal with
  /// bidirectional layout does not reorder its neighbors.
  ///
  /// - Parameters:
  ///   - width: The number of columns of the field, within which `alignment` applies.
  ///   - overflow: What happens to text that is wider than the field. Such text is always leading.
  /// - Complexity: O(bytes of the displayed text); with an alignment other than leading, O(bytes of
  ///   `text`).
  @discardableResult
  package mutating func write(
    _ text: String, row: Int, column: Int, width: Int = .max, paint: Paint = .text,
    overflow: Overflow = .ellipsis, alignment: Alignment = .leading
  ) -> Int {
    var start = column
    if alignment != .leading, width < .max {
      let spare = max(0, width - TextWidth.columns(of: text))
      start += alignment == .trailing ? spare : spare / 2
    }
    guard row >= clip.row, row < clip.endRow, start < clip.endColumn else { return 0 }
    let end = width == .max ? clip.endColumn : min(clip.endColumn, column + max(0, width))
    guard start < end else { return 0 }
    var pen = Pen(row: row, column: start, start: start, end: end, paint: paint)
    let plain = start < clip.column ? 0 : writePlain(text, &pen)
    if plain < text.utf8.count { writeGlyphs(text, from: plain, &pen) }
    if pen.isFull, overflow == .ellipsis { ellipsis(&pen) }
    if pen.isRightToLeft { addMark(Self.isolation, pen, isForced: true) }
    return pen.column - start
  }

  /// Writes the ASCII characters at the start of the text, up to the end of the field. Returns the
  /// number of bytes written, usually all of them.
  private mutating func writePlain(_ text: String, _ pen: inout Pen) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      let count = TextWidth.plainPrefix(
        of: UnsafeBufferPointer(rebasing: bytes.prefix(pen.end - pen.column)))
      if count == 0 { return 0 }
      mend(row: pen.row, from: pen.column, to: pen.column + count)
      let first = pen.row * size.columns + pen.column
      let paint = pen.paint
      cells.withUnsafeMutableBufferPointer { all in
        let written = UnsafeMutableBufferPointer(rebasing: all[first..<first + count])
        for index in written.indices {
          written[index] = Cell(Unicode.Scalar(bytes[index]), paint: paint)
        }
      }
      pen.column += count
      pen.last = first + count - 1
      return count
    }
  }

  private mutating func writeGlyphs(_ text: String, from plain: Int, _ pen: inout Pen) {
    var glyphs = GlyphReader(followsGlyph: plain > 0)
    let scalars = text.unicodeScalars
    for scalar in scalars[text.utf8.index(text.startIndex, offsetBy: plain)...] {
      step(glyphs.read(scalar), &pen)
      if pen.isFull { break }
    }
  }

  private struct Pen {
    let row: Int
    var column: Int
    let start: Int
    let end: Int
    let paint: Paint
    var last: Int?
    var isFull = false
    var isRightToLeft = false
  }

  private mutating func step(_ step: GlyphReader.Step, _ pen: inout Pen) {
    switch step {
    case .nothing: break
    case .glyph(let scalar, let columns): place(scalar, columns, &pen)
    case .mark(let scalar): addMark(scalar, pen)
    }
  }

  private mutating func place(_ scalar: Unicode.Scalar, _ columns: Int, _ pen: inout Pen) {
    guard pen.column + columns <= pen.end else {
      pen.isFull = true
      return
    }
    pen.isRightToLeft = pen.isRightToLeft || scalar.isRightToLeft
    let column = pen.column
    pen.column += columns
    pen.last = nil
    guard pen.column > clip.column else { return }
    if column < clip.column {
      // Only the right half of the wide glyph is inside the clip area, so a blank takes its place.
      mend(row: pen.row, from: clip.column, to: pen.column)
      cells[pen.row * size.columns + clip.column] = Cell(paint: pen.paint)
      return
    }
    mend(row: pen.row, from: column, to: pen.column)
    let index = pen.row * size.columns + column
    cells[index] = Cell(scalar, paint: pen.paint, isWide: columns == 2)
    if columns == 2 {
      cells[index + 1] = .second(paint: pen.paint)
      hasWideGlyphs = true
    }
    pen.last = index
  }

  private mutating func addMark(_ scalar: Unicode.Scalar, _ pen: Pen, isForced: Bool = false) {
    if let index = pen.last { mark(index, scalar, isForced: isForced) }
  }

  private mutating func mark(_ index: Int, _ scalar: Unicode.Scalar, isForced: Bool) {
    var list = marks[index] ?? []
    if list.count >= TextWidth.maxMarks {
      guard isForced else { return }
      list.removeLast()
    }
    list.append(scalar)
    marks[index] = list
    cells[index].hasMarks = true
  }

  /// Writes `…` in the last column of the field, or after the last glyph if a wide glyph was cut.
  private mutating func ellipsis(_ pen: inout Pen) {
    if pen.column == pen.end { pen.column -= 1 }
    pen.isFull = false
    guard pen.column >= pen.start else { return }
    place("…", 1, &pen)
  }

  /// The mark that isolates right-to-left text. It stands after the last glyph.
  package static let isolation: Unicode.Scalar = "\u{200E}"

  /// Isolates right-to-left text whose end is covered.
  ///
  /// - Parameter column: The first covered column.
  mutating func isolateText(cutAt column: Int, row: Int) {
    guard column > 0 else { return }
    let cells = cells[row * size.columns..<row * size.columns + column]
    let place = cells.indices.last {
      cells[$0].scalar.isRightToLeft || marks[$0]?.last == Self.isolation
    }
    guard let place, marks[place]?.last != Self.isolation else { return }
    let isSecondHalf = cells[cells.endIndex - 1].isSecondHalf
    mark(cells.endIndex - (isSecondHalf ? 2 : 1), Self.isolation, isForced: true)
  }

  /// Prepares columns for cells that cover other text.
  mutating func cover(row: Int, from: Int, to: Int) {
    let hasMarks = !marks.isEmpty
    guard hasMarks || hasWideGlyphs else { return }
    mend(row: row, from: from, to: to)
    if hasMarks { isolateText(cutAt: from, row: row) }
  }

  /// Prepares columns for writing. Remaining halves of wide glyphs become blanks, and combining
  /// marks are removed.
  mutating func mend(row: Int, from: Int, to: Int) {
    let base = row * size.columns
    if hasWideGlyphs {
      if cells[base + from].isSecondHalf {
        dropMarks(base + from - 1)
        cells[base + from - 1] = Cell(paint: cells[base + from - 1].paint)
      }
      if to < size.columns, cells[base + to].isSecondHalf {
        cells[base + to] = Cell(paint: cells[base + to].paint)
      }
    }
    if marks.isEmpty { return }
    for column in from..<to { dropMarks(base + column) }
  }

  private mutating func dropMarks(_ index: Int) {
    if cells[index].hasMarks { marks[index] = nil }
  }
}
