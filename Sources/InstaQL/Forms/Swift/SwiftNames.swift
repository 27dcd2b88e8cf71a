/// Converts the names of a store to Swift identifiers, and never uses an identifier twice.
struct SwiftNames {
  private var taken: Set<String>

  init(taken: Set<String> = []) { self.taken = taken }

  /// Returns the name of an entity type for a namespace: `cities` gives `City`.
  mutating func type(_ namespace: String) -> String {
    let words = Self.words(namespace)
    var parts = words.map(Self.capitalized)
    if let last = words.last { parts[parts.count - 1] = Self.capitalized(Self.singular(last)) }
    let name = Self.identifier(parts.joined())
    return unused(Self.knownTypes.contains(name) ? name + "Entity" : name)
  }

  /// Returns the name of a property for an attribute or link: `first name` gives `firstName`.
  mutating func property(_ label: String) -> String {
    let words = Self.words(label)
    let first = words.first.map(Self.uncapitalized) ?? ""
    let name = Self.identifier(first + words.dropFirst().map(Self.capitalized).joined())
    let found = unused(Self.unspeakable.contains(name) ? name + "_" : name)
    return Self.keywords.contains(found) ? "`\(found)`" : found
  }

  private mutating func unused(_ name: String) -> String {
    var found = name
    var number = 2
    while !taken.insert(found).inserted {
      found = name + String(number)
      number += 1
    }
    return found
  }

  /// Returns the parts of a text that may be part of a Swift identifier.
  private static func words(_ text: String) -> [String] {
    text.unicodeScalars.split { !continues($0) }.map { String($0) }
  }

  private static func continues(_ scalar: Unicode.Scalar) -> Bool {
    scalar != "$" && Words.continues(scalar)
  }

  /// Returns the name. Puts `_` in front if Swift does not allow an identifier to begin with its
  /// first character.
  private static func identifier(_ name: String) -> String {
    guard let first = name.unicodeScalars.first else { return "unnamed" }
    return first == "_" || first.properties.isXIDStart ? name : "_" + name
  }

  private static func capitalized(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  /// Lowercases the leading capitals of a word: `URL` gives `url`, `URLPath` gives `urlPath`.
  private static func uncapitalized(_ word: String) -> String {
    let capitals = word.prefix { $0.isUppercase }
    if capitals.count <= 1 || capitals.count == word.count {
      return capitals.lowercased() + word.dropFirst(capitals.count)
    }
    let kept = capitals.count - 1
    return capitals.prefix(kept).lowercased() + word.dropFirst(kept)
  }

  /// Returns the singular of an English plural; other words are unchanged.
  private static func singular(_ plural: String) -> String {
    if let known = irregular[plural.lowercased()] { return known }
    for (ending, replacement) in endings where plural.hasSuffix(ending) {
      return plural.count > ending.count ? plural.dropLast(ending.count) + replacement : plural
    }
    return plural
  }

  private static let irregular = ["people": "person", "children": "child", "series": "series"]

  private static let endings = [
    ("ies", "y"), ("ss", "ss"), ("us", "us"), ("is", "is"), ("sses", "ss"), ("xes", "x"),
    ("ches", "ch"), ("shes", "sh"), ("s", ""),
  ]

  /// Names of types that the generated source uses, or that could be confused with Swift's own
  /// types.
  private static let knownTypes: Set<String> = [
    "Any", "AnyEntity", "Array", "Attribute", "Bool", "Condition", "Cursor", "DataRow",
    "DataSources", "Dictionary", "Double", "EntityID", "EntityQuery", "Error", "Field", "Fields",
    "FieldValue", "InstaQL", "Instant", "Int", "Link", "LinkField", "Optional", "Page",
    "Protocol", "Query", "QueryEntity", "QueryError", "Schema", "Self", "Sendable", "Set",
    "String", "Task", "Triple", "Triples", "Type", "Value", "Void",
  ]

  /// Names that cannot be properties, even in backquotes.
  private static let unspeakable: Set<String> = ["init", "self", "Self", "Type", "Protocol", "_"]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
    "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
    "var", "where", "while", "Any",
  ]
}
