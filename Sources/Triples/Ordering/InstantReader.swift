/// Parses dates by trying several forms in order. The first form that matches is used.
///
/// The client that wrote the data tries the same forms in the same order, so that a text means the
/// same moment in both.
enum InstantReader {
  static func read(_ text: [UInt8]) -> Instant? {
    if text.last == UInt8(ascii: "C"), let date = DistantDate(text[...]) { return date.instant }
    if let instant = readBare(text[...]) { return instant }
    let trimmed = trim(text[...])
    if trimmed.count >= 2, trimmed.first == UInt8(ascii: "\""), trimmed.last == UInt8(ascii: "\"") {
      let quoted = trimmed.dropFirst().dropLast()
      let isPlain = !quoted.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
      if isPlain, let instant = readBare(quoted) { return instant }
    }
    return trimmed.count < text.count ? readBare(trimmed) : nil
  }

  private static func readBare(_ text: ArraySlice<UInt8>) -> Instant? {
    let text = Array(text)
    let zulu = [UInt8(ascii: "Z")]
    return numericDay(text)
      ?? dayBlankTime(text)
      ?? americanTime(text)
      ?? GeneralDateReader.read(text + zulu)
      ?? withHourOffset(text)
      ?? GeneralDateReader.read(text)
      ?? (text.elementsEqual("epoch".utf8) ? Instant(milliseconds: Int64(0)) : nil)
      ?? withZoneName(text)
      ?? withShortParts(text)
  }

  /// Parses a day that contains a month name, with its parts in any order: `Jan 1 2027`, `January
  /// 1, 2027`.
  static func readInAnyOrder(_ text: String) -> Instant? {
    let text = Array(trim(Array(text.utf8)[...]))
    return GeneralDateReader.read(text + [UInt8(ascii: "Z")]) ?? GeneralDateReader.read(text)
  }

  /// Parses `2025-01-10`, `1/10/2025` and `10.1.2025`. The year is first if the first number has
  /// more than three digits.
  private static func numericDay(_ text: [UInt8]) -> Instant? {
    var rest = text[...]
    guard let first = number(&rest), skip(&rest, anyOf: "./-"), let second = number(&rest),
      skip(&rest, anyOf: "./-"), let third = number(&rest), rest.isEmpty,
      first > 0, second > 0, third > 0
    else { return nil }
    let day =
      first > 999
      ? CalendarDay(year: first, month: second, day: third)
      : CalendarDay(year: third < 100 ? 1900 + third : third, month: first, day: second)
    return Instant(day: day, millisecondOfDay: 0)
  }

  /// Parses `2025-01-10 10:00:00.5` as UTC, and ignores everything after a second space.
  private static func dayBlankTime(_ text: [UInt8]) -> Instant? {
    let parts = text.split(
      separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return nil }
    return GeneralDateReader.read(
      parts[0] + [UInt8(ascii: "T")] + parts[1] + [UInt8(ascii: "Z")])
  }

  /// Parses `8/4/2025, 11:02:31 PM`.
  private static func americanTime(_ text: [UInt8]) -> Instant? {
    var rest = text[...]
    guard let month = number(&rest), skip(&rest, anyOf: "/"), let day = number(&rest),
      skip(&rest, anyOf: "/"), let year = number(&rest), skip(&rest, anyOf: ","),
      skip(&rest, anyOf: " "), var hour = number(&rest), hour < 100, skip(&rest, anyOf: ":"),
      let minute = number(&rest), minute < 100, skip(&rest, anyOf: ":"),
      let second = number(&rest), second < 100, skip(&rest, anyOf: " "), rest.count == 2,
      rest.last == UInt8(ascii: "M")
    else { return nil }
    switch rest.first {
    case UInt8(ascii: "P"): hour = hour == 12 ? 12 : hour + 12
    case UInt8(ascii: "A"): hour = hour == 12 ? 0 : hour
    default: return nil
    }
    let calendarDay = CalendarDay(year: year < 100 ? 1900 + year : year, month: month, day: day)
    return Instant(
      day: calendarDay, millisecondOfDay: ((hour * 60 + minute) * 60 + second) * 1000)
  }

  /// Parses `2025-01-10T10:00:00-08`, whose offset consists only of hours.
  private static func withHourOffset(_ text: [UInt8]) -> Instant? {
    guard text.count > 6, isDigit(text[text.count - 1]), isDigit(text[text.count - 2]),
      "+-".utf8.contains(text[text.count - 3]), text.contains(UInt8(ascii: "T"))
    else { return nil }
    return GeneralDateReader.read(text + Array(":00".utf8))
  }

  /// Parses `2025-06-05T17:00:00PDT`.
  private static func withZoneName(_ text: [UInt8]) -> Instant? {
    let length = text.reversed().prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
      .count
    for take in stride(from: min(length, 6), to: 1, by: -1) {
      guard let minutes = zones[String(decoding: text.suffix(take), as: UTF8.self)] else {
        continue
      }
      let base = GeneralDateReader.read(text.dropLast(take) + [UInt8(ascii: "Z")])
      return base.flatMap { Instant(milliseconds: $0.milliseconds - Int64(minutes) * 60_000) }
    }
    return nil
  }

