#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension CalendarDay {
  /// Returns the current day and the time of day in seconds, in this computer's time zone.
  package static func local() -> (day: CalendarDay, second: Int) {
    var seconds = time(nil)
    var local = tm()
    localtime_r(&seconds, &local)
    let day = CalendarDay(
      year: Int(local.tm_year) + 1900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday))
    return (day, Int(local.tm_hour) * 3_600 + Int(local.tm_min) * 60 + Int(local.tm_sec))
  }
}
