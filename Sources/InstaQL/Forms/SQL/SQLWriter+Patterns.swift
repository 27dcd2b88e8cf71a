import Triples

// Tests of texts with the patterns of `like`.
extension SQLWriter {
  /// Returns the test that a text matches a `like` pattern. If case matters, SQLite needs GLOB,
  /// because its LIKE ignores case.
  mutating func shape(_ end: End, _ pattern: String, ignoringCase: Bool) -> String {
    let isText =
      names.isLoose && !end.isKey
      ? "typeof(\(end.text)) = 'text' AND " : "\(end.text) IS NOT NULL AND "
    guard ignoringCase || dialect.hasCaseSensitiveLike else {
      return "(\(isText)\(end.text) GLOB \(bind(.text(Self.glob(pattern)))))"
    }
    let word = ignoringCase && dialect.hasCaseSensitiveLike ? "ILIKE" : "LIKE"
    return "(\(isText)\(end.text) \(word) \(bind(.text(pattern))) ESCAPE '\\')"
  }

  /// Returns a `like` pattern in the syntax of GLOB.
  static func glob(_ pattern: String) -> String {
    LikePattern.symbols(of: pattern).map { symbol in
      switch symbol {
      case .anyText: "*"
      case .anyCharacter: "?"
      case .character(let scalar):
        "*?[".unicodeScalars.contains(scalar) ? "[\(scalar)]" : String(scalar)
      }
    }.joined()
  }
}
