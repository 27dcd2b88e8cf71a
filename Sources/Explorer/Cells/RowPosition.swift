/// The position of the cursor among the rows of an answer.
package struct RowPosition: Sendable, Equatable {
  /// The number of rows: exact, estimated, or a lower bound.
  package enum Count: Sendable, Equatable {
    case exactly(Int)
    /// The number of rows as the database estimates it.
    case about(Int)
    case atLeast(Int)
  }

  /// The row, counted from 1.
  let row: Int
  let count: Count

  package init(row: Int, of count: Count) {
    (self.row, self.count) = (row, count)
  }

  /// Returns the position in words, such as `row 12 of 26,184 · top`.
  ///
  /// - Parameter isAllVisible: Whether all rows are on the screen, so that the part is omitted.
  package func text(isAllVisible: Bool = false) -> String {
    let number = NumberText.grouped(row)
    return switch count {
    case .exactly(0): "0 rows"
    case .exactly: "row \(number) of \(NumberText.grouped(count.rows))\(part(isAllVisible))"
    case .about: "row \(number) of ≈\(NumberText.grouped(count.rows))\(part(isAllVisible))"
    case .atLeast: "row \(number) of \(NumberText.grouped(count.rows))+"
    }
  }

  /// Returns the part of the rows above the row: `top` for the first row, `end` for the last, and
  /// otherwise a percentage.
  private func part(_ isAllVisible: Bool) -> String {
    let last = count.rows
    if isAllVisible || last <= 1 { return "" }
    if row <= 1 { return " · top" }
    if row >= last { return " · end" }
    return " · \(min(99, max(1, (row - 1) * 100 / (last - 1))))%"
  }
}

extension RowPosition.Count {
  /// The number of rows for the scroll bar, even if it is only an estimate or a lower bound.
  var rows: Int {
    switch self {
    case .exactly(let count), .about(let count), .atLeast(let count): count
    }
  }
}
