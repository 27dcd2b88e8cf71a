import Triples

/// Reads query text into plans and conditions, one token ahead, by recursive descent.
struct TextParser {
  static let deepestNesting = 200

  var lexer: Lexer
  private(set) var token: Token
  /// Knows the names, when a schema was given.
  let schema: Schema?
  /// The day that `today` names.
  let today: CalendarDay
  /// Whose fields names are, where that is known; follows links into nested queries and quantifiers.
  var namespace: String?
  private var depth = 0
  /// Whether conditions stand within a whole query, so that a clause may follow them.
  var isWithinQuery = false
  /// Whether the clause read last was a condition, which `and` could go on with.
  var endedWithCondition = false
  /// Whether the text ends after a semicolon, where another query could follow.
  var endedWithSemicolon = false
  /// The word of the clause read last.
  var lastClause: String?
  /// The field read last, and whose it is: what a completion of values is about.
  var lastField: (path: AttributePath, namespace: String?)?
  /// The links read of a path that is not finished.
  var unfinishedPath: [String] = []
  /// What the names read so far name, and words that are more than that, by where they begin.
  var meanings: [Int: QuerySpan.Kind] = [:]
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

  /// Goes to the next token and gives the one that was there.
  @discardableResult
  mutating func advance() throws(QueryError) -> Token {
    let taken = token
    token = try lexer.next()
    return taken
  }

  /// The token after this one.
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

  /// A word, or the sign that means the same.
  mutating func skip(word: String, or sign: Token.Sign) throws(QueryError) -> Bool {
    guard token.word == word || token.isSign(sign) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ sign: Token.Sign) throws(QueryError) {
    guard try skip(sign) else { throw fault(sign.rawValue) }
  }

  /// The error that something else should stand here.
  func fault(_ expected: String, hint: String? = nil) -> QueryError {
    lexer.fault(at: token.start, expected: expected, hint: hint)
  }

  func fault(at token: Token, _ expected: String, hint: String? = nil) -> QueryError {
    lexer.fault(at: token.start, expected: expected, hint: hint)
  }

  /// Does `work` one level deeper, refusing what would need too much stack.
  mutating func nested<Result>(
    _ work: (inout TextParser) throws(QueryError) -> Result
  ) throws(QueryError) -> Result {
    guard depth < Self.deepestNesting else {
      throw fault("at most \(Self.deepestNesting) levels of nesting")
    }
    depth += 1
    let result = try work(&self)
    depth -= 1
    return result
  }

  /// A name where only one can stand; `what` says of what.
  mutating func name(_ what: String) throws(QueryError) -> Token {
    guard token.name != nil else { throw fault(what) }
    return try advance()
  }

  /// What may follow a finished condition, in words.
  var afterCondition: String {
    isWithinQuery ? "and, or, a clause, end of text" : "and, or, end of text"
  }
}
