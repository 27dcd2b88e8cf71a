/// A date before Christ or after the year 9999, as PostgreSQL prints it: `0044-03-15 BC`,
/// `12000-01-01 10:00:00.5+00`.
///
/// A time is in UTC.
package struct DistantDate: Sendable {
  /// The moment of the date.
  package let instant: Instant

  /// Parses a date; nil for a text of any other form, and for a day that does not exist.
  package init?(_ text: String) {
    self.init(Array(text.utf8)[...])
  }

  init?(_ text: ArraySlice<UInt8>) {
    var rest = text
    let era = Array(" BC".utf8)
    let isBC = rest.suffix(era.count).elementsEqual(era)
    if isBC { rest = rest.dropLast(era.count) }
    guard let year = Self.number(&rest, digits: isBC ? 4...6 : 5...6), year > 0,
      Self.skip("-", &rest), let month = Self.number(&rest), Self.skip("-", &rest),
      let day = Self.number(&rest)
    else { return nil }
    // The year before 1 AD is 1 BC, which astronomers call 0.
    let calendarDay = CalendarDay(year: isBC ? 1 - year : year, month: month, day: day)
    guard CalendarDay(sinceEpoch: calendarDay.sinceEpoch) == calendarDay,
      let time = rest.isEmpty ? 0 : Self.millisecondOfDay(&rest), rest.isEmpty,
      let instant = Instant(day: calendarDay, millisecondOfDay: time)
    else { return nil }
    self.instant = instant
  }

  /// Parses ` 10:00:00.5+00`, with or without the fraction and the offset.
  private static func millisecondOfDay(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard skip(" ", &rest), let hour = number(&rest), hour < 24, skip(":", &rest),
      let minute = number(&rest), minute < 60, skip(":", &rest), let second = number(&rest),
      second < 60
    else { return nil }
    var milliseconds = 0
    if skip(".", &rest) {
      let digits = rest.count
      guard let fraction = number(&rest, digits: 1...9) else { return nil }
      milliseconds = DateTokens.milliseconds(fraction, digits: digits - rest.count)
    }
    _ = skip("+00", &rest)
    return ((hour * 60 + minute) * 60 + second) * 1_000 + milliseconds
  }

  /// Parses digits as a number; nil if there are fewer or more digits than allowed.
  private static func number(
    _ rest: inout ArraySlice<UInt8>, digits allowed: ClosedRange<Int> = 2...2
  ) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard allowed.contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 & 15) }
  }

  private static func skip(_ mark: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.starts(with: mark.utf8) else { return false }
    rest = rest.dropFirst(mark.utf8.count)
    return true
  }
}

extension Instant {
  /// The instant as PostgreSQL reads it: `2025-01-10T00:00:00.000Z`, `0044-03-15T12:00:00.000Z BC`.
  package var postgresText: String {
    let text = description
    let year = CalendarDay(of: self).year
    if (1...9_999).contains(year) { return text }
    // Years beyond four digits have a sign and six digits in ISO 8601.
    let rest = text.dropFirst(year == 0 ? 4 : 7)
    return year > 0 ? "\(year)\(rest)" : "\(padded(1 - year, 4))\(rest) BC"
  }
}
