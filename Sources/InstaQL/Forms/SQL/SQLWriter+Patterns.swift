import Triples

// Tests of texts with the patterns of `like`.
extension SQLWriter {
  /// Returns the test that a text matches a `like` pattern. SQLite's LIKE ignores the case of ASCII
  /// letters only, so all other patterns need GLOB.
  mutating func shape(_ end: End, _ pattern: String, ignoringCase: Bool) -> String {
    let isText =
      names.isLoose && !end.isKey
      ? "typeof(\(end.text)) = 'text' AND " : "\(end.text) IS NOT NULL AND "
    let isPlain = ignoringCase && pattern.utf8.allSatisfy { $0 < 0x80 }
    guard isPlain || dialect.hasCaseSensitiveLike else {
      let glob = Self.glob(pattern, ignoringCase: ignoringCase)
      return "(\(isText)\(end.text) GLOB \(bind(.text(glob))))"
    }
    let word = ignoringCase && dialect.hasCaseSensitiveLike ? "ILIKE" : "LIKE"
    return "(\(isText)\(end.text) \(word) \(bind(.text(pattern))) ESCAPE '\\')"
  }

  /// Returns a `like` pattern in the syntax of GLOB. To ignore case, it lists all cases of each
  /// letter.
  static func glob(_ pattern: String, ignoringCase: Bool) -> String {
    LikePattern.symbols(of: pattern).map { symbol -> String in
      switch symbol {
      case .anyText: return "*"
      case .anyCharacter: return "?"
      case .character(let scalar):
        if "*?[".unicodeScalars.contains(scalar) { return "[\(scalar)]" }
        let cases = ignoringCase ? PatternExpression.cases(of: scalar) : String(scalar)
        return cases.unicodeScalars.count == 1 ? cases : "[\(cases)]"
      }
    }.joined()
  }
}
