package import InstaQL
package import Triples

/// How often each value of a column is there, counted over a whole answer, and how that went over time.
///
/// Counting looks at every row, so it is done away from the screen, or by the database that has them.
package struct Facets: Sendable, Equatable {
  package struct Bar: Sendable, Equatable {
    /// What is written before the bar.
    let text: String
    /// The same where there is less room; nil where it is no shorter.
    var shortText: String?
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

  /// Numbers with more values than this are shown as ranges.
  private static let mostNumbers = 12

  /// Counts the rows of an answer that is here as a whole.
  ///
  /// - Parameter dates: The attribute that says when an entity was, for a column that is no date.
  /// - Complexity: O(rows of the answer).
  package init(_ attribute: Attribute, of answer: Answer, along dates: Attribute? = nil) {
    self.init(attribute, Tally(of: attribute, along: dates, in: answer))
  }

  package init(_ attribute: Attribute, _ tally: Tally) {
    label = attribute.label
    rows = tally.rows
    let path = AttributePath([attribute.label])
    distinct = tally.distinct
    series = TimeSeries(of: attribute, tally)
    let numbers = tally.numbers
    if numbers.count > Self.mostNumbers, numbers.count * 2 > distinct,
      let ranges = FacetRanges(numbers, of: attribute)
    {
      isHistogram = true
      let empty = tally.empty
      let other = rows - empty - numbers.reduce(0) { $0 + $1.count }
      bars =
        ranges.bars(path)
        + (empty > 0 ? [Bar(text: "∅", count: empty, condition: .isNull(path, true))] : [])
        + (other > 0 ? [Bar(text: "other values", count: other, condition: nil)] : [])
      return
    }
    isHistogram = false
    bars = tally.frequent.map { part in
      Bar(
        text: CellText(part.value, of: attribute).text, count: part.count,
        condition: part.value.facetCondition(path))
    }
  }
}

extension Tally {
  fileprivate init(of attribute: Attribute, along dates: Attribute?, in answer: Answer) {
    self.init(of: attribute, along: dates)
    var counts: [Value: Int] = [:]
    var moments: [Value: (sum: Double, count: Int)] = [:]
    for row in answer.rows {
      let value = answer.store.value(row, attribute.id) ?? .null
      counts[value, default: 0] += 1
      guard let dates = self.dates, let number = value.number(of: attribute),
        let date = answer.store.value(row, dates.id)
      else { continue }
      let before = moments[date] ?? (0, 0)
      moments[date] = (before.sum + number, before.count + 1)
    }
    for (value, count) in counts { add(value, count: count) }
    for (date, part) in moments { add(date: date, sum: part.sum, count: part.count) }
  }
}

extension Value {
  fileprivate func facetCondition(_ path: AttributePath) -> ConditionNode? {
    switch self {
    case .null: .isNull(path, true)
    case .bool, .integer, .double, .text: .compare(path, .equal, self)
    case .array, .object: nil
    }
  }
}
