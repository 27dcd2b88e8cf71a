extension String {
  /// Returns the text with every occurrence of a sign replaced, even before combining characters. A
  /// parser sees the sign there, although Swift sees a single character.
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
  /// The sentence for use within another one.
  package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
