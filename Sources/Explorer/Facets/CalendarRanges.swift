import Triples

/// A division of a period into calendar ranges: days, weeks, months, quarters or years.
///
/// The unit is the shortest one that does not produce too many ranges.
struct CalendarRanges {
  /// The start of each range and the end of the last range, in milliseconds since 1970.
  let bounds: [Double]
  /// The name of each range.
  let texts: [String]

  /// The length of each range: a number of days or of months.
  fileprivate enum Unit {
    case days(Int), months(Int)
  }

  private static let units: [Unit] =
    [.days(1), .days(7)] + [1, 3, 12, 60, 120, 300, 600, 1_200, 6_000].map { .months($0) }
  private static let day = 86_400_000.0
  private static let maxBars = 16
  /// The minimum length in days of a period to divide into calendar ranges. Shorter periods are
  /// divided into hours.
  private static let minDays = 3.0

  /// Divides a period into ranges. Nil if the period is too short for days, or outside the
  /// calendar.
  ///
  /// - Parameters:
  ///   - least: The first instant, in milliseconds since 1970.
  ///   - greatest: The last instant, in milliseconds since 1970.
  init?(from least: Double, to greatest: Double) {
    guard greatest - least >= Self.minDays * Self.day,
      let first = Instant(milliseconds: least), let last = Instant(milliseconds: greatest)
    else { return nil }
    func days(_ instant: Instant) -> Int {
      Int((Double(instant.milliseconds) / Self.day).rounded(.down))
    }
    for unit in Self.units {
      let (from, to) = (unit.number(of: days(first)), unit.number(of: days(last)))
      guard to - from < Self.maxBars else { continue }
      bounds = (from...to + 1).map { Double(unit.firstDay(of: $0)) * Self.day }
      texts = (from...to).map(unit.text)
      return
    }
    return nil
  }
}

extension CalendarRanges.Unit {
  /// The number of days from the preceding Monday to January 1, 1970, a Thursday. Weeks start on
  /// Mondays.
  private static let daysAfterMonday = 3

  /// Returns the consecutive number of the range that contains a day, for example the week number.
  func number(of day: Int) -> Int {
    switch self {
    case .days(1): return day
    case .days(let length): return (day + Self.daysAfterMonday).flooredQuotient(length)
    case .months(let length):
      let date = CalendarDay(sinceEpoch: day)
      return (date.year * 12 + date.month - 1).flooredQuotient(length)
    }
  }

  func firstDay(of number: Int) -> Int {
    switch self {
    case .days(1): number
    case .days(let length): number * length - Self.daysAfterMonday
    case .months(let length):
      CalendarDay(year: 0, month: number * length + 1, day: 1).sinceEpoch
    }
  }

  func text(_ number: Int) -> String {
    let first = CalendarDay(sinceEpoch: firstDay(of: number))
    switch self {
    case .days(1): return first.text
    case .days:
      return first.text + " – " + CalendarDay(sinceEpoch: firstDay(of: number + 1) - 1).monthAndDay
    case .months(1): return "\(first.year)-\(first.month.padded(2))"
    case .months(3): return "\(first.year) Q\((first.month + 2) / 3)"
    case .months(12): return "\(first.year)"
    case .months(let length): return "\(first.year) – \(first.year + length / 12 - 1)"
    }
  }
}
