import Triples

/// Converts case-insensitive `like` patterns to PostgreSQL's regular expressions. For each letter,
/// they list both cases.
///
/// `ILIKE` is not used, because its rules for case depend on the database's locale.
enum PatternExpression {
  /// Returns a regular expression that matches the same texts as the pattern.
  static func ignoringCase(_ pattern: String) -> String {
    let parts = LikePattern.symbols(of: pattern).map { symbol in
      switch symbol {
      case .anyText: ".*"
      case .anyCharacter: "."
      case .character(let scalar): spellings(of: scalar)
      }
    }
    return "^" + parts.joined() + "$"
  }

  /// Returns a regular expression that matches the character in any case: `[aA]`.
  private static func spellings(of scalar: Unicode.Scalar) -> String {
    let character = Character(scalar)
    if !scalar.isASCII || character.isLetter { return "[" + cases(of: scalar) + "]" }
    return character.isNumber ? String(character) : "\\\(character)"
  }

  /// Returns the character in all its cases: `aA`.
  static func cases(of scalar: Unicode.Scalar) -> String {
    guard scalar.isASCII else {
      let fold = LikePattern.folded(scalar)
      return String(String.UnicodeScalarView(scalarsByFold[fold] ?? [scalar]))
    }
    let character = Character(scalar)
    return character.isLetter ? character.lowercased() + character.uppercased() : String(character)
  }

  /// The non-ASCII characters, grouped by case folding. The key is the folded form of all
  /// characters in the group.
  private static let scalarsByFold: [Unicode.Scalar: [Unicode.Scalar]] = {
    var all: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    // No character beyond this range has upper and lower case.
    for value in UInt32(0x80)..<0x1_F000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let fold = LikePattern.folded(scalar)
      if fold != scalar { all[fold, default: [fold]].append(scalar) }
    }
    return all
  }()
}
