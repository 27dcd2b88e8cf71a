import Triples

// Conditions with days relative to today: `due < today`, `due in last 7 days`.
extension TextParser {
  static let dayWords = ["today", "yesterday", "tomorrow"]
  static let spanWords = ["last", "next", "this"]
  private static let units = ["day", "week", "month", "quarter", "year"]

  /// A range of days, where `end` is the day after the last one.
  private struct Days {
    var first: Int
    var end: Int

    /// Returns the condition that a date is in the range.
    func contain(_ path: AttributePath) -> ConditionNode {
      .all([
        .compare(path, .greaterOrEqual, .text(TextParser.text(first))),
        .compare(path, .less, .text(TextParser.text(end))),
      ])
    }
  }

  /// Returns whether a field may contain dates. If its type is unknown, returns true.
  private func holdsDates(_ kind: ValueKind?) -> Bool { kind == nil || kind == .date }

  /// Parses a day such as `today`, and returns the condition that compares a date with it. Returns
  /// nil if no day begins here.
  mutating func comparedWithDay(
    _ path: AttributePath, _ comparison: Comparison, _ kind: ValueKind?
  ) throws(QueryError) -> ConditionNode? {
    guard holdsDates(kind), !comparison.isPattern, let day = try namedDay() else {
      return nil
    }
    let days = Days(first: day, end: day + 1)
    let (first, end) = (Value.text(Self.text(day)), Value.text(Self.text(day + 1)))
    return switch comparison {
    case .equal: days.contain(path)
    case .notEqual: .not(days.contain(path))
    case .less: .compare(path, .less, first)
    case .lessOrEqual: .compare(path, .less, end)
    case .greater: .compare(path, .greaterOrEqual, end)
    case .greaterOrEqual: .compare(path, .greaterOrEqual, first)
    case .like, .ilike, .matches: nil
    }
  }

  /// Parses a day such as `today`, and returns its date as a text. Returns nil if no day begins
  /// here.
  mutating func dayValue(_ kind: ValueKind?) throws(QueryError) -> Value? {
    guard holdsDates(kind), let day = try namedDay() else { return nil }
    return .text(Self.text(day))
  }

  /// Parses `today`, `3 days ago` or `2 weeks from now`, and returns the day; nil for anything
  /// else.
  private mutating func namedDay() throws(QueryError) -> Int? {
    if case .integer(let number) = token.kind { return try countedDay(number) }
    guard let word = token.word, let distance = Self.distances[word] else { return nil }
    meanings[token.start] = .keyword
    try advance()
    relativeDays += 1
    return today.sinceEpoch + distance
  }

  /// Returns a suggestion for a range of days without `in`, for a word that resembles `today`,
  /// `yesterday` or `tomorrow`, and for a day in a field of strings.
  func dayHint(_ kind: ValueKind?) -> String? {
    guard case .name(let name, false) = token.kind, let word = token.word else { return nil }
    if kind == .text, let field = lastField, (Self.dayWords + Self.spanWords).contains(word) {
      return "'\(field.path)' contains strings, not dates. Write a string, such as \"2025-01-31\"."
    }
    guard kind == .date else { return nil }
    if Self.spanWords.contains(word) {
      return "A range of days follows 'in': in last 7 days, in next 2 weeks, in this month."
    }
    return NearestName.hint(name, among: Self.dayWords)
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

  private static let distances = ["today": 0, "yesterday": -1, "tomorrow": 1]

  /// Parses `3 days ago` or `2 weeks from now`, and returns the day. Nil if no unit follows the
  /// number.
  private mutating func countedDay(_ number: Int64) throws(QueryError) -> Int? {
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
    relativeDays += 1
    return moved(isAgo ? -count : count, unit).sinceEpoch
  }

  /// Returns the unit that a word names: `day` for `days`.
  private static func unit(_ word: String) -> String? {
    let unit = word.hasSuffix("s") ? String(word.dropLast()) : word
    return units.contains(unit) ? unit : nil
  }

  /// Parses the range after `in`: `last 7 days`, `next 2 weeks` or `this month`. Returns the
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
    guard let unit = token.word.flatMap(Self.unit) else {
      let units = ["day", "week", "month", "quarter", "year"]
      throw fault(.words(word == "this" ? units : units.map { $0 + "s" }, areQuoted: false))
    }
    meanings[token.start] = .keyword
    try advance()
    relativeDays += 1
    return (word == "this" ? whole(unit) : days(word == "last" ? -count : count, unit))
      .contain(path)
  }

  /// Returns the days between today and `count` units later, or earlier if `count` is negative.
  private func days(_ count: Int, _ unit: String) -> Days {
    let (here, there) = (today.sinceEpoch, moved(count, unit).sinceEpoch)
    return Days(first: min(here, there), end: max(here, there) + 1)
  }

  /// Returns the day that is `count` units after today.
  private func moved(_ count: Int, _ unit: String) -> CalendarDay {
    var other = today
    switch unit {
    case "day": other.day += count
    case "week": other.day += 7 * count
    // If the month is shorter, its last day replaces the 31st.
    case "month": other = Self.moved(today, months: count)
    case "quarter": other = Self.moved(today, months: 3 * count)
    default: other = Self.moved(today, months: 12 * count)
    }
    return other
  }

  private static func moved(_ day: CalendarDay, months: Int) -> CalendarDay {
    let first = CalendarDay(year: day.year, month: day.month + months, day: 1).sinceEpoch
    let next = CalendarDay(year: day.year, month: day.month + months + 1, day: 1).sinceEpoch
    return CalendarDay(sinceEpoch: min(first + day.day - 1, next - 1))
  }

  /// Returns the whole day, week (from Monday), month, quarter or year that contains today.
  private func whole(_ unit: String) -> Days {
    let day = today.sinceEpoch
    switch unit {
    case "day": return Days(first: day, end: day + 1)
    case "week":
      // January 1, 1970 was a Thursday.
      let monday = day - ((day + 3) % 7 + 7) % 7
      return Days(first: monday, end: monday + 7)
    case "month":
      return Days(
        first: CalendarDay(year: today.year, month: today.month, day: 1).sinceEpoch,
        end: CalendarDay(year: today.year, month: today.month + 1, day: 1).sinceEpoch)
    case "quarter":
      let month = (today.month - 1) / 3 * 3 + 1
      return Days(
        first: CalendarDay(year: today.year, month: month, day: 1).sinceEpoch,
        end: CalendarDay(year: today.year, month: month + 3, day: 1).sinceEpoch)
    default:
      return Days(
        first: CalendarDay(year: today.year, month: 1, day: 1).sinceEpoch,
        end: CalendarDay(year: today.year + 1, month: 1, day: 1).sinceEpoch)
    }
  }

  private static func text(_ day: Int) -> String {
    String(Instant(milliseconds: Int64(day) * 86_400_000)?.description.prefix(10) ?? "1970-01-01")
  }
}
