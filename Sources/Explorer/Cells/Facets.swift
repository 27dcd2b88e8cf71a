package import InstaQL
package import Triples

/// How often each value of a column is there, counted over a whole answer, and how that went over time.
///
/// Counting looks at every row, so it is done away from the screen.
package struct Facets: Sendable, Equatable {
  package struct Bar: Sendable, Equatable {
    /// What is written before the bar.
    let text: String
    let count: Int
    /// What keeps only these rows; nil where no condition says it.
    let condition: ConditionNode?
  }

  let label: String
  let bars: [Bar]
  let rows: Int
  /// Different values in all; more than there are bars when many were left out.
  let distinct: Int
  let isHistogram: Bool
  /// The column over time: rows of a date, the mean of numbers beside a date; nil without either.
  let series: TimeSeries?

  /// Values listed at most.
  private static let mostBars = 200
  /// Numbers with more values than this are shown as ranges.
  private static let mostNumbers = 12

  /// - Parameter dates: The attribute that says when an entity was, for a column that is no date.
  /// - Complexity: O(rows of the answer).
  package init(_ attribute: Attribute, of answer: Answer, along dates: Attribute? = nil) {
    label = attribute.label
    rows = answer.rows.count
    let path = AttributePath([attribute.label])
    var counts: [Value: Int] = [:]
    for row in answer.rows {
      let value = answer.store.value(row, attribute.id) ?? .null
      counts[value, default: 0] += 1
    }
    distinct = counts.count
    series = TimeSeries(of: attribute, in: answer, along: dates)
    let numbers = counts.compactMap { value, count in
      value.number(of: attribute).map { ($0, count) }
    }
    if numbers.count > Self.mostNumbers, numbers.count * 2 > counts.count,
      let ranges = FacetRanges(numbers, of: attribute)
    {
      isHistogram = true
      let empty = counts[.null] ?? 0
      let other = rows - empty - numbers.reduce(0) { $0 + $1.1 }
      bars =
        ranges.bars(path)
        + (empty > 0 ? [Bar(text: "∅", count: empty, condition: .isNull(path, true))] : [])
        + (other > 0 ? [Bar(text: "other values", count: other, condition: nil)] : [])
      return
    }
    isHistogram = false
    bars = counts.sorted { ($1.value, $0.key.sortText) < ($0.value, $1.key.sortText) }
      .prefix(Self.mostBars).map { value, count in
        Bar(
          text: CellText(value, of: attribute).text, count: count,
          condition: value.facetCondition(path))
      }
  }
}

extension Value {
  /// The number that it is, or the milliseconds since 1970 of a date.
  func number(of attribute: Attribute) -> Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number.isFinite ? number : nil
    case .text(let text):
      attribute.checkedType == .date ? Instant(text).map { Double($0.milliseconds) } : nil
    case .null, .bool, .array, .object: nil
    }
  }

  fileprivate var sortText: String { JSONWriter.text(self) }

  fileprivate func facetCondition(_ path: AttributePath) -> ConditionNode? {
    switch self {
    case .null: .isNull(path, true)
    case .bool, .integer, .double, .text: .compare(path, .equal, self)
    case .array, .object: nil
    }
  }
}
