/// Parses dates by the rules of browsers.
///
/// It parses ISO 8601 strictly as far as the text follows it. Otherwise it accepts any order of
/// numbers, month names, times and zones that determines a day. The default time zone is UTC.
///
/// - Source: ECMA-262, Date Time String Format, and the fallback of the V8 engine according to the
///   conformance data.
struct GeneralDateReader {
  private var tokens: DateTokens
  private var day = DayParts()
  private var time = TimeParts()
  private var zone = ZoneParts()

  static func read(_ text: [UInt8]) -> Instant? {
    guard text.count <= maxBytes else { return nil }
    var reader = GeneralDateReader(tokens: DateTokens(text))
    return reader.read()
  }

  /// The maximum length of a date in bytes.
  private static let maxBytes = 200

  private init(tokens: DateTokens) { self.tokens = tokens }

  private mutating func read() -> Instant? {
    switch readISO() {
    case .whole: break
    case .impossible: return nil
    case .upTo(let token): guard readFreely(from: token) else { return nil }
    }
    guard let calendarDay = day.calendarDay, let millisecond = time.millisecondOfDay else {
      return nil
    }
    let ofDay = millisecond - zone.minutesEast * 60_000
    return Instant(day: calendarDay, millisecondOfDay: ofDay)
  }

  // MARK: ISO 8601

  private enum ISOOutcome {
    case whole
    case impossible
    /// The text is ISO 8601 before this token, and the parts before it are already parsed.
    case upTo(DateTokens.Token)
  }

  private mutating func readISO() -> ISOOutcome {
    if let sign = tokens.peek.sign {
      let signToken = tokens.next()
      guard let year = tokens.peek.number(digits: 6), !(sign < 0 && year == 0) else {
        return .upTo(signToken)
      }
      _ = tokens.next()
      _ = day.add(sign * year)
    } else if let year = tokens.peek.number(digits: 4) {
      _ = tokens.next()
      _ = day.add(year)
    } else {
      return .upTo(tokens.next())
    }
    for range in [1...12, 1...31] {
      guard tokens.skip(.symbol(UInt8(ascii: "-"))) else { break }
      guard let part = tokens.peek.number(digits: 2), range.contains(part) else {
        return .upTo(tokens.next())
      }
      _ = tokens.next()
      _ = day.add(part)
    }
    if tokens.peek == .timeSeparator {
      _ = tokens.next()
      guard readISOTime(), tokens.peek == .end else { return .impossible }
    } else if tokens.peek != .end {
      return .upTo(tokens.next())
    }
    day.isISO = true
    return .whole
  }

  /// Parses `HH:mm[:ss[.fff]]` and an optional offset. 24:00 is the end of the day.
  private mutating func readISOTime() -> Bool {
    guard let hour = tokens.peek.number(digits: 2), hour <= 24 else { return false }
    let most = hour == 24 ? 0 : 59
    _ = tokens.next()
    _ = time.add(hour)
    guard tokens.skip(.symbol(UInt8(ascii: ":"))), parseISOPart(upTo: most) else { return false }
    if tokens.skip(.symbol(UInt8(ascii: ":"))) {
      guard parseISOPart(upTo: most) else { return false }
      if tokens.skip(.symbol(UInt8(ascii: "."))) {
        guard case .number(let fraction, let digits) = tokens.next(), hour < 24 || fraction == 0
        else { return false }
        _ = time.add(DateTokens.milliseconds(fraction, digits: digits))
      }
    }
    return readISOOffset()
  }

  private mutating func parseISOPart(upTo most: Int) -> Bool {
    guard let part = tokens.peek.number(digits: 2), part <= most else { return false }
    _ = tokens.next()
    return time.add(part)
  }

  private mutating func readISOOffset() -> Bool {
    if tokens.peek.isZulu {
      _ = tokens.next()
      zone.set(hours: 0)
      return true
    }
    guard let sign = tokens.peek.sign else { return true }
    _ = tokens.next()
    if let both = tokens.peek.number(digits: 4) {
      _ = tokens.next()
      zone.set(sign: sign, hour: both / 100, minute: both % 100)
      return both / 100 <= 23 && both % 100 <= 59
    }
    guard let hour = tokens.peek.number(digits: 2), hour <= 23 else { return false }
    _ = tokens.next()
    guard tokens.skip(.symbol(UInt8(ascii: ":"))), let minute = tokens.peek.number(digits: 2),
      minute <= 59
    else { return false }
    _ = tokens.next()
    zone.set(sign: sign, hour: hour, minute: minute)
    return true
  }

  // MARK: Any order

  private mutating func readFreely(from first: DateTokens.Token) -> Bool {
    var token = first
    var hasNumber = !day.isEmpty
    while token != .end {
      switch token {
      case .number(let number, let digits):
        hasNumber = true
        guard parseNumber(number, digits: digits) else { return false }
      case .halfDay(let hours) where !time.isEmpty: time.halfDay = hours
      case .month(let month):
        day.namedMonth = month
        _ = tokens.skip(.symbol(UInt8(ascii: "-")))
      case .zone(let hours, _) where hasNumber: zone.set(hours: hours)
      case .halfDay, .zone, .word, .timeSeparator:
        // An unknown word may only precede the first number, and must be separated from it.
        if hasNumber { return false }
        if case .number = tokens.peek { return false }
      case .symbol(UInt8(ascii: "+")), .symbol(UInt8(ascii: "-")):
        if zone.isZulu || !time.isEmpty {
          guard parseOffset(sign: token.sign ?? 1) else { return false }
          hasNumber = true
        } else if hasNumber {
          return false
        }
      case .symbol(UInt8(ascii: ")")): if hasNumber { return false }
      case .symbol, .blank, .other, .end: break
      }
      token = tokens.next()
    }
    return true
  }

  private mutating func parseNumber(_ number: Int, digits: Int) -> Bool {
    if tokens.skip(.symbol(UInt8(ascii: ":"))) {
      if tokens.skip(.symbol(UInt8(ascii: ":"))) {
        guard time.isEmpty else { return false }
        return time.add(number) && time.add(0)
      }
      guard time.add(number) else { return false }
      _ = tokens.skip(.symbol(UInt8(ascii: ".")))
      return true
    }
    if tokens.skip(.symbol(UInt8(ascii: "."))), time.expects(number) {
      _ = time.add(number)
      guard case .number(let fraction, let digits) = tokens.next() else { return false }
      return time.addLast(DateTokens.milliseconds(fraction, digits: digits))
    }
    if zone.expectsMinute, number <= 59 {
      zone.minute = number
      return true
    }
    if time.expects(number) {
      guard time.addLast(number) else { return false }
      let next = tokens.peek
      return next == .end || next == .blank || next.isZulu || next.sign != nil
    }
    guard day.add(number) else { return false }
    _ = tokens.skip(.symbol(UInt8(ascii: "-")))
    return true
  }

  /// Parses the offset after a sign that follows a time or `GMT`: `+1`, `+01`, `+0130`, `+01:30`.
  private mutating func parseOffset(sign: Int) -> Bool {
    var number = 0
    var length = 0
    if case .number(let read, let digits) = tokens.peek {
      _ = tokens.next()
      number = read
      length = digits
    }
    if tokens.peek == .symbol(UInt8(ascii: ":")) {
      zone.set(sign: sign, hour: number, minute: nil)
    } else if length == 1 || length == 2 {
      zone.set(sign: sign, hour: number, minute: 0)
    } else if length == 3 || length == 4 {
      zone.set(sign: sign, hour: number / 100, minute: number % 100)
    } else {
      return false
    }
    return true
  }
}
