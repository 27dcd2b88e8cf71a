/// A moment, in milliseconds since 1 January 1970 UTC: what a value of a date attribute denotes.
///
/// Attributes keep what was written, a text or a number; comparing and ordering read the instant.
/// A text without a zone is UTC. The range is that of dates in JavaScript, 100 million days either
/// way.
///
/// ```swift
/// Instant("2025-01-10") == Instant("1/10/2025, 0:00:00 AM")   // true
/// ```
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1 January 1970 UTC.
  public let milliseconds: Int64

  /// The greatest distance from 1970, in milliseconds.
  static let reach: Int64 = 8_640_000_000_000_000

  /// The moment that many milliseconds after 1970; nil beyond the range.
  public init?(milliseconds: Int64) {
    guard milliseconds >= -Self.reach, milliseconds <= Self.reach else { return nil }
    self.milliseconds = milliseconds
  }

  /// The same from a number as JSON has it; a fraction is cut off. Nil beyond the range.
  public init?(milliseconds: Double) {
    guard abs(milliseconds) <= Double(Self.reach) else { return nil }
    self.milliseconds = Int64(milliseconds)
  }

  /// Reads a text in one of the spellings of dates; nil when it has none.
  ///
  /// Known are `yyyy-MM-dd` and `MM-dd-yyyy` (also with `/` or `.`), ISO 8601 with or without
  /// offset, the same with a blank between day and time, `EEE MMM dd yyyy`,
  /// `M/d/yyyy, h:mm:ss AM`, RFC 1123, `epoch`, and any of them within JSON quotes or blanks.
  /// Parts beyond their range are carried over: 2025-02-30 is 2 March.
  public init?(_ text: String) {
    guard let instant = InstantReader.read(Array(text.utf8)) else { return nil }
    self = instant
  }

  /// The same of a text that somebody writes now: nil where its day or month is none, be it the 30th of
  /// February, or the 31st as a month.
  public init?(real text: String) {
    guard let instant = Instant(text), InstantReader.namesRealDay(text, read: instant) else {
      return nil
    }
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
  /// ISO 8601 in UTC with milliseconds, as JavaScript prints it: `2025-01-10T00:00:00.000Z`.
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

  private func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }
}
