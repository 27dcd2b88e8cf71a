import InstaQL
import Triples

/// Ranges of equal width over numbers or dates, with ends that are easy to read; dates lie in days,
/// months or years.
struct FacetRanges {
  private let attribute: Attribute
  private let calendar: CalendarRanges?
  private let start: Double
  private let step: Double
  private var counts: [Int]

  /// Ranges wished for; ends that are easy to read may make it a few more or less.
  private static let wished = 10.0
  private static let day = 86_400_000.0
  /// From a millisecond to six hours.
  private static let partsOfDay: [Double] = [1, 1_000, 60_000, 900_000, 3_600_000, 21_600_000]

  private var isDate: Bool { attribute.checkedType == .date }

  /// Nil where all numbers are one, or too far apart to be divided.
  ///
  /// - Parameter numbers: Each with how often it is there.
  init?(_ numbers: [(number: Double, count: Int)], of attribute: Attribute) {
    let least = numbers.map(\.number).min() ?? 0
    let greatest = numbers.map(\.number).max() ?? 0
    let isDate = attribute.checkedType == .date
    if isDate, let calendar = CalendarRanges(from: least, to: greatest) {
      self.attribute = attribute
      self.calendar = calendar
      (start, step) = (0, 0)
      counts = Array(repeating: 0, count: calendar.texts.count)
      for (number, count) in numbers {
        let place = calendar.bounds.lastIndex { $0 <= number } ?? 0
        counts[min(counts.count - 1, place)] += count
      }
      return
    }
    calendar = nil
    let step =
      isDate
      ? Self.dateStep((greatest - least) / Self.wished)
      : Self.roundStep((greatest - least) / Self.wished)
    guard step > 0, step.isFinite else { return nil }
    let start = (least / step).rounded(.down) * step
    let count = ((greatest - start) / step).rounded(.down) + 1
    // Numbers that differ only in their last digits have no ends between them.
    guard start.isFinite, count <= Self.wished * 3, start + step > start else { return nil }
    self.attribute = attribute
    self.start = start
    self.step = step
    counts = Array(repeating: 0, count: Int(count))
    for (number, count) in numbers {
      counts[min(counts.count - 1, max(0, Int((number - start) / step)))] += count
    }
  }

  /// The next of 1, 2 and 5 with zeros behind or before them.
  private static func roundStep(_ least: Double) -> Double {
    guard least > 0, least.isFinite else { return 0 }
    var unit = 1.0
    while unit * 10 <= least { unit *= 10 }
    while unit > least, unit > 1e-300 { unit /= 10 }
    for factor in [1.0, 2, 5] where unit * factor >= least { return unit * factor }
    return unit * 10
  }

  /// Whole days where there are that many, else parts of a day.
  private static func dateStep(_ least: Double) -> Double {
    if let step = partsOfDay.first(where: { $0 >= least }) { return step }
    return (least / day).rounded(.up) * day
  }

  func bars(_ path: AttributePath) -> [Facets.Bar] {
    counts.enumerated().map { place, count in
      let from = calendar?.bounds[place] ?? start + Double(place) * step
      let to = calendar?.bounds[place + 1] ?? start + Double(place + 1) * step
      return Facets.Bar(
        text: calendar?.texts[place] ?? "\(text(from)) – \(text(to))",
        shortText: calendar == nil ? shortText(from, to) : nil, count: count,
        condition: .all([
          .compare(path, .greaterOrEqual, value(from)), .compare(path, .less, value(to)),
        ]))
    }
  }

  /// A date as one types it, and whole numbers as such, so that a filter reads as one would type it.
  private func value(_ number: Double) -> Value {
    if isDate, let text = Instant(milliseconds: number)?.typed { return .text(text) }
    return Int64(exactly: number).map { .integer($0) } ?? .double(number)
  }

  /// In thousands, millions and so on, where that needs no more than one digit behind the point to tell
  /// one end from the next.
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
    if let whole = Int64(exactly: number) {
      // Beyond all dates there is only the number, and a range may end there though no value lies so far.
      return isDate && Instant(milliseconds: whole) != nil
        ? InstantText.utc(milliseconds: whole) : NumberText.grouped(whole)
    }
    if isDate, let instant = Instant(milliseconds: number) {
      return InstantText.utc(milliseconds: instant.milliseconds)
    }
    // What is left of 0.1 + 0.2 after the digits that the step has means nothing.
    let digits = 1e6
    let hasDigits = step > 1 / digits && number.magnitude < 1e9
    let rounded = hasDigits ? (number * digits).rounded() / digits : number
    return NumberText.grouped(rounded)
  }
}

extension Instant {
  /// As one types it: a day alone, where it is the beginning of one; nil in a year of which no date is
  /// typed.
  fileprivate var typed: String? {
    var text = description
    for (end, sign) in [("T00:00:00.000Z", ""), (".000Z", "Z")] where text.hasSuffix(end) {
      text = text.dropLast(end.count) + sign
    }
    return Instant(text) == self ? text : nil
  }
}
