/// The size of the screen or a part of it, in columns and rows. It is never negative.
package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
  }
}

/// A position on the screen, counted from 0 at the top left.
package struct Position: Hashable, Sendable {
  package var row: Int
  package var column: Int

  package init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// An area of the screen: its top left corner, counted from 0, and its size, which is never
/// negative.
package struct Rect: Hashable, Sendable {
  package var row: Int
  package var column: Int
  package var rows: Int
  package var columns: Int

  package init(row: Int, column: Int, rows: Int, columns: Int) {
    self.row = row
    self.column = column
    self.rows = max(0, rows)
    self.columns = max(0, columns)
  }

  /// Creates the area of a whole screen.
  package init(_ size: Size) {
    self.init(row: 0, column: 0, rows: size.rows, columns: size.columns)
  }

  package var size: Size { Size(columns: columns, rows: rows) }
  package var isEmpty: Bool { rows == 0 || columns == 0 }
  /// The row below the last row.
  package var endRow: Int { row + rows }
  /// The column after the last column.
  package var endColumn: Int { column + columns }

  package func contains(row: Int, column: Int) -> Bool {
    row >= self.row && row < endRow && column >= self.column && column < endColumn
  }

  package func contains(_ position: Position) -> Bool {
    contains(row: position.row, column: position.column)
  }

  package func contains(_ other: Rect) -> Bool { intersection(other) == other }

  package func intersection(_ other: Rect) -> Rect {
    let top = max(row, other.row)
    let left = max(column, other.column)
    return Rect(
      row: top, column: left, rows: min(endRow, other.endRow) - top,
      columns: min(endColumn, other.endColumn) - left)
  }

  /// Returns the area without margins; empty if the margins leave nothing.
  package func inset(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) -> Rect {
    Rect(
      row: row + top, column: column + left, rows: rows - top - bottom,
      columns: columns - left - right)
  }

  /// Returns the area without a margin of equal width on all sides.
  package func inset(by margin: Int) -> Rect {
    inset(top: margin, left: margin, bottom: margin, right: margin)
  }

  /// Splits the area into the top `rows`, or fewer if there are not enough, and the rest.
  package func split(rows: Int) -> (top: Rect, bottom: Rect) {
    let height = min(max(0, rows), self.rows)
    return (
      Rect(row: row, column: column, rows: height, columns: columns),
      Rect(row: row + height, column: column, rows: self.rows - height, columns: columns)
    )
  }

  /// Splits the area into the left `columns`, or fewer if there are not enough, and the rest.
  package func split(columns: Int) -> (left: Rect, right: Rect) {
    let width = min(max(0, columns), self.columns)
    return (
      Rect(row: row, column: column, rows: rows, columns: width),
      Rect(row: row, column: column + width, rows: rows, columns: self.columns - width)
    )
  }

  /// Returns an area of at most `size` at `corner`, moved if necessary so that it lies within this
  /// area.
  package func holding(_ size: Size, near corner: Position) -> Rect {
    let rows = min(size.rows, self.rows)
    let columns = min(size.columns, self.columns)
    return Rect(
      row: max(row, min(corner.row, endRow - rows)),
      column: max(column, min(corner.column, endColumn - columns)), rows: rows, columns: columns)
  }

  /// Returns an area of at most `size` that is centered within this area.
  package func centered(_ size: Size) -> Rect {
    let rows = min(size.rows, self.rows)
    let columns = min(size.columns, self.columns)
    return Rect(
      row: row + (self.rows - rows) / 2, column: column + (self.columns - columns) / 2, rows: rows,
      columns: columns)
  }
}
