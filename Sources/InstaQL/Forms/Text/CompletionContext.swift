import Triples

/// Finds the words, names and values that may follow an incomplete query text.
struct CompletionContext {
  private enum Sort {
    case namespace, field, link, value, afterField, afterCount, afterCondition, clause, listed
  }

  private var sort = Sort.namespace
  private var namespace: String?
  private var words: [String] = []
  /// A description of what must follow, such as `a whole number`; nil if candidates are listed.
  private(set) var description: String?
  private var kind: ValueKind?
  private var isOrder = false
  /// Whether a condition may begin at the end of the text.
  private var isCondition = false
  /// Whether a computed value may begin at the end of the text. It may not after a dot.
  private var isComputable = false
  /// Whether the text ends after a path to many entities, whose number may be a value.
  private var isCountable = false
  /// Whether the text ends after a comparison, and not in a list or range of values.
  private var isCompared = false
  /// Whether the text ends after an operator such as `like`, which a part of a value may follow.
  private(set) var isPattern = false
  /// The types of the fields that fit at the end of the text; empty if all do.
  private var fittingKinds: [ValueKind] = []
  /// Whether the last field has texts.
  private var holdsTexts = true
  /// What may follow only here, such as all fields or the time of creation.
  private var others: [Candidate] = []
  /// The columns that a `having` condition may name. Nil if the text does not end in a `having`
  /// condition.
  private var columns: [(name: String, kind: ValueKind?)]?
  private(set) var valuesOf: QueryCompletion.Field?
  /// Whether the text ends after a field, so that a comparison must precede a value.
  var isUncompared: Bool { sort == .afterField }
  /// The offset of a text without quotes where a value must be; nil if there is none.
  private(set) var unquotedStart: Int?
  /// The path to JSON objects whose keys may follow; nil if no key may follow.
  private(set) var keysOf: QueryCompletion.Field?
  private let isQuery: Bool
  /// Whether the text ends within the braces of a nested query.
  private var isNested = false
  /// Whether the text ends after an expression that `as NAME` could name.
  private var isNameable = false
  /// Whether the text ends after a plain path that `as NAME` could name.
  private var isPathNameable = false

  init(_ before: String, scope: String?, schema: Schema) {
    isQuery = scope == nil
    do throws(QueryError) {
      var parser = try TextParser(
        PredicateText(typed: before), schema: schema, namespace: scope)
      parser.givesHints = false
      do throws(QueryError) {
        if scope == nil { _ = try parser.document() } else { _ = try parser.predicate() }
        classify(parser, nil)
      } catch {
        classify(parser, error)
      }
    } catch {
      sort = .listed
    }
  }

  private mutating func classify(_ parser: TextParser, _ error: QueryError?) {
    namespace = parser.namespace
    isOrder = parser.lastClause == "order"
    isCondition = parser.conditionStart == parser.token.start
    isCompared = parser.comparedStart == parser.token.start
    isPattern = parser.patternStart == parser.token.start
    holdsTexts = parser.holdsTexts
    columns = parser.columns
    isNested = parser.openBraces > 0
    fittingKinds = parser.fittingKinds
    isNameable = parser.endedWithExpression
    isPathNameable = parser.endedWithPath
    if parser.endedWithSemicolon { return }
    // Some fields are no complete condition, so that only a comparison may follow.
    if parser.endedWithBareField, error == nil || parser.token.kind == .end {
      sort = .afterField
      readField(parser)
      return
    }
    guard case .syntax(let fault)? = error else {
      sort = isQuery && !parser.endedWithCondition ? .clause : .afterCondition
      return
    }
    guard fault.offset == parser.lexer.bytes.count else {
      sort = .listed
      if case .value = fault.continuation { unquotedStart = fault.offset }
      // A value may be typed directly after a field, without a comparison.
      if parser.endedWithBareField { unquotedStart = fault.offset }
      return
    }
    read(fault.continuation, parser)
  }

  private static let computedClauses: Set<String> = ["order", "fields", "group", "aggregate"]
  private static let conditionClauses: Set<String> = ["filter", "where", "search", "having"]

