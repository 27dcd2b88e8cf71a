extension String {
  /// Returns the text with every occurrence of a Unicode scalar replaced.
  ///
  /// Unlike a search for a `Character`, it also finds a scalar before a combining mark, as a parser
  /// does.
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
