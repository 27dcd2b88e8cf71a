import Triples

/// A piece of query text, and where it stands in bytes.
struct Token: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A name or a word; quoted ones are never words.
    case name(String, quoted: Bool)
    case integer(Int64)
    case double(Double)
    /// The text between quotes; `wildcard` is where the first `\%` or `\_` stands, fit for patterns only.
    case text(String, wildcard: Int?)
    case sign(Sign)
    case bound(PredicateText.Bound)
    case end
  }

  enum Sign: String, CaseIterable, Hashable, Sendable {
    case open = "("
    case close = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case comma = ","
    case dot = "."
    case semicolon = ";"
    case colon = ":"
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"

    var comparison: Comparison? {
      switch self {
      case .equal: .equal
      case .notEqual: .notEqual
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      case .colon: .equal
      case .open, .close, .openBrace, .closeBrace, .comma, .dot, .semicolon, .and, .or, .not: nil
      }
    }
  }

  var kind: Kind
  var start: Int
  var end: Int

  /// The word in small letters, when it is one.
  var word: String? {
    if case .name(let name, quoted: false) = kind { return name.lowercased() }
    return nil
  }

  var name: String? {
    if case .name(let name, _) = kind { return name }
    return nil
  }

  func isSign(_ sign: Sign) -> Bool { kind == .sign(sign) }
}

/// Words with a meaning, as far as a name alike must wear backquotes to be told apart.
enum Words {
  static let reserved: Set<String> = [
    "and", "or", "not", "is", "in", "like", "ilike", "contains", "begins", "ends", "between",
    "true", "false", "null", "any", "no", "every", "all", "together", "filter", "where", "order",
    "by", "with", "fields", "asc", "desc", "as",
  ]

  /// Words that cannot begin a condition, even where only a name could stand.
  static let neverNames: Set<String> = ["and", "or", "true", "false", "null"]

  static let clauses = [
    "filter", "where", "order", "limit", "offset", "first", "last", "after", "before", "fields",
    "with", "count", "group", "aggregate", "distinct",
  ]

  /// A few words about each clause, for the completion.
  static let clauseHelp: [String: String] = [
    "filter": "keep what a condition holds for", "order": "sort by fields",
    "limit": "at most so many", "offset": "skip so many", "first": "the first page",
    "last": "the last page", "after": "go on after a cursor", "before": "end before a cursor",
    "fields": "only these fields", "with": "follow links", "count": "only how many",
    "group": "one row for each group", "aggregate": "sum, average, median …",
    "distinct": "each row once",
  ]

  /// What other languages call it, and what it is called here.
  static let synonyms: [String: String] = [
    "sort": "order", "orderby": "order", "sorted": "order", "select": "fields",
    "columns": "fields", "include": "with", "join": "with", "top": "limit", "take": "limit",
    "skip": "offset", "find": "filter", "having": "filter", "unique": "distinct",
    "avg": "average", "mean": "average", "total": "sum", "minimum": "min", "maximum": "max",
    "starts": "begins", "startswith": "begins", "beginswith": "begins", "prefix": "begins",
    "endswith": "ends", "suffix": "ends", "includes": "contains", "has": "contains",
    "matches": "like", "regex": "like", "equals": "=", "eq": "=", "ne": "!=", "gt": ">",
    "gte": ">=", "lt": "<", "lte": "<=",
  ]

  /// "Did you mean 'begins'?", or nil when none of these words is near enough.
  static func hint(_ word: String, among known: [String]) -> String? {
    if let meant = synonyms[word], known.contains(meant) { return "Did you mean '\(meant)'?" }
    return NearestName.hint(word, among: known)
  }

  /// The words and signs that compare.
  static let comparisons =
    WhereOperator.allCases.map(\.spelling).filter { !$0.contains(" ") } + [
      "is"
    ]

  static func begins(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar == "_" || scalar == "$" || ("a"..."z").contains(scalar)
        || ("A"..."Z").contains(scalar)
    }
    return scalar.properties.isAlphabetic
  }

  static func continues(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return begins(scalar) || ("0"..."9").contains(scalar) }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: return true
    default: return scalar.properties.isAlphabetic
    }
  }

  /// Whether a name is one word.
  static func isWord(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    return scalars.first.map(begins) == true && scalars.allSatisfy(continues)
  }

  /// `name` as a message has it: in backquotes where a query needs them.
  static func quoted(_ name: String) -> String {
    let written = written(name)
    return written == name ? "'\(name)'" : written
  }

  /// `name` as it is written in a query: in backquotes where it could be misread.
  static func written(_ name: String) -> String {
    if isWord(name), !reserved.contains(name.lowercased()) { return name }
    var quoted = "`"
    for scalar in name.unicodeScalars {
      if scalar == "`" { quoted.unicodeScalars.append("`") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "`"
  }
}
