import InstaQL
import Triples

/// A division of numbers or dates into ranges, either of equal width or with about equal counts.
struct FacetRanges {
  private let attribute: Attribute
  /// The start of each range and the end of the last range.
  private let bounds: [Double]
  /// The width of the narrowest range.
  private let step: Double
  private var counts: [Int]
  /// The names of calendar ranges; nil for other ranges.
  private var texts: [String]?
  /// Whether the greatest number is the end of the last range, and belongs to it.
  private var isClosed = false

  /// The preferred number of ranges. Round bounds can give a few more or fewer.
  private static let targetCount = 10.0
  private static let day = 86_400_000.0
  /// The widths of ranges within a day, in milliseconds: from one millisecond to six hours.
  private static let partsOfDay: [Double] = [1, 1_000, 60_000, 900_000, 3_600_000, 21_600_000]

  private var isDate: Bool { attribute.checkedType == .date }

  private init(
    _ bounds: [Double], step: Double, _ numbers: [(number: Double, count: Int)],
    of attribute: Attribute
  ) {
    (self.attribute, self.bounds, self.step) = (attribute, bounds, step)
    counts = Array(repeating: 0, count: bounds.count - 1)
    for (number, count) in numbers {
      counts[min(counts.count - 1, bounds.lastIndex { $0 <= number } ?? 0)] += count
    }
  }

  /// Divides numbers into ranges of equal width. Nil if all numbers are equal, or if they are too
  /// far apart.
  ///
  /// - Parameter numbers: The numbers with their counts.
  init?(_ numbers: [(number: Double, count: Int)], of attribute: Attribute) {
    let least = numbers.map(\.number).min() ?? 0
    let greatest = numbers.map(\.number).max() ?? 0
    let isDate = attribute.checkedType == .date
    if isDate, let calendar = CalendarRanges(from: least, to: greatest) {
      self.init(calendar.bounds, step: 0, numbers, of: attribute)
      texts = calendar.texts
      return
    }
    let width = (greatest - least) / Self.targetCount
    let step = isDate ? Self.dateStep(width) : Self.roundStep(width)
    guard step > 0, step.isFinite else { return nil }
    let start = (least / step).rounded(.down) * step
    let count = ((greatest - start) / step).rounded(.down) + 1
    // If numbers differ only in their last digits, no bound fits between them.
    guard start.isFinite, count <= Self.targetCount * 3, start + step > start else { return nil }
    let bounds = (0...Int(count)).map { place in
      let bound = start + Double(place) * step
      return isDate ? bound : Self.round(bound, to: step)
    }
    self.init(bounds, step: step, numbers, of: attribute)
  }

  /// Divides numbers into ranges with about the same count. Nil if there are too few distinct
  /// numbers.
  ///
  /// - Parameter numbers: The numbers with their counts.
  init?(quantilesOf numbers: [(number: Double, count: Int)], of attribute: Attribute) {
    let sorted = numbers.sorted { $0.number < $1.number }
    guard let least = sorted.first?.number, let greatest = sorted.last?.number else { return nil }
    let total = Double(sorted.reduce(0) { $0 + $1.count })
    var bounds = [least]
    var seen = 0.0
    for (number, count) in sorted {
      let place = Double(bounds.count)
      if seen >= total * place / Self.targetCount, number > bounds[bounds.count - 1] {
        bounds.append(number)
      }
      seen += Double(count)
    }
    guard bounds.count >= Self.minQuantiles, greatest > bounds[bounds.count - 1] else { return nil }
    let step = zip(bounds, bounds.dropFirst()).map { $1 - $0 }.min() ?? 1
    self.init(bounds + [greatest], step: step, sorted, of: attribute)
    isClosed = true
  }

  private static let minQuantiles = 3

  /// Whether a single range contains most of the rows, so that equal counts are more useful.
  var isSkewed: Bool {
    let most = counts.max() ?? 0
    return counts.count > 1 && !isDate && most * 4 > counts.reduce(0, +) * 3
  }

  /// Returns the number rounded up to 1, 2 or 5 times a power of ten.
  private static func roundStep(_ least: Double) -> Double {
    guard least > 0, least.isFinite else { return 0 }
    var unit = 1.0
    while unit * 10 <= least { unit *= 10 }
    while unit > least, unit > 1e-300 { unit /= 10 }
    for factor in [1.0, 2, 5] where unit * factor >= least { return unit * factor }
    return unit * 10
  }

  /// Returns a duration in milliseconds, rounded up to whole days or to one of `partsOfDay`.
  private static func dateStep(_ least: Double) -> Double {
    if let step = partsOfDay.first(where: { $0 >= least }) { return step }
    return (least / day).rounded(.up) * day
  }

  func bars(_ path: AttributePath) -> [Facets.Bar] {
    counts.enumerated().map { place, count in
      let (from, to) = (bounds[place], bounds[place + 1])
      let includesEnd = isClosed && place == counts.count - 1
      return Facets.Bar(
        text: texts?[place] ?? "\(text(from)) – \(text(to))",
        shortText: texts == nil ? shortText(from, to) : nil, count: count,
        condition: .all([
          .compare(path, .greaterOrEqual, value(from)),
          .compare(path, includesEnd ? .lessOrEqual : .less, value(to)),
        ]))
    }
  }

  /// Returns the value of a bound as it is typed in a filter. It is a date, an integer if possible,
  /// or a double.
  private func value(_ number: Double) -> Value {
    if isDate, let text = Instant(milliseconds: number)?.typed { return .text(text) }
    return Int64(exactly: number).map { .integer($0) } ?? .double(number)
  }

  /// Returns a short text of a range, in thousands, millions and so on.
  ///
  /// Returns nil for dates, and if the two bounds look equal with one decimal in every unit.
  private func shortText(_ from: Double, _ to: Double) -> String? {
    guard !isDate, let unit = Self.units.first(where: { $0.size <= step * 10 }) else { return nil }
    return [from, to].map { end in
      let tenths = (end / unit.size * 10).rounded() / 10
      let text = Int64(exactly: tenths).map { NumberText.grouped($0) } ?? NumberText.grouped(tenths)
      return tenths == 0 ? "0" : "\(text) \(unit.sign)"
    }.joined(separator: " – ")
  }

  private static let units: [(size: Double, sign: String)] = [
    (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"),
  ]

  private func text(_ number: Double) -> String {
    // A bound may be outside of the calendar, even if all values are inside. It is then written
    // as a number.
    if isDate, let instant = Instant(milliseconds: number) {
      return InstantText.utc(milliseconds: instant.milliseconds)
    }
    if let whole = Int64(exactly: number) { return NumberText.grouped(whole) }
    return NumberText.text(number, .long, step * Self.scale > 1 ? .few : .all)
  }

  /// Returns the number without digits far below the step, which are rounding errors, as in
  /// 0.1 + 0.2.
  private static func round(_ number: Double, to step: Double) -> Double {
    guard step * scale > 1, number.magnitude < 1e9 else { return number }
    return (number * scale).rounded() / scale
  }

  /// The factor after which a bound between numbers that are far enough apart has no decimals.
  private static let scale = 1e6
}

extension Instant {
  /// The date as it is typed in a filter; nil if the year cannot be typed. A date at midnight is
  /// typed without a time.
  fileprivate var typed: String? {
    var text = description
    for (end, sign) in [("T00:00:00.000Z", ""), (".000Z", "Z")] where text.hasSuffix(end) {
      text = text.dropLast(end.count) + sign
    }
    return Instant(text) == self ? text : nil
  }
}
