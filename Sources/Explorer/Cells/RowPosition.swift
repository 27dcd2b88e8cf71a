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

  /// The position in words, such as `row 12 of 26,184 · 0%`.
  package var text: String {
    switch count {
    case .exactly(0): "0 rows"
    case .exactly(let count):
      "row \(Self.plain(row)) of \(Self.plain(count)) · \(percent(of: count))%"
    case .about(let count):
      "row \(Self.plain(row)) of ≈\(Self.plain(count)) · \(percent(of: count))%"
    case .atLeast(let count): "row \(Self.plain(row)) of \(Self.plain(count))+"
    }
  }

  /// Returns the position in percent: 0 for the first row and 100 for the last.
  private func percent(of count: Int) -> Int {
    count <= 1 ? 100 : min(100, max(0, (row - 1) * 100 / (count - 1)))
  }

  /// Returns a number with grouped digits, for use in a sentence.
  package static func plain(_ number: Int) -> String {
    NumberText.grouped(Int64(number), .all)
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
