#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension CalendarDay {
  /// Returns the current day in this computer's time zone.
  package static func today() -> CalendarDay {
    var seconds = time(nil)
    var local = tm()
    localtime_r(&seconds, &local)
    return CalendarDay(
      year: Int(local.tm_year) + 1900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday))
  }
}
