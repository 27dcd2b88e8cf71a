package import Triples

/// The time for which words such as `today` and `now` stand.
package struct QueryTime: Equatable, Sendable {
  /// The current day in the time zone of this computer.
  package var today: CalendarDay
  /// The beginning of the current minute, in milliseconds since 1970.
  package var minute: Int64

  static let millisecondsPerMinute: Int64 = 60_000

  package init(today: CalendarDay, minute: Int64) {
    (self.today, self.minute) = (today, minute)
  }

  /// A time that replaces the current one in a task; nil for the system's time.
  @TaskLocal package static var fixed: QueryTime?

  /// Returns the current time.
  package static func now() -> QueryTime {
    if let fixed { return fixed }
    let milliseconds = Instant.nowInMilliseconds
    return QueryTime(
      today: CalendarDay.local().day, minute: milliseconds - milliseconds % millisecondsPerMinute)
  }

  /// The time until the next minute begins.
  static var untilNextMinute: Duration {
    let milliseconds = fixed == nil ? Instant.nowInMilliseconds % millisecondsPerMinute : 0
    return .milliseconds(millisecondsPerMinute - milliseconds)
  }

  /// The time until the next day begins, but at most an hour, because a day may have 23 or 25 hours.
  static var untilNextDay: Duration {
    .seconds(min(86_400 - (fixed == nil ? CalendarDay.local().second : 0), 3_600))
  }
}
