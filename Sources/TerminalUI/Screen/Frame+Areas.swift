/// Operations on areas: filling, repainting, drawing boxes.
extension Frame {
  /// Fills an area with a narrow character.
  package mutating func fill(
    _ area: Rect, _ paint: Paint = .text, with scalar: Unicode.Scalar = " "
  ) {
    let area = clip.intersection(area)
    if area.isEmpty { return }
    let cell = Cell(TextWidth.columns(of: scalar) == 1 ? scalar : "\u{FFFD}", paint: paint)
    for row in area.row..<area.endRow { cover(row: row, from: area.column, to: area.endColumn) }
    let columns = size.columns
    cells.withUnsafeMutableBufferPointer { all in
      for row in area.row..<area.endRow {
        let start = row * columns + area.column
        UnsafeMutableBufferPointer(rebasing: all[start..<start + area.columns]).fill(with: cell)
      }
    }
  }

  /// Changes the ground of all cells in an area.
  package mutating func repaint(_ area: Rect, ground: Role) {
    forEachCell(of: area) { $0.paint.ground = ground }
  }

  /// Changes the ink of all cells in an area.
  package mutating func repaint(_ area: Rect, ink: Role) {
    forEachCell(of: area) { $0.paint.ink = ink }
  }

  /// Draws a border inside the edges of `area`, with titles in the top edge.
  ///
  /// - Parameters:
  ///   - title: The title on the left. It is truncated with `…` if it does not fit.
  ///   - detail: The title on the right. It is omitted if the two titles do not fit together.
  package mutating func box(
    _ area: Rect, title: String = "", detail: String = "", style: BoxStyle = .rounded,
    border: Paint = Paint(.border), titlePaint: Paint? = nil, detailPaint: Paint? = nil
  ) {
    guard area.rows > 0, area.columns > 1 else { return }
    edge(
      row: area.row, area, style.topLeft, style.topRight, style.horizontal, border,
      Titles(
        title: title, detail: detail, titlePaint: titlePaint ?? border,
        detailPaint: detailPaint ?? border))
    guard area.rows > 1 else { return }
    for column in [area.column, area.endColumn - 1] {
      fill(
        Rect(row: area.row + 1, column: column, rows: area.rows - 2, columns: 1), border,
        with: style.vertical)
    }
    edge(
      row: area.endRow - 1, area, style.bottomLeft, style.bottomRight, style.horizontal, border, nil
    )
  }

  /// Draws a horizontal line across a box at `row`, joined to its sides.
  package mutating func divider(
    row: Int, of area: Rect, title: String = "", detail: String = "",
    border: Paint = Paint(.border), titlePaint: Paint? = nil, detailPaint: Paint? = nil
  ) {
    guard area.columns > 1 else { return }
    let style = BoxStyle.rounded
    edge(
      row: row, area, style.leftJoin, style.rightJoin, style.horizontal, border,
      Titles(
        title: title, detail: detail, titlePaint: titlePaint ?? border,
        detailPaint: detailPaint ?? border))
  }

  /// Puts a narrow scalar unchanged into one cell.
  package mutating func put(_ scalar: Unicode.Scalar, row: Int, column: Int, paint: Paint) {
    fill(Rect(row: row, column: column, rows: 1, columns: 1), paint, with: scalar)
  }

  private struct Titles {
    let title: String
    let detail: String
    let titlePaint: Paint
    let detailPaint: Paint
  }

  private mutating func edge(
    row: Int, _ area: Rect, _ left: Unicode.Scalar, _ right: Unicode.Scalar,
    _ line: Unicode.Scalar, _ paint: Paint, _ titles: Titles?
  ) {
    put(left, row: row, column: area.column, paint: paint)
    fill(
      Rect(row: row, column: area.column + 1, rows: 1, columns: area.columns - 2), paint, with: line
    )
    put(right, row: row, column: area.endColumn - 1, paint: paint)
    guard let titles else { return }
    let room = area.columns - 4
    var used = 0
    if !titles.title.isEmpty, room > 2 {
      used = write(
        " " + TextWidth.truncated(titles.title, to: room - 2) + " ", row: row,
        column: area.column + 2,
        width: room, paint: titles.titlePaint)
    }
    let detail = " " + titles.detail + " "
    let width = TextWidth.columns(of: detail)
    if !titles.detail.isEmpty, used + width + 1 <= room {
      write(detail, row: row, column: area.endColumn - 2 - width, paint: titles.detailPaint)
    }
  }

  private mutating func forEachCell(of area: Rect, _ change: (inout Cell) -> Void) {
    let area = clip.intersection(area)
    let columns = size.columns
    cells.withUnsafeMutableBufferPointer { all in
      for row in area.row..<area.endRow {
        for index in row * columns + area.column..<row * columns + area.endColumn {
          change(&all[index])
        }
      }
    }
  }
}

/// The characters of a border.
package struct BoxStyle: Hashable, Sendable {
  package let topLeft, topRight, bottomLeft, bottomRight: Unicode.Scalar
  package let horizontal, vertical, leftJoin, rightJoin: Unicode.Scalar

  package static let rounded = BoxStyle(
    topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", horizontal: "─", vertical: "│",
    leftJoin: "├", rightJoin: "┤")
  package static let double = BoxStyle(
    topLeft: "╔", topRight: "╗", bottomLeft: "╚", bottomRight: "╝", horizontal: "═", vertical: "║",
    leftJoin: "╠", rightJoin: "╣")
}