  private mutating func read(_ expected: Continuation, _ parser: TextParser) {
    switch expected {
    case .namespace: sort = .namespace
    case .field:
      sort = .field
      let clause = parser.lastClause ?? ""
      let isComputed =
        !isQuery || Self.conditionClauses.contains(clause) || Self.computedClauses.contains(clause)
      isComputable =
        isComputed && parser.unfinishedPath.isEmpty && !parser.isOnlyPathExpected
      others = Self.others(in: clause, parser)
      for label in parser.unfinishedPath {
        let link = namespace.flatMap { parser.schema?.link($0, label) }
        if link == nil, let owner = parser.namespace, isJSON(label, parser.schema) {
          keysOf = QueryCompletion.Field(
            namespace: owner, path: AttributePath(parser.unfinishedPath))
          isCountable = false
        }
        if link?.cardinality == .many { isCountable = parser.lastClause != "aggregate" }
        namespace = link?.target
      }
    case .link: sort = .link
    case .value:
      sort = .value
      readField(parser)
    case .countComparison: sort = .afterCount
    case .connective: sort = .afterCondition
    case .clause: sort = .clause
    case .words(let words, _): (sort, self.words) = (.listed, words)
    case .fieldOf, .other: (sort, description) = (.listed, expected.text)
    case .earlier: sort = .listed
    }
  }

  /// Reads the field that precedes a value.
  private mutating func readField(_ parser: TextParser) {
    guard let field = parser.lastField, let owner = field.namespace else { return }
    // A link is compared with the names of its targets.
    let name = parser.isLink(field.path) ? parser.uniqueName(at: field.path) : nil
    valuesOf = QueryCompletion.Field(
      namespace: owner, path: AttributePath(field.path.labels + [name].compactMap { $0 }))
    kind = parser.schema.flatMap { Self.kind(of: field.path, in: owner, $0) }
  }

  /// Returns what is no field or function, but may begin a field of this clause.
  private static func others(in clause: String, _ parser: TextParser) -> [Candidate] {
    if parser.mayBeDistinct {
      return [
        Candidate(
          text: "distinct", kind: .keyword, note: "the number of different values", needsWord: true)
      ]
    }
    // Within an expression, more than one part was read.
    guard parser.unfinishedPath.isEmpty, parser.parts <= 1 else { return [] }
    switch clause {
    case "fields": return [Candidate(text: "*", kind: .punctuation, note: "all fields")]
    case "order":
      let creation = OrderKey.creation.label
      return [Candidate(text: creation, kind: .attribute, note: "the time of creation")]
    default: return []
    }
  }

  /// Returns whether a label is an attribute that may contain JSON.
  private func isJSON(_ label: String, _ schema: Schema?) -> Bool {
    guard columns == nil, let namespace, let attribute = schema?.attribute(namespace, label) else {
      return false
    }
    return attribute.valueType == .blob && attribute.checkedType == nil && !attribute.isIdentity
  }

  private static func kind(
    of path: AttributePath, in namespace: String, _ schema: Schema
  ) -> ValueKind? {
    let owner = schema.namespace(from: namespace, along: path.links)
    return switch owner.flatMap({ schema.attribute($0, path.label) })?.checkedType {
    case .boolean: .boolean
    case .date: .date
    case .string, .number, nil: nil
    }
  }
}

extension CompletionContext {
  typealias Candidate = QueryCompletion.Candidate

  /// Returns the candidates.
  ///
  /// - Parameter isWordBegun: Whether the user has begun to type a word. Some words are offered only
  ///   then, because there are many more values than uses of them.
  func candidates(_ schema: Schema, isWordBegun: Bool) -> [Candidate] {
    switch sort {
    case .namespace:
      return schema.namespaces.map {
        name($0, .namespace, "\(schema.attributes(of: $0).count) attributes")
      }
    case .field:
      if let columns {
        return columns.map {
          let name = AttributePath($0.name).labels.map(Words.written).joined(separator: ".")
          return Candidate(text: name, kind: .attribute, note: $0.kind?.rawValue ?? "")
        } + (isCondition ? [keyword("not", "groups that do not match")] : [])
          + (isComputable ? valueFunctions + aggregates(besides: columns.map(\.name)) : [])
      }
      return fields(schema) + links(schema) + (isCondition ? conditionWords : [])
        + (isComputable ? functions : []) + (fittingKinds == [.date] ? times : []) + others
        + (isCountable
          ? [Candidate(text: "count", kind: .function, note: "the number of linked rows")] : [])
    case .link: return links(schema)
    case .value:
      return values + (isWordBegun && isCompared ? comparedWords : [])
    case .afterField:
      return comparisons(WhereOperator.allCases.filter { holdsTexts || $0.operand != .text })
        + connectives + clauses
    case .afterCount:
      return comparisons(
        WhereOperator.allCases.filter { [.value, .list, .pair].contains($0.operand) })
    case .afterCondition: return connectives + clauses
    case .clause: return clauses
    case .listed:
      return words.filter { $0.allSatisfy { $0.isLetter || $0 == " " } }.map {
        Candidate(
          text: $0, kind: .keyword, note: Self.note(of: $0), needsWord: Words.continued.contains($0)
        )
      }
    }
  }

