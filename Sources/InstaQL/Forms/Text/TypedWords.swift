package import Triples

/// Parts of queries as the user typed them, which a plan does not have: days and times relative to
/// now (`due < today`), searches (`search "Paris"`) and comments.
///
/// A plan has the dates at the time when such a condition was parsed, and a comparison for each
/// field of a search. A text that is parsed again later, such as a saved query, needs the typed
/// words.
package struct TypedWords: Hashable, Sendable {
  private var texts: [TypedPart: String] = [:]
  /// The parts, from the oldest to the newest; those of one text by their words.
  private var parts: [TypedPart] = []

  /// The maximum number of parts. The oldest ones are forgotten, and written without their words.
  package static let maxCount = 500

  package init() {}

  /// Adds the parts of a text.
  ///
  /// - Parameter scope: The namespace, if the text is only a condition; nil for complete queries.
  package mutating func add(_ text: String, scope: String? = nil, schema: Schema) {
    guard text.first(where: { !$0.isWhitespace }) != "{", Self.mayHaveWords(text),
      var parser = try? TextParser(PredicateText(typed: text), schema: schema, namespace: scope)
    else { return }
    parser.givesHints = false
    if scope == nil {
      let document = try? parser.document()
      add(parser, document, text)
    } else {
      _ = try? parser.filter()
      add(parser.typedWords)
    }
  }

  /// Adds the parts of parsed queries, and their whole text if it has more than their plans.
  private mutating func add(_ parser: TextParser, _ document: QueryDocument?, _ text: String) {
    var found = parser.typedWords
    if let document, parser.hasTimesOutsideConditions || LineComments.areContained(in: text) {
      found[.document(document)] = LineComments.onOneLine(text)
    }
    add(found)
  }

  private mutating func add(_ found: [TypedPart: String]) {
    if found.isEmpty { return }
    parts.removeAll { found[$0] != nil }
    parts += found.sorted { $0.value < $1.value }.map(\.key)
    texts.merge(found) { $1 }
    let added = Set(found.values)
    while parts.count > Self.maxCount {
      // Parts with the same words, but for an earlier time, are forgotten first.
      let place = parts.firstIndex { found[$0] == nil && texts[$0].map(added.contains) == true }
      texts[parts.remove(at: place ?? 0)] = nil
    }
  }

  /// Returns a query with its days and times as of now, whose parts are added, too. Nil if the query
  /// has no days or times in words.
  package mutating func renew(_ plan: QueryPlan, schema: Schema) -> RenewedQuery? {
    if texts.isEmpty { return nil }
    let text = text(of: QueryDocument(plan))
    guard Self.mayHaveWords(text),
      var parser = try? TextParser(PredicateText(typed: text), schema: schema)
    else { return nil }
    parser.givesHints = false
    guard let document = try? parser.document(), let lifetime = parser.lifetime else { return nil }
    add(parser, document, text)
    return document.plans.first.map { RenewedQuery(plan: $0, lifetime: lifetime) }
  }

  /// Returns whether a text contains a word for days or times, a search or a comment. Most texts have
  /// none, and are not parsed.
  private static func mayHaveWords(_ text: String) -> Bool {
    let lowered = text.lowercased()
    return (TextParser.timeWords + TextParser.spanWords + ["ago", "from", "search", "--", "/*"])
      .contains { lowered.contains($0) }
  }

  /// Returns the queries as text, with the added parts as they were typed.
  package func text(of document: QueryDocument) -> String {
    var printer = TextPrinter()
    printer.typedWords = texts
    printer.document(document)
    return printer.text
  }

  /// Returns a condition on the entities of a namespace as text, with the added parts as they were
  /// typed.
  package func text(of condition: ConditionNode, in namespace: String) -> String {
    var printer = TextPrinter()
    printer.typedWords = texts
    printer.namespace = namespace
    printer.condition(condition, within: .whole)
    return printer.text
  }
}

extension QueryDocument {
  /// Returns how long the days and times in a query text stay the same, or a shorter time. Nil if
  /// there are none.
  package static func lifetime(ofText text: String, schema: Schema?) -> Duration? {
    guard text.first(where: { !$0.isWhitespace }) != "{",
      var parser = try? TextParser(PredicateText(typed: text), schema: schema),
      (try? parser.document()) != nil
    else { return nil }
    return parser.lifetime
  }
}

/// A query with days or times as of now.
package struct RenewedQuery: Sendable {
  package let plan: QueryPlan
  /// How long the days and times in the query stay the same, or a shorter time.
  package let lifetime: Duration
}