  /// The offsets of common time zone names in minutes.
  ///
  /// - Source: PostgreSQL, default time zone abbreviations.
  private static let zones: [String: Int] = [
    "UTC": 0, "UT": 0, "UCT": 0, "GMT": 0, "ZULU": 0, "WET": 0, "BST": 60, "CET": 60, "MET": 60,
    "MEZ": 60, "WAT": 60, "CEST": 120, "MESZ": 120, "MEST": 120, "EET": 120, "IST": 120,
    "SAST": 120, "EEST": 180, "IDT": 180, "MSK": 180, "EAT": 180, "MSD": 240, "AFT": 270,
    "PKT": 300, "UZT": 300, "NPT": 345, "MMT": 390, "ICT": 420, "KRAT": 420, "HKT": 480,
    "SGT": 480, "PHT": 480, "AWST": 480, "MYT": 480, "JST": 540, "KST": 540, "ACST": 570,
    "AEST": 600, "VLAT": 600, "ACDT": 630, "AEDT": 660, "NZST": 720, "NZT": 720, "NZDT": 780,
    "BRT": -180, "ART": -180, "ADT": -180, "NDT": -150, "NST": -210, "AST": -240, "CLT": -240,
    "BOT": -240, "VET": -240, "EDT": -240, "EST": -300, "CDT": -300, "COT": -300, "PET": -300,
    "CST": -360, "MDT": -360, "MST": -420, "PDT": -420, "PST": -480, "AKDT": -480, "AKST": -540,
    "HST": -600,
  ]

  /// Parses `2025-1-2T4:07:00Z`: ISO 8601 with single digits.
  private static func withShortParts(_ text: [UInt8]) -> Instant? {
    var rest = text[...]
    let year = rest.prefix(while: isDigit)
    rest = rest.dropFirst(year.count)
    guard !year.isEmpty, skip(&rest, anyOf: "-"), let month = shortNumber(&rest),
      skip(&rest, anyOf: "-"), let day = shortNumber(&rest), skip(&rest, anyOf: " T"),
      let hour = shortNumber(&rest)
    else { return nil }
    var spelled = Array(year)
    for (mark, part) in [("-", month), ("-", day), ("T", hour)] {
      spelled += mark.utf8
      spelled += part
    }
    for _ in 0..<2 {
      var next = rest
      guard skip(&next, anyOf: ":"), let part = shortNumber(&next) else { break }
      spelled.append(UInt8(ascii: ":"))
      spelled += part
      rest = next
    }
    return GeneralDateReader.read(spelled + rest)
  }

  /// Returns whether the day in a text exists; false for 2/30/2025.
  ///
  /// In a text with a named month, the named day must be the day of the parsed instant or an
  /// adjacent day, because the text may contain another time zone.
  static func namesRealDay(_ text: String, read instant: Instant) -> Bool {
    let bytes = Array(trim(Array(text.utf8)[...]).drop { $0 == UInt8(ascii: "\"") })
    var rest = bytes[...]
    let isYearFirst = bytes.prefix(while: isDigit).count > 2
    if let first = number(&rest), skip(&rest, anyOf: "./-"), let second = number(&rest),
      skip(&rest, anyOf: "./-"), let third = number(&rest)
    {
      let spelled =
        isYearFirst
        ? CalendarDay(year: first, month: second, day: third)
        : CalendarDay(year: third < 100 ? 1900 + third : third, month: first, day: second)
      return CalendarDay(sinceEpoch: spelled.sinceEpoch) == spelled
    }
    let perDay: Int64 = 86_400_000
    let since = (instant.milliseconds - (instant.milliseconds < 0 ? perDay - 1 : 0)) / perDay
    let days = (-1...1).map { CalendarDay(sinceEpoch: Int(since) + $0).day }
    // Shorter words are time zones, AM or PM, so the text contains no month name.
    let words = bytes.split { !($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) }
    guard words.contains(where: { $0.count > 2 }) else { return true }
    let numbers = bytes.split { !isDigit($0) }.map { $0.reduce(0) { $0 &* 10 &+ Int($1 & 15) } }
    return numbers.first { $0 <= 31 }.map { days.contains($0) } ?? true
  }

  // MARK: Parts

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Parses digits as a number; nil when there are no digits or too many.
  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let digits = rest.prefix(while: isDigit)
    guard !digits.isEmpty, digits.count <= 9 else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Parses one or two digits, and pads a single digit with a zero.
  private static func shortNumber(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    let digits = rest.prefix(2).prefix(while: isDigit)
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.count == 1 ? [UInt8(ascii: "0")] + digits : Array(digits)
  }

  private static func skip(_ rest: inout ArraySlice<UInt8>, anyOf set: String) -> Bool {
    guard let first = rest.first, set.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func trim(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text = text.dropLast() }
    return text
  }
}