  private static func note(of word: String) -> String {
    Words.functionHelp[word] ?? Words.spanHelp[word] ?? Words.furtherHelp[word]
      ?? WhereOperator.allCases.first { $0.spelling == word }?.help ?? ""
  }

  private var values: [Candidate] {
    switch kind {
    case .boolean:
      ["true", "false"].map {
        Candidate(text: $0, kind: .boolean, note: Words.furtherHelp[$0] ?? "")
      }
    case .date: times
    case .text, .number, .link, nil: []
    }
  }

  /// The words that are a day or a time by themselves.
  private var times: [Candidate] { Words.timeHelp.map { keyword($0.word, $0.help) } }

  /// The words that may begin a value other than a constant.
  private var comparedWords: [Candidate] {
    Words.comparedHelp.filter { $0.word == "field" || kind == nil || $0.word == kind?.rawValue }
      .map { Candidate(text: $0.word, kind: .function, note: $0.help) }
  }

  private func comparisons(_ operators: [WhereOperator]) -> [Candidate] {
    operators.map {
      Candidate(
        text: $0.spelling, kind: .comparison, note: $0.help,
        needsWord: Words.continued.contains($0.spelling))
    }
  }

  /// The words that may begin a condition.
  private var conditionWords: [Candidate] {
    Words.conditionHelp.map { keyword($0.word, $0.help) } + [
      name(ConditionNode.idStartsWithKey, .attribute, "the start of the id")
    ]
  }

  /// The functions on values, such as `lower`, and the aggregates of linked entities.
  private var functions: [Candidate] {
    let known = isCondition ? Set(Words.conditionHelp.map(\.word)) : []
    return valueFunctions
      + Words.linkedHelp.filter { !known.contains($0.word) }.map {
        Candidate(text: $0.word, kind: .function, note: $0.help)
      }
  }

  /// The aggregates of the groups, without those that have the name of a column.
  private func aggregates(besides columns: [String]) -> [Candidate] {
    Aggregation.Function.allCases.map(\.rawValue).compactMap { word in
      guard let help = Words.functionHelp[word], !columns.contains(word) else { return nil }
      return Candidate(text: word, kind: .function, note: help)
    }
  }

  private var valueFunctions: [Candidate] {
    Words.valueHelp.map { Candidate(text: $0.word, kind: .function, note: $0.help) }
  }

  private var connectives: [Candidate] { Words.connectiveHelp.map { keyword($0.word, $0.help) } }

  /// The clauses that only the outermost query can have.
  private static let outerClauses: Set<String> = ["group", "aggregate", "having", "distinct"]

  private var clauses: [Candidate] {
    guard isQuery else { return [] }
    let directions = isOrder ? ["desc", "asc"] : []
    let naming = keyword("as", "name the column: as NAME")
    return (isNameable ? [naming] : [])
      + directions.map { keyword($0, Words.furtherHelp[$0] ?? "") }
      + Words.clauses.filter { $0 != "where" && !(isNested && Self.outerClauses.contains($0)) }
      .map { keyword($0, Words.clauseHelp[$0] ?? "") } + (isPathNameable ? [naming] : [])
  }

  private func keyword(_ text: String, _ note: String) -> Candidate {
    Candidate(
      text: text, kind: .keyword, note: note, needsWord: Words.continued.contains(text))
  }

  private func name(_ name: String, _ kind: QuerySpan.Kind, _ note: String) -> Candidate {
    Candidate(text: Words.written(name), kind: kind, note: note)
  }

  private func fields(_ schema: Schema) -> [Candidate] {
    let fitting = schema.attributes(of: namespace ?? "").filter {
      // Ids are strings, although their type is not declared.
      guard !fittingKinds.isEmpty, let type = $0.checkedType ?? ($0.isIdentity ? .string : nil)
      else { return true }
      return fittingKinds.contains(ValueKind(type))
    }
    return fitting.map {
      let type = $0.checkedType?.rawValue ?? $0.inferredTypes?.first ?? "any"
      // The attribute's name, with its type as the description.
      return name($0.label, .attribute, type == "string" ? "text" : type)
    }
  }

  private func links(_ schema: Schema) -> [Candidate] {
    schema.links(of: namespace ?? "").map { link in
      name(link.label, .link, (link.cardinality == .one ? "→ " : "⇉ ") + link.target)
    }
  }
}
