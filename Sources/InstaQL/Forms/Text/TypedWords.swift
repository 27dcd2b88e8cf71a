package import Triples

/// Conditions as the user typed them, with days relative to today (`due < today`) or as a search
/// (`search "Paris"`).
///
/// A plan has the dates of the day on which such a condition was parsed, and a comparison for each
/// field of a search. A text that is parsed again later, such as a saved query, needs the typed
/// words.
package struct TypedWords: Hashable, Sendable {
  private var texts: [TypedCondition: String] = [:]
  /// The conditions, from the oldest to the newest; those of one text by their words.
  private var conditions: [TypedCondition] = []

  /// The maximum number of conditions. The oldest ones are forgotten, and written without their
  /// words.
  package static let maxCount = 500

  package init() {}

  /// Adds the conditions of a text.
  ///
  /// - Parameter scope: The namespace, if the text is only a condition; nil for complete queries.
  package mutating func add(_ text: String, scope: String? = nil, schema: Schema) {
    guard text.first(where: { !$0.isWhitespace }) != "{", Self.mayHaveWords(text),
      var parser = try? TextParser(PredicateText(typed: text), schema: schema, namespace: scope)
    else { return }
    parser.givesHints = false
    if scope == nil { _ = try? parser.document() } else { _ = try? parser.predicate() }
    if parser.typedWords.isEmpty { return }
    conditions.removeAll { parser.typedWords[$0] != nil }
    conditions += parser.typedWords.sorted { $0.value < $1.value }.map(\.key)
    texts.merge(parser.typedWords) { $1 }
    let rest = max(0, conditions.count - Self.maxCount)
    for condition in conditions.prefix(rest) { texts[condition] = nil }
    conditions.removeFirst(rest)
  }

  /// Returns whether a text contains a word for days or a search. Most texts have none, and are not
  /// parsed.
  private static func mayHaveWords(_ text: String) -> Bool {
    let lowered = text.lowercased()
    return (TextParser.timeWords + TextParser.spanWords + ["ago", "from", "search"]).contains {
      lowered.contains($0)
    }
  }

  /// Returns the queries as text, with the added conditions as they were typed.
  package func text(of document: QueryDocument) -> String {
    var printer = TextPrinter()
    printer.typedWords = texts
    printer.document(document)
    return printer.text
  }

  /// Returns a condition on the entities of a namespace as text, with the added conditions as they
  /// were typed.
  package func text(of condition: ConditionNode, in namespace: String) -> String {
    var printer = TextPrinter()
    printer.typedWords = texts
    printer.namespace = namespace
    printer.condition(condition, within: .whole)
    return printer.text
  }
}
