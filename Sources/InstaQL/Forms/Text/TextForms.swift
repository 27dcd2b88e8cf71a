public import Triples

extension ConditionNode {
  /// Reads a condition as a person types it: `population > 1_000_000 and country.name = "France"`.
  ///
  /// With a schema and a namespace, names and kinds of values are checked too.
  /// - Throws: `QueryError.syntax` with the place of the first mistake.
  public init(
    parsing text: String, of namespace: String? = nil, schema: Schema? = nil
  ) throws(QueryError) {
    self = try Self.parsed(PredicateText(typed: text), namespace, schema)
  }

  /// Reads a condition written in the program, with its values bound.
  /// - Throws: `QueryError.syntax` with the place of the first mistake.
  public init(
    _ text: PredicateText, of namespace: String? = nil, schema: Schema? = nil
  ) throws(QueryError) {
    self = try Self.parsed(text, namespace, schema)
  }

  private static func parsed(
    _ text: PredicateText, _ namespace: String?, _ schema: Schema?
  ) throws(QueryError) -> ConditionNode {
    var parser = try TextParser(text, schema: schema, namespace: namespace)
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

  /// The condition as a person would type it; reading it gives an equal tree.
  public var text: String {
    var printer = TextPrinter()
    printer.condition(self, within: .whole)
    return printer.text
  }
}

extension QueryPlan {
  /// Adds the condition of a text written in the program; see `PredicateText`.
  /// - Throws: `QueryError.syntax` with the place of the first mistake.
  public func filter(_ text: PredicateText) throws(QueryError) -> QueryPlan {
    filter(try ConditionNode(text))
  }

  /// Adds the condition that a person typed.
  /// - Throws: `QueryError.syntax` with the place of the first mistake.
  public func filter(parsing text: String) throws(QueryError) -> QueryPlan {
    filter(try ConditionNode(parsing: text))
  }

  /// The plan as a person would type it.
  public var text: String {
    var printer = TextPrinter()
    printer.plan(self)
    return printer.text
  }
}

extension QueryDocument {
  /// Reads queries as a person types them, or InstaQL JSON when the text begins with `{`.
  ///
  /// With a schema, names and kinds of values are checked too.
  /// - Throws: `QueryError.syntax` with the place of the first mistake, or what reading JSON throws.
  public init(text: String, schema: Schema? = nil) throws(QueryError) {
    if text.first(where: { !$0.isWhitespace }) == "{" {
      try self.init(json: text, schema: schema)
      return
    }
    var parser = try TextParser(PredicateText(typed: text), schema: schema)
    self = try parser.document()
  }

  /// JSON that a person typed; what only a local plan can say is not checked against the schema.
  private init(json text: String, schema: Schema?) throws(QueryError) {
    let query = try InstaQLReader.value(ofJSON: Array(text.utf8))
    try self.init(instaQL: query)
    if let schema, (try? instaQL()) != nil {
      try QueryValidator(schema: schema, refusesMisreadDates: true).validate(query)
    }
  }

  /// The queries as a person would type them, on one line; reading it gives an equal document.
  public var text: String {
    var printer = TextPrinter()
    printer.document(self)
    return printer.text
  }
}
