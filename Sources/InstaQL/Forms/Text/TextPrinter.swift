import Triples

/// Writes plans and conditions as query text.
///
/// It writes words instead of symbols (`and`, not `&&`), and only the necessary parentheses.
struct TextPrinter {
  private(set) var text = ""
  /// The texts of conditions to write as they were typed.
  var typedWords: [TypedPart: String] = [:]
  /// The namespace of the conditions; nil if it is unknown.
  var namespace: String?

  /// The context of a condition, from the weakest to the strongest binding. It determines where
  /// parentheses are needed.
  enum Surrounding: Int, Hashable, Sendable { case whole, conjunction, unary }

  mutating func document(_ document: QueryDocument) {
    if let typed = typedWords[.document(document)] {
      text += typed
      return
    }
    for (place, plan) in document.plans.enumerated() {
      if place > 0 { text += "; " }
      self.plan(plan)
    }
    guard let ruleParams = document.ruleParams else { return }
    if !document.plans.isEmpty { text += "; " }
    text += "$$ruleParams "
    json(.object(ruleParams))
  }

  mutating func plan(_ plan: QueryPlan) {
    text += Words.written(plan.namespace)
    namespace = plan.namespace
    clauses(of: plan)
    namespace = nil
  }

  private mutating func clauses(of plan: QueryPlan) {
    if let condition = plan.condition { filter(condition) }
    namespace = nil
    summary(of: plan)
    if !plan.order.isEmpty {
      clause("order", plan.order.map { written($0, of: plan) }.joined(separator: ", "))
    }
    page(plan.page)
    let paths = plan.fieldPaths
    if let fields = plan.fields {
      let names = fields.enumerated().flatMap { place, name -> [String] in
        guard fields.firstIndex(of: name) == place, let paths = paths[name] else {
          return [written(field: name, of: plan)]
        }
        return paths.map(written)
      }
      clause("fields", fields.isEmpty ? "()" : names.joined(separator: ", "))
    }
    if plan.isDistinct { clause("distinct") }
    if plan.isCount { clause("count") }
    relations(plan.relations.filter { paths[$0.label] == nil })
  }

  private mutating func filter(_ condition: ConditionNode) {
    var inner = self
    inner.text = ""
    inner.condition(condition, within: .whole)
    // A search is a clause, too. A field of that name is not followed by a quote.
    let rest = inner.text.dropFirst("search".count).first { $0 != " " }
    if inner.text.lowercased().hasPrefix("search"), rest == "\"" || rest == "'" {
      clause(inner.text)
    } else {
      clause("filter", inner.text)
    }
  }

  private mutating func summary(of plan: QueryPlan) {
    if !plan.groups.isEmpty {
      clause("group", plan.groups.map(\.writtenColumn).joined(separator: ", "))
    }
    if !plan.aggregates.isEmpty {
      clause("aggregate", plan.aggregates.map(written).joined(separator: ", "))
    }
    if let having = plan.having {
      clause("having")
      condition(having, within: .whole)
    }
  }

  fileprivate func written(_ aggregate: Aggregation) -> String {
    let path = aggregate.path.map(written) ?? ""
    let name = aggregate.hasPlainName ? "" : " as " + Words.written(aggregate.name)
    return aggregate.text(of: path) + name
  }

  private mutating func clause(_ word: String, _ rest: String? = nil) {
    if let last = text.last, last != " " { text += " " }
    text += word
    if let rest { text += " " + rest } else if word == "having" { text += " " }
  }

  /// Returns the text of a sort key. If the fields do not contain a computed column, its expression
  /// is written instead of its name.
  private func written(_ key: OrderKey, of plan: QueryPlan) -> String {
    var name = key.countedLinks.map { "count(\(written($0)))" } ?? written(key.path)
    if plan.fields?.contains(key.path.dotted) != true,
      let column = plan.computed(key.path.dotted)
    {
      name = column.written
    }
    return name + (key.direction == .descending ? " desc" : "")
  }

  /// Returns the text of a field.
  ///
  /// A computed column that is a plain path is always written with its name
  /// (`country.name as name`). Without the name, it would include the linked entity.
  private func written(field name: String, of plan: QueryPlan) -> String {
    if let column = plan.computed(name) {
      guard case .path? = column.expression else { return column.writtenColumn }
      return column.written + " as " + Words.written(name)
    }
    return name == QueryPlan.allFields ? name : Words.written(name)
  }

  private func written(_ path: AttributePath) -> String { path.written }

  private mutating func page(_ page: Page) {
    let counts = [
      ("limit", page.limit), ("offset", page.offset), ("first", page.first), ("last", page.last),
    ]
    for case (let word, let count?) in counts { clause(word, Int64(count).queryText) }
    if let after = page.after { cursor("after", after, page.afterInclusive) }
    if let before = page.before { cursor("before", before, page.beforeInclusive) }
  }

