import Triples

// Conditions with days and times relative to now: `due < today`, `seen in last 2 hours`.
extension TextParser {
  private static let distances = ["today": 0, "yesterday": -1, "tomorrow": 1]
  private static let minutesPerUnit = ["hour": 60, "minute": 1]
  private static let dayUnits = ["day", "week", "month", "quarter", "year"]
  private static let units = dayUnits + ["hour", "minute"]
  /// The words that are a day or a time by themselves.
  static let timeWords = ["today", "yesterday", "tomorrow", "now"]
  static let spanWords = ["last", "next", "this"]

  /// Whole days or minutes, in milliseconds since 1970. `end` is the first moment after them.
  struct Period {
    var first: Int64
    var end: Int64

    init(first: Int64, end: Int64) { (self.first, self.end) = (first, end) }

    init(days: Range<Int>) {
      self.init(
        first: Int64(days.lowerBound) * 86_400_000, end: Int64(days.upperBound) * 86_400_000)
    }

    var firstValue: Value { .text(Self.text(first)) }
    var endValue: Value { .text(Self.text(end)) }

    /// Returns the condition that a date is in the period.
    func contain(_ path: AttributePath) -> ConditionNode {
      .all([
        .compare(path, .greaterOrEqual, firstValue), .compare(path, .less, endValue),
      ])
    }

    private static func text(_ milliseconds: Int64) -> String {
      let text = Instant(milliseconds: milliseconds)?.description ?? "1970-01-01"
      return milliseconds % 86_400_000 == 0 ? String(text.prefix { $0 != "T" }) : text
    }
  }

  /// Returns whether a field may contain dates. If its type is unknown, returns true.
  private func holdsDates(_ kind: ValueKind?) -> Bool { kind == nil || kind == .date }

  /// Parses a day or a time such as `today`, and returns the condition that compares a date with it.
  /// Returns nil if none begins here.
  mutating func comparedWithPeriod(
    _ path: AttributePath, _ comparison: Comparison, _ kind: ValueKind?
  ) throws(QueryError) -> ConditionNode? {
    guard !comparison.isPattern, let period = try period(kind) else { return nil }
    return switch comparison {
    case .equal: period.contain(path)
    case .notEqual: .not(period.contain(path))
    case .less: .compare(path, .less, period.firstValue)
    case .lessOrEqual: .compare(path, .less, period.endValue)
    case .greater: .compare(path, .greaterOrEqual, period.endValue)
    case .greaterOrEqual: .compare(path, .greaterOrEqual, period.firstValue)
    case .like, .ilike, .matches: nil
    }
  }

  /// Parses a day or a time, as the argument of a function: `year(today)`. Returns nil if none
  /// begins here, or if a field has this name.
  mutating func timeArgument() throws(QueryError) -> Operand? {
    let start = token
    if let name = token.name, columns?.contains(where: { $0.name == name }) == true { return nil }
    if let name = token.name, columns == nil, let namespace,
      schema?.attribute(namespace, name) != nil
    {
      return nil
    }
    guard let period = try period(.date) else { return nil }
    return Operand(value: .constant(period.firstValue), kind: .date, start: start)
  }

  /// Parses `today`, `now`, `3 days ago` or `2 hours from now` as a value for a field of this type.
  /// Returns nil for anything else.
  mutating func period(_ kind: ValueKind?) throws(QueryError) -> Period? {
    guard holdsDates(kind) else { return nil }
    if case .integer(let number) = token.kind { return try countedPeriod(number) }
    guard let word = token.word, Self.timeWords.contains(word) else { return nil }
    meanings[token.start] = .keyword
    try advance()
    guard let distance = Self.distances[word] else { return minutes(0) }
    relativeDays += 1
    let day = time.today.sinceEpoch + distance
    return Period(days: day..<day + 1)
  }

  /// Returns a suggestion for a range of days without `in`, for a word that resembles `today`,
  /// `yesterday` or `tomorrow`, and for a day in a field of strings.
  func dayHint(_ kind: ValueKind?) -> String? {
    guard case .name(let name, false) = token.kind, let word = token.word else { return nil }
    if kind == .text, let field = lastField, (Self.timeWords + Self.spanWords).contains(word) {
      return "'\(field.path)' contains strings, not dates. Write a string, such as \"2025-01-31\"."
    }
    guard kind == .date else { return nil }
    if Self.spanWords.contains(word) {
      return "A range of days follows 'in': in last 7 days, in next 2 weeks, in this month."
    }
    return NearestName.hint(name, among: Self.timeWords)
  }

  /// Throws a syntax error for a part of a date, such as `2026` or `2026-11`, which would be compared
  /// as milliseconds since 1970.
  func checkWholeDate(_ operand: Operand) throws(QueryError) {
    guard let parts = Self.differenceParts(operand.value),
      let hint = PartialDate.hint(for: parts)
    else { return }
    throw fault(at: operand.start, "a date", hint: hint)
  }

  /// Returns the integers of `2026-11-1` or `2026/11`; nil for any other expression.
  private static func differenceParts(_ value: ValueExpression) -> [Int64]? {
    switch value {
    case .constant(.integer(let number)): return [number]
    case .arithmetic(let left, .minus, .constant(.integer(let number))),
      .arithmetic(let left, .divided, .constant(.integer(let number))):
      return differenceParts(left).map { $0 + [number] }
    default: return nil
    }
  }

