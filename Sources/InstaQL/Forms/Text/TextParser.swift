import Triples

/// Parses query text to plans and conditions, by recursive descent with one token of lookahead.
struct TextParser {
  static let maxNestingLevels = 200

  var lexer: Lexer
  private(set) var token: Token
  /// The schema for checking names; nil accepts any name.
  let schema: Schema?
  /// The day that `today` stands for.
  let today: CalendarDay
  /// The namespace whose fields names refer to, if known. It changes within nested queries and
  /// quantifiers.
  var namespace: String?
  /// The columns of the groups while the parser reads `having`; nil if no schema is known.
  var columns: [(name: String, kind: ValueKind?)]?
  /// The plan of a summary. Its `having` and `order` can refer to columns by their functions.
  var summarized: QueryPlan?
  private var depth = 0
  /// Whether conditions are part of a query, so that a clause may follow them.
  var isWithinQuery = false
  /// Whether the last clause was a condition, which `and` could continue.
  var endedWithCondition = false
  /// Whether the text ends after a semicolon, where another query could follow.
  var endedWithSemicolon = false
  /// The keyword of the last clause.
  var lastClause: String?
  /// The last field and its namespace, for completing values.
  var lastField: (path: AttributePath, namespace: String?)?
  /// The links of an incomplete path.
  var unfinishedPath: [String] = []
  /// The meanings of the names and keywords parsed so far, by their offsets.
  var meanings: [Int: QuerySpan.Kind] = [:]
  /// The number of parts in the expression that is being parsed.
  var parts = 0
  /// The unknown names in an order, with their errors. They are checked when all computed columns
  /// are known.
  var unknownOrders: [(name: String, fault: QueryError)] = []
  /// Whether the last condition is a field without a comparison.
  var endedWithBareField = false

  init(
    _ source: PredicateText, schema: Schema? = nil, namespace: String? = nil,
    today: CalendarDay = .today()
  ) throws(QueryError) {
    lexer = try Lexer(source)
    token = Token(kind: .end, start: 0, end: 0)
    self.schema = schema
    self.today = today
    self.namespace = namespace
    token = try lexer.next()
  }

  /// Moves to the next token and returns the current one.
  @discardableResult
  mutating func advance() throws(QueryError) -> Token {
    let taken = token
    token = try lexer.next()
    return taken
  }

  /// Replaces the current token. The lexer must already be at the end of the new token.
  mutating func replaceToken(_ other: Token) { token = other }

  /// Returns the token after the current one.
  func peek() throws(QueryError) -> Token {
    var ahead = lexer
    return try ahead.next()
  }

  mutating func skip(_ sign: Token.Sign) throws(QueryError) -> Bool {
    guard token.isSign(sign) else { return false }
    try advance()
    return true
  }

  mutating func skip(word: String) throws(QueryError) -> Bool {
    guard token.word == word else { return false }
    try advance()
    return true
  }

  /// Skips a keyword or the symbol for it. Returns whether either was present.
  mutating func skip(word: String, or sign: Token.Sign) throws(QueryError) -> Bool {
    guard token.word == word || token.isSign(sign) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ sign: Token.Sign) throws(QueryError) {
    guard try skip(sign) else { throw fault(sign.rawValue) }
  }

  /// Returns the syntax error at the current token.
  func fault(_ expected: String, hint: String? = nil) -> QueryError {
    lexer.fault(at: token.start, expected: expected, hint: hint)
  }

  func fault(at token: Token, _ expected: String, hint: String? = nil) -> QueryError {
    lexer.fault(at: token.start, expected: expected, hint: hint)
  }

  /// Runs `work` one nesting level deeper. It throws beyond the maximum depth.
  mutating func nested<Result>(
    _ work: (inout TextParser) throws(QueryError) -> Result
  ) throws(QueryError) -> Result {
    guard depth < Self.maxNestingLevels else {
      throw fault("at most \(Self.maxNestingLevels) levels of nesting")
    }
    depth += 1
    let result = try work(&self)
    depth -= 1
    return result
  }

  /// Parses a name; `what` describes it in errors.
  mutating func name(_ what: String) throws(QueryError) -> Token {
    guard token.name != nil else { throw fault(what) }
    return try advance()
  }

  /// The tokens that may follow a complete condition, for errors.
  var afterCondition: String {
    isWithinQuery ? "and, or, a clause, end of text" : "and, or, end of text"
  }
}
