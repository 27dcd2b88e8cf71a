/// A moment in milliseconds since January 1, 1970 UTC: the meaning of a date attribute's value.
///
/// An attribute stores the text or number that was written; comparisons and orders use the instant.
/// The default time zone is UTC. The range is that of JavaScript's dates: 100 million days before
/// and after 1970.
///
/// ```swift
/// Instant("2025-01-10") == Instant("1/10/2025, 0:00:00 AM")   // true
/// ```
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since January 1, 1970 UTC.
  public let milliseconds: Int64

  /// The maximum number of milliseconds before and after 1970.
  static let reach: Int64 = 8_640_000_000_000_000

  /// Creates the instant at this number of milliseconds since 1970; nil when it is out of range.
  public init?(milliseconds: Int64) {
    guard milliseconds >= -Self.reach, milliseconds <= Self.reach else { return nil }
    self.milliseconds = milliseconds
  }

  /// Creates an instant from a JSON number; fractions are truncated. Nil when it is out of range.
  public init?(milliseconds: Double) {
    guard abs(milliseconds) <= Double(Self.reach) else { return nil }
    self.milliseconds = Int64(milliseconds)
  }

  /// Parses a text in one of the supported forms; nil when the text has another form.
  ///
  /// The forms are `yyyy-MM-dd` and `MM-dd-yyyy` (also with `/` or `.`), ISO 8601 with or without
  /// offset, also with a space between day and time, `EEE MMM dd yyyy`, `M/d/yyyy, h:mm:ss AM`, RFC
  /// 1123, `epoch`, and any of them within JSON quotes or spaces; and years BC as PostgreSQL prints
  /// them. Out-of-range parts are carried over: 2025-02-30 is March 2.
  public init?(_ text: String) {
    guard let instant = InstantReader.read(Array(text.utf8)) else { return nil }
    self = instant
  }

  /// Parses a text that a user enters. Nil when the text names a day or month that does not exist,
  /// such as February 30 or month 31.
  public init?(real text: String) {
    guard let instant = Instant(text),
      DistantDate(text) != nil || InstantReader.namesRealDay(text, read: instant)
    else { return nil }
    self = instant
  }

  public static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }

  init?(day: CalendarDay, millisecondOfDay: Int) {
    let limit = 400_000
    guard abs(day.year) < limit, abs(day.month) < limit, abs(day.day) < limit else { return nil }
    self.init(milliseconds: Int64(day.sinceEpoch * 86_400_000 + millisecondOfDay))
  }
}

extension Instant: CustomStringConvertible {
  /// The instant as JavaScript writes it, in ISO 8601 with milliseconds:
  /// `2025-01-10T00:00:00.000Z`.
  public var description: String {
    let perDay: Int64 = 86_400_000
    let rest = milliseconds % perDay
    let ofDay = Int(rest >= 0 ? rest : rest + perDay)
    let day = CalendarDay(sinceEpoch: Int((milliseconds - Int64(ofDay)) / perDay))
    let year =
      (0...9999).contains(day.year)
      ? padded(day.year, 4) : (day.year < 0 ? "-" : "+") + padded(abs(day.year), 6)
    return year + "-" + padded(day.month, 2) + "-" + padded(day.day, 2)
      + "T" + padded(ofDay / 3_600_000, 2) + ":" + padded(ofDay / 60_000 % 60, 2)
      + ":" + padded(ofDay / 1000 % 60, 2) + "." + padded(ofDay % 1000, 3) + "Z"
  }

  func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
