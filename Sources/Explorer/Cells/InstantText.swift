import Triples

enum InstantText {
  /// Formats an instant as `2025-01-10 09:30` in UTC, with seconds unless they are zero.
  static func utc(milliseconds: Int64) -> String {
    let seconds = Int(milliseconds).flooredQuotient(1_000)
    let days = seconds.flooredQuotient(86_400)
    let ofDay = seconds - days * 86_400
    let date = CalendarDay(sinceEpoch: days).text
    if ofDay == 0 { return date }
    let time = "\((ofDay / 3_600).padded(2)):\((ofDay / 60 % 60).padded(2))"
    return ofDay % 60 == 0 ? "\(date) \(time)" : "\(date) \(time):\((ofDay % 60).padded(2))"
  }
}

extension CalendarDay {
  var text: String { "\(year.padded(4))-\(monthAndDay)" }
  var monthAndDay: String { month.padded(2) + "-" + day.padded(2) }
}

extension Int {
  func padded(_ width: Int) -> String {
    let digits = String(magnitude)
    let zeros = String(repeating: "0", count: Swift.max(0, width - digits.count))
    return (self < 0 ? "-" : "") + zeros + digits
  }

  /// Returns the quotient rounded toward negative infinity, as instants before 1970 require.
  func flooredQuotient(_ divisor: Int) -> Int {
    self % divisor < 0 ? self / divisor - 1 : self / divisor
  }
}
