public import Triples

extension ConditionNode {
  /// Parses a condition from text: `population > 1_000_000 and country.name = "France"`.
  ///
  /// With a schema and a namespace, names and types of values are checked, too.
  /// - Throws: `QueryError.syntax` with the position of the first error.
  public init(
    parsing text: String, of namespace: String? = nil, schema: Schema? = nil
  ) throws(QueryError) {
    try self.init(parsing: text, of: namespace, schema: schema, givesHints: true)
  }

  /// Parses a condition from text.
  ///
  /// - Parameter givesHints: Whether errors get hints that need a search among all known names. A text
  ///   that the user is still typing needs none.
  package init(
    parsing text: String, of namespace: String?, schema: Schema?, givesHints: Bool
  ) throws(QueryError) {
    self = try Self.parsed(PredicateText(typed: text), namespace, schema, givesHints)
  }

  /// Parses a condition that is written in a program, with bound values.
  /// - Throws: `QueryError.syntax` with the position of the first error.
  public init(
    _ text: PredicateText, of namespace: String? = nil, schema: Schema? = nil
  ) throws(QueryError) {
    self = try Self.parsed(text, namespace, schema, true)
  }

  private static func parsed(
    _ text: PredicateText, _ namespace: String?, _ schema: Schema?, _ givesHints: Bool
  ) throws(QueryError) -> ConditionNode {
    var parser = try TextParser(text, schema: schema, namespace: namespace)
    parser.givesHints = givesHints
    do throws(QueryError) {
      let condition = try parser.predicate()
      if parser.token.kind == .end { return condition }
      let known = parser.endedWithBareField ? Words.comparisons : ["and", "or"]
      throw parser.fault(
        parser.afterCondition, hint: parser.token.word.flatMap { Words.hint($0, among: known) })
    } catch {
      throw parser.naming(error)
    }
  }

  /// The condition as query text. Parsing it gives an equal condition.
  public var text: String {
    var printer = TextPrinter()
    printer.condition(self, within: .whole)
    return printer.text
  }
}

extension QueryPlan {
  /// Adds a condition written in a program, with bound values; see `PredicateText`.
  /// - Throws: `QueryError.syntax` with the position of the first error.
  public func filter(_ text: PredicateText) throws(QueryError) -> QueryPlan {
    filter(try ConditionNode(text))
  }

  /// Adds a condition entered by a user.
  /// - Throws: `QueryError.syntax` with the position of the first error.
  public func filter(parsing text: String) throws(QueryError) -> QueryPlan {
    filter(try ConditionNode(parsing: text))
  }

  /// The plan as query text.
  public var text: String {
    var printer = TextPrinter()
    printer.plan(self)
    return printer.text
  }
}

extension QueryDocument {
  /// Parses queries from text, or from InstaQL JSON if the text begins with `{`.
  ///
  /// With a schema, names and types of values are checked, too.
  /// - Throws: `QueryError.syntax` with the position of the first error, or errors of parsing
  ///   JSON.
  public init(text: String, schema: Schema? = nil) throws(QueryError) {
    try self.init(text: text, schema: schema, givesHints: true)
  }

  /// Parses queries from text, or from InstaQL JSON if the text begins with `{`.
  ///
  /// - Parameter givesHints: Whether errors get hints that need a search among all known names. A text
  ///   that the user is still typing needs none.
  package init(text: String, schema: Schema?, givesHints: Bool) throws(QueryError) {
    if text.first(where: { !$0.isWhitespace }) == "{" {
      try self.init(json: text, schema: schema)
      return
    }
    var parser = try TextParser(PredicateText(typed: text), schema: schema)
    parser.givesHints = givesHints
    self = try parser.document()
  }

  /// Checks the syntax of a text before the schema of its store is known.
  ///
  /// Accepts any text that some schema makes valid, such as `search "Paris"`.
  package static func checkSyntax(of text: String) throws(QueryError) {
    if text.first(where: { !$0.isWhitespace }) == "{" {
      _ = try QueryDocument(text: text)
      return
    }
    var parser = try TextParser(PredicateText(typed: text))
    parser.checksOnlySyntax = true
    _ = try parser.document()
  }

  /// Parses JSON entered by a user.
  ///
  /// If InstaQL can express the query, the query is also checked against the schema.
  private init(json text: String, schema: Schema?) throws(QueryError) {
    let query = try InstaQLReader.value(ofJSON: Array(text.utf8))
    try self.init(instaQL: query)
    if let schema, (try? instaQL()) != nil {
      try QueryValidator(schema: schema, refusesMisreadDates: true).validate(query)
    }
  }

  /// The queries as text on one line. Parsing it gives an equal document.
  public var text: String {
    var printer = TextPrinter()
    printer.document(self)
    return printer.text
  }
}
