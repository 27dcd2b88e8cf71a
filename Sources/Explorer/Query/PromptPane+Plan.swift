import InstaQL
import Triples
import Widgets

extension PromptPane.Purpose {
  /// Returns the text of the query or the clause; nil if the plan does not have it.
  ///
  /// - Parameters:
  ///   - words: The conditions that are written as they were typed.
  ///   - catalog: The catalog with labels for entities that the query identifies by id.
  func text(in plan: QueryPlan, words: TypedWords, _ catalog: Catalog?) -> String? {
    switch self {
    case .filter(let path):
      guard let condition = plan[along: path]?.condition else { return nil }
      let namespace = scope(of: plan, in: catalog?.schema)
      return namespace.flatMap { catalog?.reading(condition, of: $0, words: words) }
        ?? condition.text
    case .having: return plan.having?.text
    case .order(let path): return plan[along: path]?.orderText
    case .limit(let path): return plan[along: path]?.page.limit.map(String.init)
    case .query: return QueryText(plan, words: words, in: catalog).text
    case .value, .valueOfSelected, .find, .saveQuery: return nil
    }
  }

  /// Returns the text of a query before the typed sort keys.
  func textBeforeOrder(in plan: QueryPlan?, _ schema: Schema?) -> String {
    let sorted = plan?[along: path] ?? QueryPlan("rows")
    return sorted.textBeforeOrder(of: scope(of: plan, in: schema) ?? sorted.namespace)
  }
}

// Applies a typed line to the query.
extension PromptPane {
  /// The text without the white space at its end, which has no meaning in a query.
  var line: String { purpose.traits.isOfQuery ? field.text.withoutTrailingSpace : field.text }

  /// Inserts pasted text. In a query, comments end where their lines ended.
  mutating func paste(_ text: String) -> InputResult {
    guard purpose.traits.isOfQuery else { return field.paste(text) }
    let before = field.text.prefix(field.selection?.lowerBound ?? field.cursor)
    return field.paste(LineComments.closed(in: text, after: String(before)))
  }

  /// Returns `plan` with the typed query or clause applied, or the error in the typed text.
  ///
  /// - Parameter givesHints: Whether the error suggests similar names, which needs a search among all
  ///   names.
  func plan(
    changing plan: QueryPlan, in catalog: Catalog, givesHints: Bool = true
  ) -> Result<QueryPlan, QueryError> {
    let (text, schema) = (field.text, catalog.schema)
    return Result { () throws(QueryError) in
      var plan = plan
      let namespace = purpose.scope(of: plan, in: schema) ?? plan.namespace
      switch purpose {
      case .filter(let path):
        let condition =
          text.isBlank
          ? nil
          : try ConditionNode(
            parsing: text, of: namespace, schema: schema, givesHints: givesHints)
        plan.change(along: path) { $0.condition = condition }
      case .having:
        plan.having = text.isBlank ? nil : try Self.having(text, of: plan, schema, givesHints)
      case .order(let path):
        let before = purpose.textBeforeOrder(in: plan, schema)
        let order = text.isBlank ? [] : try Self.order(text, after: before, schema, givesHints)
        plan.change(along: path) { $0.order = order }
      case .limit(let path):
        let limit = text.isBlank ? nil : try Self.limit(text)
        plan.change(along: path) { $0 = $0.limit(limit) }
      case .query:
        let document = try QueryDocument(text: text, schema: schema, givesHints: givesHints)
        guard let first = document.plans.first, document.plans.count == 1 else {
          throw QueryError.invalid(path: "", reason: Notice.severalQueries.text)
        }
        plan = first
      case .value, .valueOfSelected, .find, .saveQuery: break
      }
      return plan
    }
  }

  /// Whether the only error is that the text ends too early, because the user is still typing.
  ///
  /// It may end after a complete word or within a quoted text. Before other text, the part before
  /// the cursor ends too early if the word after the cursor is unexpected.
  func isUnfinished(at error: QueryError) -> Bool {
    guard field.cursor == field.text.count else {
      guard case .syntax(let fault) = error else { return false }
      let (bytes, cursor) = (Array(field.text.utf8), field.byteOffset)
      return cursor > 0 && cursor <= fault.offset && fault.offset <= bytes.count
        && bytes[cursor - 1..<fault.offset].allSatisfy { $0 == UInt8(ascii: " ") }
    }
    if case .json(1, let column, _) = error { return column > field.text.count }
    guard case .syntax(let fault) = error else { return false }
    guard let last = QuerySpan.lastToken(of: field.text) else { return true }
    guard fault.offset == last.lowerBound else { return fault.offset >= last.upperBound }
    let word = Array(field.text.utf8)[last]
    return "\"'`".utf8.contains(word.first ?? 0) && (word.count == 1 || word.last != word.first)
  }