  private mutating func cursor(_ word: String, _ cursor: Cursor, _ isInclusive: Bool) {
    clause(word, TextPrinter.quoted(InstaQLWriter.text(of: cursor.json)))
    if isInclusive { text += " inclusive" }
  }

  private mutating func relations(_ relations: [QueryPlan.Relation]) {
    if relations.isEmpty { return }
    clause("with")
    for (place, relation) in relations.enumerated() {
      text += place > 0 ? ", " : " "
      text += Words.written(relation.label)
      guard !relation.plan.isPlain else { continue }
      text += " { "
      clauses(of: relation.plan)
      text += " }"
    }
  }

  // MARK: Conditions

  mutating func condition(_ node: ConditionNode, within surrounding: Surrounding) {
    if let typed = surrounding == .whole ? typedFilter(node) ?? typed(node) : typed(node) {
      text += typed
      return
    }
    switch node {
    case .any(let parts) where parts.count > 1:
      inParentheses(surrounding != .whole) { $0.join(parts, " or ", .conjunction) }
    case .all(let parts) where parts.count > 1:
      inParentheses(surrounding == .unary) { $0.join($0.joiningDays(parts), " and ", .unary) }
    case .all(let parts): list("all", parts)
    case .any(let parts): list("any", parts)
    case .together(let parts): list("together", parts)
    case .not(let inner): negation(of: inner)
    case .quantified(let quantifier, let link, let inner):
      text += quantifier.spelling + " " + written(link) + " "
      let outer = namespace
      namespace = nil
      inParentheses(true) { $0.condition(inner, within: .whole) }
      namespace = outer
    case .compare, .isIn, .isNull, .compareFields, .idStartsWith, .linkCount: test(node, not: "")
    }
  }

  private func typed(_ node: ConditionNode) -> String? {
    if typedWords.isEmpty { return nil }
    return typedWords[.condition(node)]
      ?? namespace.flatMap { typedWords[.search(node, namespace: $0)] }
  }

  private func typedFilter(_ node: ConditionNode) -> String? {
    if typedWords.isEmpty { return nil }
    return namespace.flatMap { typedWords[.filter(node, namespace: $0)] }
  }

  /// Returns the parts of an `all`, in which two conditions that were typed as one range of days are
  /// one part.
  private func joiningDays(_ parts: [ConditionNode]) -> [ConditionNode] {
    if typedWords.isEmpty { return parts }
    return parts.reduce(into: []) { joined, part in
      if let last = joined.last, case let range = ConditionNode.all([last, part]),
        typedWords[.condition(range)] != nil
      {
        joined[joined.count - 1] = range
      } else {
        joined.append(part)
      }
    }
  }

  private mutating func inParentheses(_ needed: Bool, _ write: (inout TextPrinter) -> Void) {
    if needed { text += "(" }
    write(&self)
    if needed { text += ")" }
  }

  private mutating func join(
    _ parts: [ConditionNode], _ separator: String, _ surrounding: Surrounding
  ) {
    for (place, part) in parts.enumerated() {
      if place > 0 { text += separator }
      condition(part, within: surrounding)
    }
  }

  private mutating func list(_ word: String, _ parts: [ConditionNode]) {
    text += word
    inParentheses(true) { $0.join(parts, ", ", .whole) }
  }

  private mutating func negation(of inner: ConditionNode) {
    switch inner {
    case _ where typed(inner) != nil:
      text += "not "
      condition(inner, within: .unary)
    case .isIn, .compare(_, .like, _), .compare(_, .ilike, _), .compare(_, .matches, _):
      test(inner, not: "not ")
    default:
      text += "not "
      condition(inner, within: .unary)
    }
  }

  private mutating func test(_ leaf: ConditionNode, not: String) {
    switch leaf {
    case .compare(let path, let comparison, let value):
      text += "\(written(path)) \(not)\(comparison.spelling) "
      if comparison == .matches, case .text(let pattern) = value {
        text += TextPrinter.quoted(regularExpression: pattern)
      } else {
        operand(value, isPattern: comparison.isPattern)
      }
    case .isIn(let path, let values):
      text += "\(written(path)) \(not)in ("
      for (place, value) in values.enumerated() {
        if place > 0 { text += ", " }
        if value == .null { text += "null" } else { operand(value, isPattern: false) }
      }
      text += ")"
    case .isNull(let path, let isNull):
      text += "\(written(path)) is \(isNull ? "" : "not ")null"
    case .compareFields(let path, let comparison, let other):
      text += "\(written(path)) \(comparison.spelling) "
      var isPath = other.expression == nil
      if case .path? = other.expression { isPath = true }
      text += isPath ? "field(\(written(other)))" : written(other)
    case .idStartsWith(let links, let prefix):
      text += written(AttributePath(links + [ConditionNode.idStartsWithKey])) + " = "
      text += TextPrinter.quoted(prefix)
    case .linkCount(let links, let comparison, let count):
      text += "count(\(written(links))) \(comparison.spelling) \(Int64(count).queryText)"
    case .all, .any, .together, .not, .quantified: condition(leaf, within: .unary)
    }
  }

