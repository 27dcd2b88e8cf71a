import TerminalUI
import Triples

/// The row counts of a date column, or the means of a number column, in equal intervals of time.
struct TimeSeries: Sendable, Equatable {
  private struct Part: Sendable, Equatable {
    var sum = 0.0
    var count = 0
  }

  /// The title, such as `rows by sown` or `mean height by sown`.
  let title: String
  /// The first and last date of the series, in milliseconds since 1970.
  let from: Int64
  let to: Int64
  private let isMean: Bool
  private var parts: [Part]

  /// The maximum number of intervals. It exceeds the width of any pane.
  private static let maxParts = 480

  /// Creates a series. Nil if there are no dates, or if all are equal.
  init?(of attribute: Attribute, _ tally: ValueCounts) {
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
    parts = Array(repeating: Part(), count: Self.maxParts)
    for moment in tally.moments {
      let share = (moment.time - first) / (last - first)
      let place = min(Self.maxParts - 1, Int(share * Double(Self.maxParts)))
      parts[place].sum += moment.sum
      parts[place].count += moment.count
    }
  }

  /// Returns the row count or the mean for each column of the chart. Nil for a mean without rows.
  private func values(columns: Int) -> [Double?] {
    (0..<columns).map { column in
      let start = column * parts.count / columns
      let end = max(start + 1, (column + 1) * parts.count / columns)
      let count = parts[start..<end].reduce(0) { $0 + $1.count }
      guard isMean else { return Double(count) }
      let mean = parts[start..<end].reduce(0) { $0 + $1.sum } / Double(count)
      // If the sum overflowed, the mean cannot be drawn.
      return mean.isFinite ? mean : nil
    }
  }

  /// Returns the lines of a bar chart and the value at its top. The heights of bars are multiples
  /// of an eighth of a line.
  func spark(columns: Int, rows: Int) -> (lines: [String], top: Double) {
    let columns = max(1, min(columns, parts.count))
    let values = values(columns: columns)
    let known = values.compactMap { $0 }
    let top = known.max() ?? 0
    // The scale of means starts at the lowest mean; the scale of counts starts at zero.
    let floor = isMean ? min(known.min() ?? 0, top) : 0
    let full = Double(rows * 8)
    // The numbers are halved, since the difference between extreme numbers can overflow.
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

  /// The number of rows of the drawing, including its title and its axis.
  static let drawnRows = 4

  /// Draws the title with the maximum, two rows of bars, and the first and last date.
  func draw(into frame: inout Frame, area: Rect) {
    let (lines, top) = spark(columns: area.columns - 2, rows: 2)
    func write(_ row: Int, _ text: String, _ role: Role, _ alignment: Alignment = .leading) {
      guard row < area.rows else { return }
      frame.write(
        text, row: area.row + row, column: area.column + 1, width: max(0, area.columns - 2),
        paint: Paint(role), overflow: .clip, alignment: alignment)
    }
    write(0, title, .title)
    // A double this large has no exact hundredths.
    let rounded = top.magnitude < 1e13 ? (top * 100).rounded() / 100 : top
    let most =
      Int64(exactly: top).map { NumberText.grouped($0) } ?? NumberText.grouped(rounded)
    write(0, (isMean ? "highest mean " : "highest count ") + most, .dim, .trailing)
    for (row, line) in lines.enumerated() { write(1 + row, line, .chart) }
    write(3, InstantText.utc(milliseconds: from), .chartAxis)
    write(3, InstantText.utc(milliseconds: to), .chartAxis, .trailing)
  }
}
