import Triples

/// A token of query text, with its range in bytes.
struct Token: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A name or keyword. A name in backquotes (`quoted`) is never a keyword.
    case name(String, quoted: Bool)
    case integer(Int64)
    case double(Double)
    /// A string. `wildcard` is the position of the first `\%` or `\_` in it; nil if there is none.
    /// Only patterns may contain these.
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
    case star = "*"
    case plus = "+"
    case minus = "-"
    case slash = "/"
    case percent = "%"
    case openBracket = "["
    case closeBracket = "]"

    var comparison: Comparison? {
      switch self {
      case .equal: .equal
      case .notEqual: .notEqual
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      case .colon: .equal
      case .open, .close, .openBrace, .closeBrace, .comma, .dot, .semicolon, .and, .or, .not, .star,
        .plus, .minus, .slash, .percent, .openBracket, .closeBracket:
        nil
      }
    }
  }

  var kind: Kind
  var start: Int
  var end: Int

  /// The keyword in lower case; nil for any other token.
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

/// The words of the query language. They determine which names need backquotes.
enum Words {
  static let reserved: Set<String> = [
    "and", "or", "not", "is", "in", "like", "ilike", "contains", "begins", "ends", "between",
    "matches", "true", "false", "null", "any", "no", "every", "all", "together", "filter", "where",
    "order",
    "by", "with", "fields", "asc", "desc", "as",
  ]

  /// Words that cannot be a field name at the beginning of a condition.
  static let neverNames: Set<String> = ["and", "or", "true", "false", "null"]

  /// The clauses, in the order in which completion lists them.
  static let clauses = [
    "filter", "where", "search", "order", "limit", "fields", "with", "count", "group", "aggregate",
    "having", "distinct", "offset", "first", "last", "after", "before",
  ]

  /// Short descriptions of the clauses, for completion.
  static let clauseHelp: [String: String] = [
    "filter": "filter by a condition", "search": "find text in any field",
    "order": "sort by fields",
    "limit": "maximum number of rows", "offset": "number of rows to skip",
    "first": "maximum number of rows, from the start",
    "last": "maximum number of rows, from the end", "after": "continue after a cursor",
    "before": "end before a cursor",
    "fields": "only these fields", "with": "include linked rows",
    "count": "only the number of rows",
    "group": "one row for each group", "aggregate": "sum, average, median …",
    "having": "filter the groups", "distinct": "no duplicate rows",
  ]

  /// Short descriptions of the words that may begin a condition, for completion.
  static let conditionHelp: [(word: String, help: String)] = [
    ("not", "rows that do not match"), ("search", "find text in any field"),
    ("count", "the number of linked rows: count(link) > 5"),
    ("any", "at least one linked row matches: any link (…)"),
    ("no", "no linked row matches: no link (…)"),
    ("every", "every linked row matches: every link (…)"),
    ("together", "one linked row meets all: together(link.a = 1, link.b = 2)"),
  ]