  // MARK: Values

  private mutating func operand(_ value: Value, isPattern: Bool) {
    switch value {
    case .null: json(value)
    case .integer(let number) where !isPattern: text += number.queryText
    case .bool, .integer, .double, .text, .array, .object:
      text += Self.operand(value, isPattern: isPattern)
    }
  }

  /// Returns a value as it is written in an expression, whose text can be the name of a column.
  static func operand(_ value: Value, isPattern: Bool) -> String {
    switch value {
    case .text(let content): quoted(content, isPattern: isPattern)
    case .bool(let flag) where !isPattern: flag ? "true" : "false"
    case .integer(let number) where !isPattern: String(number)
    case .double(let number) where !isPattern: number.description
    case .null where !isPattern: "null"
    case .null, .bool, .integer, .double, .array, .object: json(value)
    }
  }

  private mutating func json(_ value: Value) { text += Self.json(value) }

  private static func json(_ value: Value) -> String {
    "json " + quoted(InstaQLWriter.text(of: value))
  }

  /// Returns a regular expression in quotes. Its backslashes stay unchanged, and only the quote is
  /// escaped.
  static func quoted(regularExpression pattern: String) -> String {
    let quote: Unicode.Scalar = pattern.unicodeScalars.contains("\"") ? "'" : "\""
    var out = String.UnicodeScalarView([quote])
    var isEscaped = false
    var previous: Unicode.Scalar?
    for scalar in pattern.unicodeScalars {
      if scalar == quote {
        // A backslash already precedes this quote, so the quote is written as the escape of its
        // code point.
        if isEscaped { out.removeLast() }
        out.append(contentsOf: (isEscaped ? "\\u{27}" : "\\" + String(quote)).unicodeScalars)
      } else if isHarmless(scalar, after: previous) {
        out.append(scalar)
      } else {
        if isEscaped { out.removeLast() }
        out.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
      isEscaped = scalar == "\\" && !isEscaped
      previous = scalar
    }
    out.append(quote)
    return String(out)
  }

  /// Returns `content` in quotes. If it is a pattern, the escapes `\%` and `\_` are kept.
  static func quoted(_ content: String, isPattern: Bool = false) -> String {
    // Most strings, and all ids, need no escapes.
    let isPlain = content.utf8.allSatisfy {
      (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return "\"" + content + "\"" }
    // A string that contains double quotes, such as JSON, is more readable in single quotes.
    let quote: Unicode.Scalar = content.utf8.contains(UInt8(ascii: "\"")) ? "'" : "\""
    var out = String.UnicodeScalarView()
    out.append(quote)
    let scalars = Array(content.unicodeScalars)
    var place = 0
    while place < scalars.count {
      let scalar = scalars[place]
      place += 1
      switch scalar {
      case quote: out.append(contentsOf: ["\\", quote])
      case "\n": out.append(contentsOf: "\\n".unicodeScalars)
      case "\r": out.append(contentsOf: "\\r".unicodeScalars)
      case "\t": out.append(contentsOf: "\\t".unicodeScalars)
      case "\\"
      where isPattern && place < scalars.count && "%_".unicodeScalars.contains(scalars[place]):
        out.append(contentsOf: ["\\", scalars[place]])
        place += 1
      case "\\": out.append(contentsOf: "\\\\".unicodeScalars)
      default:
        if isHarmless(scalar, after: place > 1 ? scalars[place - 2] : nil) {
          out.append(scalar)
        } else {
          out.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
        }
      }
    }
    out.append(quote)
    return String(out)
  }

  /// Returns whether terminals show a character as it is, so that a person who reads it can type it.
  ///
  /// Flags are shown as letters and skin tones as shades. Variation selectors are invisible, as are
  /// joiners between emoji. In other texts, joiners belong to the spelling.
  private static func isHarmless(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?
  ) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F }
    switch scalar.value {
    case 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF, 0xFE00...0xFE0F: return false
    case 0x200C, 0x200D:
      return previous.map { !$0.properties.isEmoji && !$0.properties.isVariationSelector } ?? false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
      return false
    default: return true
    }
  }
}

extension Aggregation {
  /// The aggregate as query text: `sum(salary) as cost`.
  package var text: String { TextPrinter().written(self) }
}
