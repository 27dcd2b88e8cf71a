/// The form of a date's text, as a PostgreSQL database reads it.
enum PostgresDate {
  /// `infinity` or `-infinity`.
  case infinite
  /// A date without time.
  case day
  /// A time without offset, in the form that PostgreSQL columns have in a store.
  case local
  /// A time in UTC, in the form that PostgreSQL columns have in a store.
  case utc

  /// Parses a date; nil for a text of any other form, even if it is a date.
  init?(_ text: String) {
    if text == "infinity" || text == "-infinity" {
      self = .infinite
      return
    }
    let isBC = text.hasSuffix(" BC")
    let isBeyondISO = isBC || text.prefix { $0.isASCIIDigit }.count > 4
    let parts = (isBC ? text.dropLast(3) : Substring(text)).split(
      separator: isBeyondISO ? " " : "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard Self.isDay(parts[0]) else { return nil }
    guard parts.count == 2 else {
      self = .day
      return
    }
    let offset = isBeyondISO ? "+00" : "Z"
    let isUTC = parts[1].hasSuffix(offset)
    guard Self.isTime(parts[1].dropLast(isUTC ? offset.count : 0)) else { return nil }
    self = isUTC ? .utc : .local
  }

  /// Parses a date that ISO 8601 does not have: `infinity`, before Christ, or after the year 9999.
  init?(beyondISO text: String) {
    let hasShortYear = text.prefix { $0.isASCIIDigit }.count == 4
    if hasShortYear, !text.hasSuffix(" BC") { return nil }
    self.init(text)
  }

  private static func isDay(_ text: Substring) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 3 && parts.allSatisfy { $0.allSatisfy(\.isASCIIDigit) }
      && parts[0].count >= 4 && parts[1].count == 2 && parts[2].count == 2
  }

  private static func isTime(_ text: Substring) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return false }
    let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    let fields = [parts[0], parts[1], seconds[0]]
    return fields.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isASCIIDigit) }
      && (seconds.count == 1
        || seconds.count == 2 && !seconds[1].isEmpty && seconds[1].allSatisfy(\.isASCIIDigit))
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}
