enum InstantText {
  /// Formats an instant as `2025-01-10 09:30` in UTC, with seconds unless they are zero.
  static func utc(milliseconds: Int64) -> String {
    let seconds = milliseconds.flooredQuotient(1_000)
    let day = seconds.flooredQuotient(86_400)
    let (year, month, dayOfMonth) = civil(day)
    let ofDay = seconds - day * 86_400
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
    if ofDay == 0 { return date }
    let time = "\(padded(ofDay / 3_600, 2)):\(padded(ofDay / 60 % 60, 2))"
    return ofDay % 60 == 0 ? "\(date) \(time)" : "\(date) \(time):\(padded(ofDay % 60, 2))"
  }

  /// Returns the year, month and day for a number of days since 1970-01-01, in the proleptic
  /// Gregorian calendar.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Eras of 400 years start on March 1. A leap day is then the last day of its year and era.
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number.magnitude)
    let zeros = String(repeating: "0", count: max(0, width - digits.count))
    return (number < 0 ? "-" : "") + zeros + digits
  }
}

extension Int64 {
  /// Returns the quotient rounded toward negative infinity, as instants before 1970 require.
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
