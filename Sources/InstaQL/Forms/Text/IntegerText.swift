extension Int64 {
  /// The number as it is written in query text: `10M`, `2B`, `26_184` or `2026`. Parsing it gives
  /// the same number.
  ///
  /// Numbers of up to four digits, such as years, have no separators.
  var queryText: String {
    for (factor, suffix) in Self.suffixes where self != 0 && isMultiple(of: factor) {
      let count = self / factor
      if count.magnitude < 1_000 { return "\(count)\(suffix)" }
    }
    let digits = String(magnitude)
    guard digits.utf8.count > Self.maxUngroupedDigits else { return String(self) }
    var text = self < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      // Commas would separate two values in a list.
      if place > 0, (digits.utf8.count - place).isMultiple(of: 3) { text += "_" }
      text.append(digit)
    }
    return text
  }

  private static let suffixes: [(factor: Int64, suffix: String)] = [
    (1_000_000_000, "B"), (1_000_000, "M"),
  ]
  private static let maxUngroupedDigits = 4
}