  /// Short descriptions of the words that begin a value after a comparison, for completion.
  static let comparedHelp: [(word: String, help: String)] = [
    ("field", "the value of another field: field(name)"),
    ("date", #"a date: date "2026-12-01""#), ("json", #"any JSON: json "[1, 2]""#),
  ]

  /// Short descriptions of the words that continue a condition or a sort, for completion.
  static let furtherHelp: [String: String] = [
    "null": "null or missing", "not null": "neither null nor missing",
    "and": "then the end of the range", "ago": "before now: 3 days ago, 2 hours ago",
    "from now": "after now: 3 days from now", "now": "after now: 3 days from now",
    "desc": "descending", "asc": "ascending; this is the default",
    "true": "the field is true", "false": "the field is false",
  ]

  /// Short descriptions of the functions of values, for completion.
  static let valueHelp: [(word: String, help: String)] =
    ValueFunction.allCases.map { ($0.rawValue, $0.help) }

  /// Short descriptions of the aggregates of linked entities, for completion.
  static let linkedHelp: [(word: String, help: String)] = [
    ("count", "the number of linked rows: count(link)"),
    ("sum", "the sum over linked rows: sum(link.field)"),
    ("average", "the mean over linked rows: average(link.field)"),
    ("median", "the median over linked rows: median(link.field)"),
    ("min", "the smallest value of linked rows: min(link.field)"),
    ("max", "the largest value of linked rows: max(link.field)"),
  ]

  /// Short descriptions of the aggregate functions, for completion.
  static let functionHelp: [String: String] = [
    "count": "the number of rows, or of values", "sum": "the sum of numbers",
    "average": "the mean of numbers", "median": "the middle number",
    "min": "the smallest value", "max": "the largest value",
  ]

  /// Short descriptions of the words that are a day or a time by themselves, for completion.
  static let timeHelp: [(word: String, help: String)] = [
    ("today", "any time on the current day"), ("yesterday", "any time on the previous day"),
    ("tomorrow", "any time on the next day"), ("now", "the current minute"),
  ]

  /// Short descriptions of the words that begin a range of days or times, for completion.
  static let spanHelp: [String: String] = [
    "last": "a range up to now: last 7 days, last 2 hours",
    "next": "a range from now: next 2 weeks",
    "this": "a range around today: this month",
  ]

  /// Short descriptions of the words that join conditions, for completion.
  static let connectiveHelp: [(word: String, help: String)] = [
    ("and", "both conditions are true"), ("or", "at least one condition is true"),
  ]

  /// The words that another word or a value must follow. A completion ends with a space after them.
  static let continued: Set<String> = {
    let clauses = Set(clauseHelp.keys).subtracting(["count", "distinct"])
    let functions = Set(functionHelp.keys).subtracting(["count"])
    let comparisons = WhereOperator.allCases.lazy.filter { $0.operand != .none }.map(\.spelling)
      .filter { $0.allSatisfy { $0.isLetter || $0 == " " } }
    return clauses.union(functions).union(comparisons)
      .union(["and", "or", "not", "any", "no", "every", "as", "next", "this"])
  }()

  /// Keywords of other languages and their equivalents in the query language.
  static let synonyms: [String: String] = [
    "sort": "order", "orderby": "order", "sorted": "order", "select": "fields",
    "columns": "fields", "include": "with", "join": "with", "top": "limit", "take": "limit",
    "skip": "offset", "find": "search", "unique": "distinct",
    "avg": "average", "mean": "average", "total": "sum", "minimum": "min", "maximum": "max",
    "starts": "begins", "startswith": "begins", "beginswith": "begins", "prefix": "begins",
    "endswith": "ends", "suffix": "ends", "includes": "contains", "has": "contains",
    "regex": "matches", "regexp": "matches", "rlike": "matches", "equals": "=", "eq": "=",
    "ne": "!=", "gt": ">",
    "gte": ">=", "lt": "<", "lte": "<=",
    "lowercase": "lower", "uppercase": "upper", "lcase": "lower", "ucase": "upper",
    "len": "length", "char_length": "length", "ceiling": "ceil", "ifnull": "coalesce",
    "dayofweek": "weekday",
  ]

  /// Returns a hint such as "Did you mean 'begins'?", or nil when no keyword is close enough.
  static func hint(_ word: String, among known: [String]) -> String? {
    if let meant = synonyms[word], known.contains(meant) { return "Did you mean '\(meant)'?" }
    let function = synonyms[word] ?? word
    if known.contains("aggregate"), functionHelp[function] != nil {
      return "Write the clause: aggregate \(function)(…)."
    }
    return NearestName.hint(word, among: known) ?? misspelledSynonymHint(word, among: known)
  }

  /// Returns a hint for a misspelled synonym: `avrg` is close to `avg`, a synonym of a known word.
  private static func misspelledSynonymHint(_ word: String, among known: [String]) -> String? {
    let candidates = synonyms.filter { synonym, meant in
      synonym.count > 2 && synonym.first == word.first && known.contains(meant)
    }
    return NearestName.nearest(word, among: candidates.keys.sorted())
      .flatMap { candidates[$0] }.map { "Did you mean '\($0)'?" }
  }

  /// The comparison operators.
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

  /// Returns whether a name is a single identifier.
  static func isWord(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    return scalars.first.map(begins) == true && scalars.allSatisfy(continues)
  }

  /// Returns `name` for messages: in backquotes if a query needs them, otherwise in quotes.
  static func quoted(_ name: String) -> String {
    let written = written(name)
    return written == name ? "'\(name)'" : written
  }

  /// Returns `name` as it is written in query text: in backquotes if it could be misread.
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
