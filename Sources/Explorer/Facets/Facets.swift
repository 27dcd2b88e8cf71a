package import InstaQL
package import Triples

/// The number of rows for each value of a column, and a series of the column over time.
///
/// Counting reads every row, so it takes place in the background or in the database.
package struct Facets: Sendable, Equatable {
  package struct Bar: Sendable, Equatable {
    /// The label of the bar.
    let text: String
    /// A shorter label; nil if there is none.
    var shortText: String?
    let count: Int
    /// The condition that matches exactly the rows counted by the bar; nil if no condition does.
    let condition: ConditionNode?
  }

  let label: String
  let bars: [Bar]
  let rows: Int
  /// The number of distinct values. It can exceed the number of bars.
  let distinct: Int
  let isHistogram: Bool
  /// Whether the bars are ranges with about equal counts, rather than of equal width.
  let hasQuantiles: Bool
  /// The number of rows over time, or the mean of a number column over time. Nil if there are no
  /// dates.
  let series: TimeSeries?

  /// The maximum number of distinct numbers to list. If there are more, they are grouped into
  /// ranges.
  private static let maxNumbers = 12

  /// The minimum number of rows for ``areDistinct``. A few bars are a good picture in any case.
  private static let minRows = 12

  /// Whether all or nearly all rows have different values, so that bars would be equal.
  var areDistinct: Bool {
    !isHistogram && rows >= Self.minRows && distinct * 20 >= rows * 19
  }

  /// Returns a count as a share of all rows, rounded: `42%`, `<1%`.
  func share(of count: Int) -> String {
    let percent = rows == 0 ? 0 : Double(count) * 100 / Double(rows)
    return count > 0 && percent < 0.5 ? "<1%" : "\(Int(percent.rounded()))%"
  }

  /// Counts the rows of a complete answer.
  ///
  /// - Parameter dates: The date attribute to use for the series over time if the column itself is
  ///   not a date.
  /// - Complexity: O(rows of the answer).
  package init(_ attribute: Attribute, of answer: Answer, along dates: Attribute? = nil) {
    self.init(attribute, ValueCounts(of: attribute, along: dates, in: answer))
  }

  package init(_ attribute: Attribute, _ tally: ValueCounts) {
    label = attribute.label
    rows = tally.rows
    let path = AttributePath([attribute.label])
    distinct = tally.distinct
    series = TimeSeries(of: attribute, tally)
    let numbers = tally.numbers
    if numbers.count > Self.maxNumbers, numbers.count * 2 > distinct,
      let ranges = FacetRanges(numbers, of: attribute)
    {
      isHistogram = true
      let quantiles =
        ranges.isSkewed ? FacetRanges(quantilesOf: numbers, of: attribute) : nil
      hasQuantiles = quantiles != nil
      let empty = tally.empty
      let other = rows - empty - numbers.reduce(0) { $0 + $1.count }
      bars =
        (quantiles ?? ranges).bars(path)
        + (empty > 0 ? [Bar(text: "∅", count: empty, condition: .isNull(path, true))] : [])
        + (other > 0 ? [Bar(text: "other values", count: other, condition: nil)] : [])
      return
    }
    (isHistogram, hasQuantiles) = (false, false)
    let frequent = tally.frequent
    let decimals = NumberText.decimals(of: frequent.lazy.map(\.value)).whole
    bars = frequent.map { part in
      Bar(
        text: CellText(part.value, of: attribute, .long, decimals).text, count: part.count,
        condition: part.value.facetCondition(path))
    }
  }
}

extension ValueCounts {
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

/// A count of values that is in progress: the column, and the query whose rows are counted.
struct Counting: Sendable, Equatable {
  let plan: QueryPlan
  let label: String
}
