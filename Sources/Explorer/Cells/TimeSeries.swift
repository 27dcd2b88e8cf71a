import InstaQL
import TerminalUI
import Triples

/// A column over time: how many rows, or the mean of its numbers, in equal parts of a stretch of time.
struct TimeSeries: Sendable, Equatable {
  private struct Part: Sendable, Equatable {
    var sum = 0.0
    var count = 0
  }

  /// What is shown, in words: `rows by sown`, `mean height by sown`.
  let title: String
  /// In milliseconds since 1970.
  let from: Int64
  let to: Int64
  private let isMean: Bool
  private var parts: [Part]

  /// More than any pane has columns.
  private static let mostParts = 480

  /// Nil where nothing says when the rows were, or all were at one moment.
  init?(of attribute: Attribute, _ tally: Tally) {
    isMean = attribute.checkedType != .date
    let first = tally.moments.map(\.time).min() ?? 0
    let last = tally.moments.map(\.time).max() ?? 0
    guard first < last, let from = Int64(exactly: first.rounded()),
      let to = Int64(exactly: last.rounded())
    else { return nil }
    (self.from, self.to) = (from, to)
    title =
      isMean
      ? "mean \(attribute.label) by \(tally.dates?.label ?? "")" : "rows by \(attribute.label)"
    parts = Array(repeating: Part(), count: Self.mostParts)
    for moment in tally.moments {
      let share = (moment.time - first) / (last - first)
      let place = min(Self.mostParts - 1, Int(share * Double(Self.mostParts)))
      parts[place].sum += moment.sum
      parts[place].count += moment.count
    }
  }

  /// One number for each of so many columns; nil where there are no rows.
  private func values(columns: Int) -> [Double?] {
    (0..<columns).map { column in
      let start = column * parts.count / columns
      let end = max(start + 1, (column + 1) * parts.count / columns)
      let count = parts[start..<end].reduce(0) { $0 + $1.count }
      guard isMean else { return Double(count) }
      let mean = parts[start..<end].reduce(0) { $0 + $1.sum } / Double(count)
      // Numbers so great that their sum is none have no mean that can be drawn.
      return mean.isFinite ? mean : nil
    }
  }

  /// A line of bars, each in so many eighths of its column's height, and what its top means.
  func spark(columns: Int, rows: Int) -> (lines: [String], top: Double) {
    let columns = max(1, min(columns, parts.count))
    let values = values(columns: columns)
    let known = values.compactMap { $0 }
    let top = known.max() ?? 0
    // Means are told apart from the least of them on; rows from none on.
    let floor = isMean ? min(known.min() ?? 0, top) : 0
    let full = Double(rows * 8)
    // Halves, as the way from the least to the greatest of all numbers is no number.
    let height = top / 2 - floor / 2
    let heights = values.map { value -> Int in
      guard let value, value > 0 || isMean else { return 0 }
      return height > 0 ? max(1, Int(((value / 2 - floor / 2) / height * full).rounded())) : 1
    }
    let lines = (0..<rows).reversed().map { row in
      String(heights.map { Self.signs[min(8, max(0, $0 - row * 8))] })
    }
    return (lines, top)
  }

  private static let signs: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}

extension TimeSeries {
  /// Rows that it takes with its title and its ends.
  static let drawnRows = 4

  /// The title with what the highest bar means, two rows of bars, the first and the last moment.
  func draw(into frame: inout Frame, area: Rect) {
    let (lines, top) = spark(columns: area.columns - 2, rows: 2)
    func write(_ row: Int, _ text: String, _ role: Role, _ alignment: Alignment = .leading) {
      guard row < area.rows else { return }
      frame.write(
        text, row: area.row + row, column: area.column + 1, width: max(0, area.columns - 2),
        paint: Paint(role), overflow: .clip, alignment: alignment)
    }
    write(0, title, .title)
    // Of greater numbers there are no hundredths.
    let rounded = top.magnitude < 1e13 ? (top * 100).rounded() / 100 : top
    let most =
      Int64(exactly: top).map { NumberText.grouped($0) } ?? NumberText.grouped(rounded)
    write(0, "up to \(most)", .dim, .trailing)
    for (row, line) in lines.enumerated() { write(1 + row, line, .chart) }
    write(3, InstantText.utc(milliseconds: from), .chartAxis)
    write(3, InstantText.utc(milliseconds: to), .chartAxis, .trailing)
  }
}
