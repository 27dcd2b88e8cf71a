/// A year, or a year and a month, where a whole date is expected.
package enum PartialDate {
  /// Returns a hint to write a whole date for a part of one, such as `2026` or `2026-11`. Nil for
  /// any other text.
  package static func hint(for text: String) -> String? {
    let text = String(text.reversed().drop(while: \.isWhitespace).reversed())
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    let numbers = parts.compactMap { Int64($0) }
    return parts.count <= 2 && numbers.count == parts.count ? hint(for: numbers) : nil
  }

  /// Returns a hint to write a whole date that begins with a year and has the other parts if possible;
  /// nil if the first number is no year.
  static func hint(for parts: [Int64]) -> String? {
    guard let year = parts.first, (1_000...9_999).contains(year) else { return nil }
    let rest = ([12, 31] as [Int64]).enumerated().map { index, maxPart in
      let part = index + 1 < parts.count ? parts[index + 1] : 1
      return (1...maxPart).contains(part) ? (part < 10 ? "0\(part)" : "\(part)") : "01"
    }
    return "Write a whole date, such as \(year)-\(rest[0])-\(rest[1])."
  }
}
