import Triples

/// Patterns that ignore case as regular expressions of PostgreSQL, which spell each case out: its own
/// `ILIKE` knows the letters of the database's locale, and those alone.
enum PatternExpression {
  /// A regular expression that matches whole texts.
  static func ignoringCase(_ pattern: String) -> String {
    var expression = "^"
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "%" where !isEscaped: expression += ".*"
      case "_" where !isEscaped: expression += "."
      default: expression += spellings(of: scalar)
      }
      isEscaped = false
    }
    return expression + (isEscaped ? #"\\$"# : "$")
  }

  /// What matches a character and those that differ from it by case alone.
  private static func spellings(of scalar: Unicode.Scalar) -> String {
    let character = Character(scalar)
    guard scalar.isASCII else {
      let fold = LikePattern.folded(scalar)
      return "[" + String(String.UnicodeScalarView(scalarsByFold[fold] ?? [scalar])) + "]"
    }
    if character.isLetter { return "[\(character.lowercased())\(character.uppercased())]" }
    return character.isNumber ? String(character) : "\\\(character)"
  }

  /// The characters beyond ASCII that fold to the same one, where there are several.
  private static let scalarsByFold: [Unicode.Scalar: [Unicode.Scalar]] = {
    var all: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    // Beyond these no letter has a case.
    for value in UInt32(0x80)..<0x1_F000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let fold = LikePattern.folded(scalar)
      if fold != scalar { all[fold, default: [fold]].append(scalar) }
    }
    return all
  }()
}