  /// Returns the pieces of a query or a clause for syntax highlighting; none for other texts. The
  /// piece with the error is one of them.
  ///
  /// - Parameter plan: The query that the clause belongs to.
  func pieces(_ plan: QueryPlan?, _ schema: Schema?) -> [QuerySpan] {
    let scope = purpose.scope(of: plan, in: schema)
    switch purpose {
    case .query: return QuerySpan.spans(of: field.text, schema: schema)
    case .filter:
      return QuerySpan.spans(
        of: field.text, scope: scope, isCondition: true, schema: scope == nil ? nil : schema)
    case .having:
      return spans(after: plan.map(Self.textBeforeHaving) ?? "", scope == nil ? nil : schema)
    case .order:
      return spans(
        after: purpose.textBeforeOrder(in: plan, schema), scope == nil ? nil : schema)
    case .limit, .value, .valueOfSelected, .find, .saveQuery: return []
    }
  }

  /// Returns the pieces of the line, which continues the text of a query.
  private func spans(after before: String, _ schema: Schema?) -> [QuerySpan] {
    QuerySpan.spans(of: before + field.text, schema: schema)
      .compactMap { $0.moved(by: -before.utf8.count) }
  }

  /// Returns the query text before the condition on the groups of a query.
  static func textBeforeHaving(of plan: QueryPlan) -> String {
    QueryPlan(plan.namespace, groups: plan.groups, aggregates: plan.shownAggregates).text
      + " having "
  }

  /// Parses a condition on the groups of a query, written as in the text of a query.
  private static func having(
    _ text: String, of plan: QueryPlan, _ schema: Schema, _ givesHints: Bool
  ) throws(QueryError) -> ConditionNode {
    let before = textBeforeHaving(of: plan)
    do throws(QueryError) {
      let document = try QueryDocument(
        text: before + text, schema: schema, givesHints: givesHints)
      guard let typed = document.plans.first, document.plans.count == 1,
        let condition = typed.having, typed.removing(.summary).isPlain
      else { throw QueryError.invalid(path: "", reason: Notice.onlyCondition.text) }
      return condition
    } catch {
      throw error.moved(after: before)
    }
  }

  /// Parses sort keys, written as in the text of a query.
  ///
  /// - Parameter before: The text of the query before them.
  private static func order(
    _ text: String, after before: String, _ schema: Schema, _ givesHints: Bool
  ) throws(QueryError) -> [OrderKey] {
    do throws(QueryError) {
      let document = try QueryDocument(
        text: before + text, schema: schema, givesHints: givesHints)
      guard let plan = document.plans.first, document.plans.count == 1,
        plan.text == before + plan.orderText
      else {
        throw QueryError.invalid(path: "", reason: Notice.onlySortKeys.text)
      }
      return plan.order
    } catch {
      throw error.moved(after: before)
    }
  }

  private static func limit(_ text: String) throws(QueryError) -> Int {
    guard let number = Int(text.filter { $0 != "_" && $0 != " " }), number > 0 else {
      throw .invalid(path: "", reason: "Enter a positive whole number")
    }
    return number
  }
}

extension QueryPlan {
  /// Changes the nested query of a relation. Missing relations are included first.
  mutating func change(along path: [String], _ change: (inout QueryPlan) -> Void) {
    var nested = self[along: path] ?? QueryPlan(path.last ?? namespace)
    change(&nested)
    self[along: path] = nested
  }

  /// The sort keys as the user types them, such as `name desc, age`.
  var orderText: String {
    if order.isEmpty { return "" }
    var plan = removing(.filter, .page, .fields, .count, .relations)
    (plan.having, plan.isDistinct) = (nil, false)
    return String(plan.text.dropFirst(textBeforeOrder(of: namespace).count))
  }

  /// Returns the text of the query before its sort keys, without its filters. Sort keys can name
  /// the columns of its groups and aggregates.
  fileprivate func textBeforeOrder(of namespace: String) -> String {
    var plan = QueryPlan(namespace)
    (plan.groups, plan.aggregates) = (groups, aggregates)
    return plan.text + " order "
  }
}

extension String {
  /// Whether the text is empty or consists of whitespace.
  var isBlank: Bool {
    // Most texts begin with a letter in ASCII, for which no properties are looked up.
    unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
    }
  }

  /// The text without the white space at its end.
  var withoutTrailingSpace: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

extension QuerySpan {
  /// Returns the span at another place of a longer or shorter text; nil if it is before its
  /// beginning.
  fileprivate func moved(by bytes: Int) -> QuerySpan? {
    guard range.lowerBound + bytes >= 0 else { return nil }
    return QuerySpan(kind, range.lowerBound + bytes..<range.upperBound + bytes)
  }
}

extension QueryError {
  /// Returns the error with its position in the text that follows `before`.
  fileprivate func moved(after before: String) -> QueryError {
    guard case .syntax(var fault) = self, fault.line == 1 else { return self }
    fault.offset = max(0, fault.offset - before.utf8.count)
    fault.column = max(1, fault.column - before.count)
    return .syntax(fault)
  }

  /// The message and its hint. A hint that is a question comes first, because a narrow line cuts
  /// the rest.
  var complaint: String {
    guard let hint else { return message }
    return hint.hasSuffix("?") ? "\(hint) \(message)" : "\(message) \(hint)"
  }
}