  /// Parses `3 days ago` or `2 hours from now`. Returns nil if no unit follows the number.
  private mutating func countedPeriod(_ number: Int64) throws(QueryError) -> Period? {
    guard let unit = try peek().word.flatMap(Self.unit) else { return nil }
    guard let count = Int(exactly: number), (0...100_000).contains(count) else {
      throw fault("a number from 0 to 100,000")
    }
    try advance()
    meanings[token.start] = .keyword
    try advance()
    let isAgo = token.word == "ago"
    guard isAgo || token.word == "from" else { throw fault(.words(["ago", "from now"])) }
    meanings[token.start] = .keyword
    try advance()
    if !isAgo {
      guard token.word == "now" else { throw fault(.words(["now"])) }
      meanings[token.start] = .keyword
      try advance()
    }
    let distance = isAgo ? -count : count
    if let minutes = Self.minutesPerUnit[unit] { return self.minutes(distance * minutes) }
    relativeDays += 1
    let day = moved(distance, unit).sinceEpoch
    return Period(days: day..<day + 1)
  }

  /// Returns the minute that is `distance` minutes after the current one.
  private mutating func minutes(_ distance: Int) -> Period {
    relativeMinutes += 1
    let first = time.minute + Int64(distance) * QueryTime.millisecondsPerMinute
    return Period(first: first, end: first + QueryTime.millisecondsPerMinute)
  }

  /// Returns the unit that a word names: `day` for `days`.
  private static func unit(_ word: String) -> String? {
    let unit = word.hasSuffix("s") ? String(word.dropLast()) : word
    return units.contains(unit) ? unit : nil
  }

  /// Parses the range after `in`: `last 7 days`, `next 2 hours` or `this month`. Returns the
  /// condition that a date is in that range, or nil if no range begins here.
  mutating func span(
    _ path: AttributePath, _ kind: ValueKind?
  ) throws(QueryError) -> ConditionNode? {
    if kind == .text, let hint = dayHint(kind) { throw fault(.words(["("]), hint: hint) }
    guard holdsDates(kind), let word = token.word, Self.spanWords.contains(word) else { return nil }
    meanings[token.start] = .keyword
    try advance()
    var count = 1
    if word != "this", case .integer(let number) = token.kind {
      guard let whole = Int(exactly: number), (1...100_000).contains(whole) else {
        throw fault("a number from 1 to 100,000")
      }
      count = whole
      try advance()
    }
    let units = word == "this" ? Self.dayUnits : Self.units
    guard let unit = token.word.flatMap(Self.unit), units.contains(unit) else {
      throw fault(
        .words(word == "this" ? units : units.map { $0 + "s" }, areQuoted: false))
    }
    meanings[token.start] = .keyword
    try advance()
    let distance = word == "last" ? -count : count
    if let minutes = Self.minutesPerUnit[unit] {
      let (here, there) = (self.minutes(0), self.minutes(distance * minutes))
      return Period(first: min(here.first, there.first), end: max(here.end, there.end))
        .contain(path)
    }
    relativeDays += 1
    return (word == "this" ? whole(unit) : days(distance, unit)).contain(path)
  }

  /// Returns the days between today and `count` units later, or earlier if `count` is negative.
  private func days(_ count: Int, _ unit: String) -> Period {
    let (here, there) = (time.today.sinceEpoch, moved(count, unit).sinceEpoch)
    return Period(days: min(here, there)..<max(here, there) + 1)
  }

  /// Returns the day that is `count` units after today.
  private func moved(_ count: Int, _ unit: String) -> CalendarDay {
    var other = time.today
    switch unit {
    case "day": other.day += count
    case "week": other.day += 7 * count
    // If the month is shorter, its last day replaces the 31st.
    case "month": other = Self.moved(time.today, months: count)
    case "quarter": other = Self.moved(time.today, months: 3 * count)
    default: other = Self.moved(time.today, months: 12 * count)
    }
    return other
  }

  private static func moved(_ day: CalendarDay, months: Int) -> CalendarDay {
    let first = CalendarDay(year: day.year, month: day.month + months, day: 1).sinceEpoch
    let next = CalendarDay(year: day.year, month: day.month + months + 1, day: 1).sinceEpoch
    return CalendarDay(sinceEpoch: min(first + day.day - 1, next - 1))
  }

  /// Returns the whole day, week (from Monday), month, quarter or year that contains today.
  private func whole(_ unit: String) -> Period {
    let today = time.today
    let day = today.sinceEpoch
    func months(from first: Int, count: Int) -> Period {
      Period(
        days: CalendarDay(year: today.year, month: first, day: 1)
          .sinceEpoch..<CalendarDay(year: today.year, month: first + count, day: 1).sinceEpoch)
    }
    switch unit {
    case "day": return Period(days: day..<day + 1)
    case "week":
      // January 1, 1970 was a Thursday.
      let monday = day - ((day + 3) % 7 + 7) % 7
      return Period(days: monday..<monday + 7)
    case "month": return months(from: today.month, count: 1)
    case "quarter": return months(from: (today.month - 1) / 3 * 3 + 1, count: 3)
    default: return months(from: 1, count: 12)
    }
  }
}
