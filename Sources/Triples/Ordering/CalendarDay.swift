/// A day of the Gregorian calendar without a time zone.
///
/// Out-of-range parts are carried over: February 30 is March 1 or 2, and month 17 is May of the
/// next year.
package struct CalendarDay: Equatable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int

  /// The number of days since January 1, 1970.
  ///
  /// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
  package var sinceEpoch: Int {
    let months = month - 1
    let carried = months >= 0 ? months / 12 : (months - 11) / 12
    let month = months - carried * 12 + 1
    let year = (year + carried) - (month <= 2 ? 1 : 0)
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468 + day - 1
  }

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day of an instant in UTC.
  init(of instant: Instant) {
    let perDay: Int64 = 86_400_000
    let before = instant.milliseconds < 0 ? perDay - 1 : 0
    self.init(sinceEpoch: Int((instant.milliseconds - before) / perDay))
  }

  /// Creates the day that is this number of days after January 1, 1970.
  package init(sinceEpoch days: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}
