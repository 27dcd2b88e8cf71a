package import Triples

/// Conditions with days relative to today, such as `due < today`, as the user typed them.
///
/// A plan has the dates of the day on which such a condition was parsed. A text that is parsed again
/// later, such as a saved query, needs the typed words.
package struct TypedDays: Hashable, Sendable {
  private var texts: [ConditionNode: String] = [:]
  /// The conditions, from the oldest to the newest; those of one text by their words.
  private var conditions: [ConditionNode] = []

  /// The maximum number of conditions. The oldest ones are forgotten, and keep their dates.
  package static let maxCount = 500

  package init() {}

  /// Adds the conditions of a text.
  ///
  /// - Parameter scope: The namespace, if the text is only a condition; nil for complete queries.
  package mutating func add(_ text: String, scope: String? = nil, schema: Schema) {
    guard text.first(where: { !$0.isWhitespace }) != "{", Self.mayHaveDays(text),
      var parser = try? TextParser(PredicateText(typed: text), schema: schema, namespace: scope)
    else { return }
    parser.givesHints = false
    if scope == nil { _ = try? parser.document() } else { _ = try? parser.predicate() }
    if parser.typedDays.isEmpty { return }
    conditions.removeAll { parser.typedDays[$0] != nil }
    conditions += parser.typedDays.sorted { $0.value < $1.value }.map(\.key)
    texts.merge(parser.typedDays) { $1 }
    let rest = max(0, conditions.count - Self.maxCount)
    for condition in conditions.prefix(rest) { texts[condition] = nil }
    conditions.removeFirst(rest)
  }

  /// Returns whether a text contains a word for days. Most texts have none, and are not parsed.
  private static func mayHaveDays(_ text: String) -> Bool {
    let lowered = text.lowercased()
    return (TextParser.dayWords + TextParser.spanWords + ["ago", "from"]).contains {
      lowered.contains($0)
    }
  }

  /// Returns the queries as text, with the added conditions as they were typed.
  package func text(of document: QueryDocument) -> String {
    var printer = TextPrinter()
    printer.typedDays = texts
    printer.document(document)
    return printer.text
  }
}
