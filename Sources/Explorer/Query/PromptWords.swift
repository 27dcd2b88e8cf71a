import InstaQL
import TerminalUI
import Triples
import Widgets

// Helps the user with an empty prompt.
extension PromptPane {
  /// Returns an example to show while the text is empty, made from existing fields and values.
  ///
  /// - Parameter seen: Sample rows of the plan's namespace, whose values the example uses.
  func example(_ plan: QueryPlan?, _ schema: Schema?, _ seen: ResultTable?) -> String {
    let scope = purpose.scope(of: plan, in: schema)
    switch purpose {
    case .filter:
      return Self.condition(of: scope, schema, purpose.path.isEmpty ? seen : nil)
        ?? "name = \"…\" and …"
    case .having:
      let aggregate = plan?.shownAggregates.first?.name ?? "count"
      return Self.text([aggregate], .greater, 10)
    case .order:
      // Any groups can be sorted by their numbers of rows.
      if purpose.path.isEmpty, plan?.groups.isEmpty == false { return "count() desc" }
      let keys = Self.keys(of: scope, schema)
      return keys.isEmpty ? "name desc" : keys.joined(separator: ", ")
    case .query:
      guard let plan else { return "a namespace, then filter, order, limit, with" }
      let condition = Self.condition(of: scope, schema, seen)
      let namespace = QueryDocument(QueryPlan(plan.namespace)).text
      return namespace + (condition.map { " filter " + $0 } ?? "") + " limit 20"
    case .limit: return "rows (empty = no limit)"
    case .value(_, let attribute), .valueOfSelected(let attribute, _):
      return SchemaPane.mark(of: attribute) + attribute.otherInput
    case .find: return "text to find"
    case .saveQuery: return "name of the query"
    }
  }

  /// Whether the cursor is after the dot of a link in the initial text, such as `capital.`.
  var isAfterGivenDot: Bool {
    guard case .filter = purpose, isUntouched else { return false }
    return field.cursor == field.text.count && field.text.hasSuffix(".")
      && !field.text.hasSuffix(" .")
  }

  /// The number of rows that match the typed query, such as `12 rows`, or the place of a match; nil
  /// if it is unknown.
  var countText: String? {
    remark ?? matches.map { NumberText.count($0.rows, "row") }
  }

  /// Returns hints on what the user can type, from the longest to the shortest version.
  ///
  /// - Parameter namesKeys: Whether hints name the keys, because there is no footer.
  func guidance(namesKeys: Bool) -> [String] {
    if let completion {
      guard namesKeys else { return ["↓ choose a suggestion", "↓ more"] }
      let accept = "tab accept suggestion"
      return [completion.candidates.count == 1 ? accept : accept + " · ↓ next suggestion"]
    }
    if let expectation { return ["type \(expectation)"] }
    switch purpose {
    case .filter:
      return [
        "= != > >= < <= in like matches is null · and or not ( ) · link.attribute",
        "= != > < in like is null · and or not ( )", "= != > < in like · and or",
      ]
    case .having:
      return ["= != > >= < <= in like is null · and or not ( )", "= != > < in like · and or"]
    case .order:
      return [
        "attribute desc, link.attribute, link.count · asc is the default",
        "attribute desc, attribute",
      ]
    case .query:
      return [
        "filter … order … limit … with link { … } · group, aggregate, fields, count",
        "filter … order … limit … with link", "filter order limit with",
      ]
    case .find, .limit, .value, .valueOfSelected, .saveQuery:
      return namesKeys ? ["enter \(purpose.traits.confirmation) · escape cancel"] : []
    }
  }

  /// Returns the first text that fits in a width; the last text if none fits.
  static func fitting(_ texts: [String], _ width: Int) -> String {
    texts.first { TextWidth.columns(of: $0) <= width } ?? texts.last ?? ""
  }

  /// Returns an example of a condition on a number or a text of the namespace, or along a link.
  ///
  /// It uses existing values if possible, so that it matches some rows.
  private static func condition(
    of namespace: String?, _ schema: Schema?, _ seen: ResultTable?
  ) -> String? {
    guard let schema, let namespace else { return nil }
    let values = attributes(of: namespace, schema)
    let own =
      values.first { $0.checkedType == .number }.map { attribute in
        let number = seen?.exampleRows.lazy.compactMap {
          seen?.catalog.store.value($0, attribute.id)
        }.first(where: \.isNumber)
        return Self.text([attribute.label], .greaterOrEqual, number ?? 0)
      } ?? values.first.map { Self.text([$0.label], .equal, "…") }
    let linked = schema.links(of: namespace).lazy.compactMap {
      Self.condition(through: $0, schema, seen)
    }.first
    let parts = [own, linked].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " and ")
  }

  /// Returns an example of a condition on the label of a link's target.
  private static func condition(
    through link: Link, _ schema: Schema, _ seen: ResultTable?
  ) -> String? {
    guard let label = schema.labelAttribute(of: link.target) else { return nil }
    let names = seen?.exampleRows.lazy.compactMap { row -> String? in
      guard let linked = seen?.catalog.targets(of: row, link), let target = linked.entities.first,
        case .text(let name)? = linked.catalog.store.value(target, label.id),
        name.utf8.count <= maxNameLength, !name.contains("\"")
      else { return nil }
      return name
    }
    return text([link.label, label.label], .equal, .text(names?.first ?? "…"))
  }

  /// Returns a comparison as it is typed.
  private static func text(
    _ labels: [String], _ comparison: Comparison, _ value: Value
  ) -> String {
    ConditionNode.compare(AttributePath(labels), comparison, value).text
  }

  private static let maxNameLength = 24

  private static func keys(of namespace: String?, _ schema: Schema?) -> [String] {
    guard let schema, let namespace else { return [] }
    let values = attributes(of: namespace, schema)
    let number = values.first { $0.checkedType == .number || $0.checkedType == .date }
    let text = values.first { ($0.checkedType ?? .string) == .string }
    return [number.map { name(of: $0) + " desc" }, text.map(name)].compactMap { $0 }
  }

  /// Returns the name of an attribute as it is typed.
  private static func name(of attribute: Attribute) -> String {
    ValueExpression.path(AttributePath([attribute.label])).text
  }

  /// Returns the attributes of a namespace, without links and the id.
  private static func attributes(of namespace: String, _ schema: Schema) -> [Attribute] {
    schema.attributes(of: namespace).filter { !$0.isIdentity }
  }
}

extension ResultTable {
  /// The first rows, whose values an example can use.
  fileprivate var exampleRows: ArraySlice<EntityHandle> { answer.rows.prefix(8) }
}

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .double: true
    case .null, .bool, .text, .array, .object: false
    }
  }
}
