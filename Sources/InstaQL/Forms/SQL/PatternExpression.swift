import Triples

/// Case-insensitive patterns as regular expressions of PostgreSQL that spell out each case.
///
/// `ILIKE` folds only the letters of the database's locale.
enum PatternExpression {
  /// A regular expression that matches whole texts.
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

  /// An expression for a character in any case.
  private static func spellings(of scalar: Unicode.Scalar) -> String {
    let character = Character(scalar)
    guard scalar.isASCII else {
      let fold = LikePattern.folded(scalar)
      return "[" + String(String.UnicodeScalarView(scalarsByFold[fold] ?? [scalar])) + "]"
    }
    if character.isLetter { return "[\(character.lowercased())\(character.uppercased())]" }
    return character.isNumber ? String(character) : "\\\(character)"
  }

  /// The non-ASCII characters that fold to the same one, if there are several.
  private static let scalarsByFold: [Unicode.Scalar: [Unicode.Scalar]] = {
    var all: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    // No letter above has a case.
    for value in UInt32(0x80)..<0x1_F000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let fold = LikePattern.folded(scalar)
      if fold != scalar { all[fold, default: [fold]].append(scalar) }
    }
    return all
  }()
}
