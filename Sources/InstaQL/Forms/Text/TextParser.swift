import Triples

/// Parses query text to plans and conditions. It is a recursive descent parser with one token of
/// lookahead.
struct TextParser {
  static let maxNestingLevels = 200

  var lexer: Lexer
  private(set) var token: Token
  /// The end of the token before the current one, in bytes.
  private var end = 0
  /// The schema for checking names; nil accepts any name.
  let schema: Schema?
  /// The time for which `today` and `now` stand.
  let time: QueryTime
  /// The namespace in which names are looked up; nil if it is unknown. It changes while nested
  /// queries and quantifiers are parsed.
  var namespace: String?
  /// The columns that names refer to while `having` is parsed. Nil in all other clauses, and
  /// without a schema.
  var columns: [(name: String, kind: ValueKind?)]?
  /// The plan with the aggregates that `having` and `order` may refer to by their functions, such
  /// as `sum(population)`.
  var summarized: QueryPlan?
  private var depth = 0
  /// Whether the condition is part of a query, so that another clause may follow it.
  var isWithinQuery = false
  /// Whether the last clause was a condition, which `and` could continue.
  var endedWithCondition = false
  /// Whether the text ends after a semicolon, where another query could follow.
  var endedWithSemicolon = false
  /// The keyword of the last clause.
  var lastClause: String?
  /// The last parsed field and its namespace, for which values can be completed.
  var lastField: (path: AttributePath, namespace: String?)?
  /// The links before a dot at the end of the text, such as `country` in `country.`.
  var unfinishedPath: [String] = []
  /// The kinds of the names and keywords parsed so far, by their byte offsets, for highlighting.
  var meanings: [Int: QuerySpan.Kind] = [:]
  /// Whether errors get hints that need a search among all known names.
  var givesHints = true
  /// Whether a text without a schema is accepted if any schema could make it valid. Its plan has no
  /// meaning.
  var checksOnlySyntax = false
  /// How many parts the current expression has so far.
  var parts = 0
  /// Names that a later clause must still define, and their errors: sort keys with unknown names,
  /// and links in `fields`.
  var openNames: [(name: String, fault: QueryError)] = []
  /// The columns of the earlier `fields` and `group` clauses, whose names a filter cannot use.
  var namedColumns: [AttributePath] = []
  /// Whether the last condition consists only of a boolean field, as in `filter active`.
  var endedWithBareField = false
  /// Whether the text ends after an expression that `as NAME` could name.
  var endedWithExpression = false
  /// Whether the text ends after a plain path that `as NAME` could name.
  var endedWithPath = false
  /// The number of open braces of nested queries around the current token.
  var openBraces = 0
  /// The offset at which the last condition begins.
  var conditionStart: Int?
  /// Whether the last field has texts, to which operators such as `like` apply.
  var holdsTexts = true
  /// Whether the text ends in the argument of a function that takes only a path.
  var isOnlyPathExpected = false
  /// Whether the text ends after the parenthesis of `count`, where `distinct` could follow.
  var mayBeDistinct = false
  /// The types that fit at the end of an argument; empty if all do.
  var fittingKinds: [ValueKind] = []
  /// The offset at which the right side of the last comparison begins.
  var comparedStart: Int?
  /// The offset at which the operand of the last text operator begins.
  var patternStart: Int?

  /// The numbers of days and of times relative to now so far.
  var (relativeDays, relativeMinutes) = (0, 0)
  /// How many of these are in conditions.
  var relativesInConditions = 0
  /// The texts of the conditions with days and times relative to now, of searches, and of filters
  /// with comments.
  private(set) var typedWords: [TypedPart: String] = [:]

  init(
    _ source: PredicateText, schema: Schema? = nil, namespace: String? = nil,
    time: QueryTime = .now()
  ) throws(QueryError) {
    lexer = try Lexer(source)
    token = Token(kind: .end, start: 0, end: 0)
    self.schema = schema
    self.time = time
    self.namespace = namespace
    token = try lexer.next()
  }

  /// Moves to the next token and returns the current one.
  @discardableResult
  mutating func advance() throws(QueryError) -> Token {
    let taken = token
    end = taken.end
    token = try lexer.next()
    return taken
  }

  /// Records the text of a part whose first token starts at `start`, because its plan does not have
  /// the typed words.
  mutating func recordWords(of part: TypedPart, from start: Int) {
    typedWords[part] = LineComments.onOneLine(
      String(decoding: lexer.bytes[start..<end], as: UTF8.self))
  }

  /// Parses the filter of a query, and records its text if it has comments.
  mutating func filter() throws(QueryError) -> ConditionNode {
    let start = end
    let condition = try predicate()
    guard let namespace, openBraces == 0, token.start <= lexer.bytes.count else { return condition }
    let text = String(decoding: lexer.bytes[start..<token.start], as: UTF8.self)
    if LineComments.areContained(in: text) {
      typedWords[.filter(condition, namespace: namespace)] =
        LineComments.onOneLine(text)
    }
    return condition
  }

  /// Whether the text has days or times outside of conditions, as in `fields year(today)`.
  var hasTimesOutsideConditions: Bool {
    relativeDays + relativeMinutes > relativesInConditions
  }

  /// How long the parsed days and times stay the same, or a shorter time. Nil if there are none.
  var lifetime: Duration? {
    if relativeMinutes > 0 { return QueryTime.untilNextMinute }
    return relativeDays > 0 ? QueryTime.untilNextDay : nil
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

  /// Skips a keyword or its symbol (`and` or `&&`). Returns whether it was there.
  mutating func skip(word: String, or sign: Token.Sign) throws(QueryError) -> Bool {
    guard token.word == word || token.isSign(sign) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ sign: Token.Sign) throws(QueryError) {
    guard try skip(sign) else { throw fault(.words([sign.rawValue])) }
  }

  /// Creates the syntax error that the parser expected something else at the current token.
  func fault(_ expected: Continuation, hint: String? = nil) -> QueryError {
    lexer.fault(at: token.start, expected: expected, hint: hint)
  }

  func fault(at token: Token, _ expected: Continuation, hint: String? = nil) -> QueryError {
    lexer.fault(at: token.start, expected: expected, hint: hint)
  }

  /// Runs `work` one nesting level deeper. Throws a syntax error if the maximum depth is exceeded.
  mutating func nested<Result>(
    _ work: (inout TextParser) throws(QueryError) -> Result
  ) throws(QueryError) -> Result {
    guard depth < Self.maxNestingLevels else {
      throw fault("at most \(Self.maxNestingLevels) levels of nested conditions and queries")
    }
    depth += 1
    let result = try work(&self)
    depth -= 1
    return result
  }

  /// Parses a name. `what` describes it in error messages.
  mutating func name(_ what: Continuation) throws(QueryError) -> Token {
    guard token.name != nil else { throw fault(what) }
    return try advance()
  }

  /// What may follow a complete condition.
  var afterCondition: Continuation {
    .connective(
      isWithinQuery
        ? "'and', 'or', a clause or the end of the query"
        : "'and', 'or' or the end of the condition")
  }
}
