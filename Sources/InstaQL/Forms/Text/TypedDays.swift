package import Triples

/// Conditions with days relative to today, such as `due < today`, as the user typed them.
///
/// A plan has the dates of the day on which such a condition was parsed. A text that is parsed again
/// later, such as a saved query, needs the typed words.
package struct TypedDays: Hashable, Sendable {
  private var texts: [ConditionNode: String] = [:]

  package init() {}

  /// Adds the conditions of a text.
  ///
  /// - Parameter scope: The namespace, if the text is only a condition; nil for complete queries.
  package mutating func add(_ text: String, scope: String? = nil, schema: Schema) {
    guard text.first(where: { !$0.isWhitespace }) != "{",
      var parser = try? TextParser(PredicateText(typed: text), schema: schema, namespace: scope)
    else { return }
    parser.givesHints = false
    if scope == nil { _ = try? parser.document() } else { _ = try? parser.predicate() }
    texts.merge(parser.typedDays) { $1 }
  }

  /// Returns the queries as text, with the added conditions as they were typed.
  package func text(of document: QueryDocument) -> String {
    var printer = TextPrinter()
    printer.typedDays = texts
    printer.document(document)
    return printer.text
  }
}
