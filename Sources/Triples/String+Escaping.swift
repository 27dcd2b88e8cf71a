extension String {
  /// Returns the text with every occurrence of a character replaced, even before combining
  /// characters.
  ///
  /// A parser finds such an occurrence, although Swift combines it with the following characters.
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
  /// The text without its final period, for use within a sentence.
  package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
