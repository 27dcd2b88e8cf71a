import DataSources

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

enum LocalTime {
  /// Returns the local time of an instant, for example `12:04:31`.
  static func text(of instant: WallClock.Instant) -> String {
    var seconds = time_t(instant.sinceEpoch.components.seconds)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "" }
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }
      .joined(separator: ":")
  }
}
