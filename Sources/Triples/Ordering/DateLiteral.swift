/// A date that a user writes in a query.
///
/// A store parses texts like the client that wrote them: it carries over invalid days, reads
/// "99999" as a year, and reads "Jan 1 2027" as a day of 2001. A user of the query language does
/// not expect this.
package struct DateLiteral: Hashable, Sendable {
  /// The text to compare with stored texts.
  ///
  /// It is the text as written if a store would parse it as the date that the user means. Otherwise
  /// it is that date in ISO 8601.
  package let text: String

  /// Parses a date; nil without a valid calendar day or without a full year.
  package init?(_ written: String) {
    if Self.isInfinite(written) || DistantDate(written) != nil {
      text = written
      return
    }
    let years = Self.years(in: written)
    func names(_ instant: Instant) -> Bool {
      // In another time zone, the instant may belong to another year.
      let near = [-86_400_000, 0, 86_400_000].compactMap {
        Instant(milliseconds: instant.milliseconds + $0)
      }
      return near.contains { years.contains($0.year) }
    }
    if let instant = Instant(real: written), names(instant) {
      text = written
    } else if let instant = InstantReader.readInAnyOrder(written), names(instant),
      InstantReader.namesRealDay(written, read: instant)
    {
      text = instant.isMidnight ? String(instant.description.prefix(10)) : instant.description
    } else {
      return nil
    }
  }

  /// Returns whether a text is a date of PostgreSQL that is before or after all others.
  package static func isInfinite(_ text: String) -> Bool {
    text == "infinity" || text == "-infinity"
  }

  /// Returns the numbers with four digits, or with six digits for distant years in ISO 8601.
  private static func years(in text: String) -> Set<Int> {
    let sign = text.hasPrefix("-") ? -1 : 1
    let groups = text.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return Set(
      groups.filter { $0.count == 4 || $0.count == 6 }
        .map { ($0.count == 6 ? sign : 1) * $0.reduce(0) { $0 * 10 + Int($1 & 15) } })
  }
}

extension Instant {
  fileprivate var isMidnight: Bool { milliseconds % 86_400_000 == 0 && (0...9_999).contains(year) }

  fileprivate var year: Int { CalendarDay(of: self).year }
}
