package import InstaQL
package import Triples

/// How often each value of a column is there, counted over a whole answer.
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

  /// Values listed at most.
  private static let mostBars = 200
  /// Numbers with more values than this are shown as ranges.
  private static let mostNumbers = 12
  private static let ranges = 10

  /// - Complexity: O(rows of the answer).
  package init(_ attribute: Attribute, of answer: Answer) {
    label = attribute.label
    rows = answer.rows.count
    let path = AttributePath([attribute.label])
    var counts: [Value: Int] = [:]
    for row in answer.rows {
      let value = answer.store.value(row, attribute.id) ?? .null
      counts[value, default: 0] += 1
    }
    distinct = counts.count
    let numbers = counts.compactMap { value, count in value.number.map { ($0, count) } }
    if numbers.count > Self.mostNumbers, numbers.count * 2 > counts.count {
      isHistogram = true
      bars = Self.histogram(numbers, of: attribute, path)
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

  /// Ranges of equal width from the least number to the greatest.
  private static func histogram(
    _ numbers: [(Double, Int)], of attribute: Attribute, _ path: AttributePath
  ) -> [Bar] {
    let least = numbers.map(\.0).min() ?? 0
    let greatest = numbers.map(\.0).max() ?? 0
    let step = (greatest - least) / Double(ranges)
    guard step > 0, step.isFinite else { return [] }
    var counts = Array(repeating: 0, count: ranges)
    for (number, count) in numbers {
      counts[min(ranges - 1, Int((number - least) / step))] += count
    }
    return counts.enumerated().map { place, count in
      let from = least + Double(place) * step
      let to = place == ranges - 1 ? greatest : from + step
      let upper: Comparison = place == ranges - 1 ? .lessOrEqual : .less
      return Bar(
        text: "\(text(from, attribute)) – \(text(to, attribute))", count: count,
        condition: .all([
          .compare(path, .greaterOrEqual, .double(from)), .compare(path, upper, .double(to)),
        ]))
    }
  }

  private static func text(_ number: Double, _ attribute: Attribute) -> String {
    if attribute.checkedType == .date, let milliseconds = Int64(exactly: number.rounded()) {
      return String(InstantText.utc(milliseconds: milliseconds).prefix(10))
    }
    return NumberText.grouped(
      abs(number) >= 100 ? number.rounded() : (number * 100).rounded() / 100)
  }
}

extension Value {
  fileprivate var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .null, .bool, .text, .array, .object: nil
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
