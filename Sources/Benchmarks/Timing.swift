#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A measurement in milliseconds.
struct Figure {
  var median: Double
  var least: Double

  /// The median, and in parentheses the minimum, with three significant digits.
  var text: String { median == least ? median.short : "\(median.short) (\(least.short))" }
}

extension Double {
  /// The number with three significant digits.
  var short: String {
    if self == 0 { return "0" }
    var digits = 2
    var size = magnitude
    while size >= 10 {
      size /= 10
      digits -= 1
    }
    while size < 1 {
      size *= 10
      digits += 1
    }
    digits = Swift.max(0, Swift.min(digits, 6))
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let rounded = (self * scale).rounded() / scale
    return digits == 0 ? String(Int(rounded)) : "\(rounded)"
  }
}

enum Timing {
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }

  static func once(_ body: () throws -> Void) rethrows -> Figure {
    let start = now()
    try body()
    let time = now() - start
    return Figure(median: time, least: time)
  }

  /// Measures `body` after three warm-up runs: for a second, but at least 5 and at most 300 times.
  /// A measurement is the mean time of `batch` runs.
  static func measure(batch: Int = 1, _ body: (Int) throws -> Void) rethrows -> Figure {
    var number = 0
    for _ in 0..<3 {
      try body(number)
      number += 1
    }
    var times: [Double] = []
    let start = now()
    while times.count < 5 || (times.count < 300 && now() - start < 1000) {
      let begin = now()
      for _ in 0..<batch {
        try body(number)
        number += 1
      }
      times.append((now() - begin) / Double(batch))
    }
    times.sort()
    return Figure(median: times[times.count / 2], least: times[0])
  }

  /// The resident memory of this process in bytes; 0 when it is unknown.
  static func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return 0 }
    let fields = String(
      decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
    )
    .split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
  }
}
