extension String {
  /// The text with other words for one sign, wherever the sign stands: also where what follows combines
  /// with it, so that the two are one character to a reader and a quote to whoever parses.
  ///
  /// - Complexity: O(length).
  package func escaping(_ sign: Unicode.Scalar, as words: String) -> String {
    guard unicodeScalars.contains(sign) else { return self }
    var escaped = UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == sign {
        escaped += words.unicodeScalars
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

extension String {
  /// A sentence as it stands within another one.
  package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
