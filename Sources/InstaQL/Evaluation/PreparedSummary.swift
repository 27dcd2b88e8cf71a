import Triples

/// The resolved groups and aggregates of a plan. Its answer is a table.
struct PreparedSummary: Sendable {
  /// From where the values of a column are read: the links to follow, and the attribute, link or
  /// expression at their end. For an unknown name, the end is `nowhere`.
  struct Source: Sendable {
    enum End: Sendable {
      case attribute(Attribute)
      case link(Link)
      case computed(PreparedExpression)
      case nowhere
    }

    var links: [Link]
    var end: End
  }

  struct Group: Sendable {
    var name: String
    var source: Source
  }

  struct Measure: Sendable {
    var name: String
    var function: Aggregation.Function
    /// The path to the aggregated values in the plan; nil to count entities.
    var path: AttributePath?
    /// The aggregated values; nil to count entities.
    var source: Source?
  }

  var groups: [Group]
  /// The aggregates, first those in the answer.
  var measures: [Measure]
  /// The number of aggregates in the answer. The others are computed for `having` and the order.
  var shownCount: Int
  /// Whether the rows are the distinct combinations of the selected fields, in the order of the
  /// entities.
  ///
  /// Otherwise they are groups, in the order of their values.
  var isDistinct: Bool
  /// The columns by which the table's rows are sorted.
  var order: [(column: Int, isDescending: Bool)]
  /// The `having` condition on the table's rows; nil keeps all rows.
  var having: SummaryCondition?

  var columns: [String] { groups.map(\.name) + shownMeasures.map(\.name) }

  var shownMeasures: ArraySlice<Measure> { measures.prefix(shownCount) }

  /// Returns the index of a column by its name, or of an aggregate by its function and path. Nil if
  /// there is none.
  func column(_ path: AttributePath) -> Int? {
    if let column = columns.firstIndex(of: path.dotted) { return column }
    guard case .aggregate(let function, let values)? = path.expression else { return nil }
    return measures.firstIndex { $0.function == function && $0.path ?? "" == values }
      .map { groups.count + $0 }
  }

  /// Returns the rows without the aggregates that the answer does not show.
  func shown(_ rows: [[Value]]) -> [[Value]] {
    if shownCount == measures.count { return rows }
    return rows.map { Array($0.prefix(groups.count + shownCount)) }
  }

  /// Whether the table has only one row, which aggregates all entities of the page.
  var isTotal: Bool { groups.isEmpty }
}

extension PlanPreparer {
  /// Returns the groups and aggregates of a plan; nil when the answer consists of entities.
  ///
  /// - Throws: `invalid` for relations, cursors, duplicate column names, and an order by a name
  ///   that is not a column.
  func summary(
    of plan: QueryPlan, in namespace: String, depth: Int, _ touched: inout Set<AttributeID>
  ) throws(QueryError) -> PreparedSummary? {
    let path = plan.namespace + ".$"
    guard plan.isSummary else {
      if plan.having == nil { return nil }
      throw .invalid(
        path: path,
        reason: "'having' filters groups, but the query has none; add 'group by' or 'aggregate'")
    }
    try check(plan, at: path, depth: depth)
    var summary = PreparedSummary(
      groups: [], measures: [], shownCount: 0, isDistinct: false, order: [])
    if plan.groups.isEmpty, plan.aggregates.isEmpty {
      summary.isDistinct = true
      for field in distinctFields(of: plan, in: namespace) {
        let path = plan.computed(field) ?? AttributePath([field])
        let source = try source(of: path, in: namespace, &touched)
        summary.groups.append(PreparedSummary.Group(name: field, source: source))
      }
    } else {
      for group in plan.groups {
        let source = try source(of: group, in: namespace, &touched)
        summary.groups.append(PreparedSummary.Group(name: group.dotted, source: source))
      }
      let (shown, hidden) = aggregates(of: plan)
      summary.measures = try measures(shown + hidden, in: namespace, at: path, &touched)
      summary.shownCount = shown.count
    }
    if let twice = summary.columns.firstDuplicate {
      throw .invalid(path: path, reason: "two columns are named '\(twice)'; rename one with 'as'")
    }
    if !summary.isDistinct, !summary.isTotal {
      summary.order = try columnOrder(of: plan, summary)
    }
    if let having = plan.having {
      summary.having = try SummaryCondition(having, of: summary, at: path + ".having")
    }
    return summary
  }

  private func check(_ plan: QueryPlan, at path: String, depth: Int) throws(QueryError) {
    if depth > 0 {
      throw .invalid(
        path: path, reason: "groups and aggregates are allowed only at the top level of a query")
    }
    if let relation = plan.relations.first {
      let field = relation.plan.fields?.first.map { "\(relation.label).\($0)" }
      throw .invalid(
        path: path,
        reason: "a query with groups, aggregates or distinct cannot include linked rows"
          + (field.map { "; 'group \($0)' has each value of '\($0)' once" } ?? ""))
    }
    if plan.page.after != nil || plan.page.before != nil {
      throw .invalid(
        path: path, reason: "a query with groups, aggregates or distinct cannot use cursors")
    }
    if plan.groups.isEmpty, plan.aggregates.isEmpty, plan.fields?.isEmpty ?? true {
      throw .invalid(
        path: path, reason: "'distinct' needs the names of fields; add a 'fields' clause")
    }
  }

  /// Returns the aggregates that the answer shows, and those that are only computed. A count is
  /// shown if the plan has no aggregates, or if it also requests a count.
  private func aggregates(
    of plan: QueryPlan
  ) -> (shown: [Aggregation], hidden: [Aggregation]) {
    var shown = plan.aggregates
    let count = Aggregation(.count)
    if shown.isEmpty || plan.isCount && !shown.contains(count) { shown.append(count) }
    var hidden: [Aggregation] = []
    for aggregate in plan.hiddenAggregates
    where !(shown + hidden).contains(where: {
      $0.function == aggregate.function && $0.path == aggregate.path
    }) {
      hidden.append(aggregate)
    }
    return (shown, hidden)
  }

  private func measures(
    _ aggregates: [Aggregation], in namespace: String, at path: String,
    _ touched: inout Set<AttributeID>
  ) throws(QueryError) -> [PreparedSummary.Measure] {
    var measures: [PreparedSummary.Measure] = []
    for aggregate in aggregates {
      if aggregate.path == nil, aggregate.function != .count {
        throw .invalid(
          path: path, reason: "the aggregate '\(aggregate.function.rawValue)' needs a field")
      }
      var source: PreparedSummary.Source?
      if let path = aggregate.path { source = try self.source(of: path, in: namespace, &touched) }
      measures.append(
        PreparedSummary.Measure(
          name: aggregate.name, function: aggregate.function, path: aggregate.path, source: source))
    }
    return measures
  }

  private func source(
    of path: AttributePath, in namespace: String, _ touched: inout Set<AttributeID>
  ) throws(QueryError) -> PreparedSummary.Source {
    let path = path.withoutName
    if let value = try computed(path, in: namespace, &touched) {
      return PreparedSummary.Source(links: [], end: .computed(value))
    }
    let (links, owner) = schema.follow(path.links, from: namespace)
    touched.formUnion(links.map(\.attribute.id))
    var source = PreparedSummary.Source(links: links, end: .nowhere)
    guard links.count == path.links.count else { return source }
    if let attribute = schema.attribute(owner, path.label), attribute.valueType == .blob {
      touched.insert(attribute.id)
      source.end = .attribute(attribute)
    } else if let link = schema.link(owner, path.label) {
      touched.insert(link.attribute.id)
      source.end = .link(link)
    }
    return source
  }

  /// Returns the names of the fields in distinct rows, with `*` replaced by all attributes except
  /// the id.
  private func distinctFields(of plan: QueryPlan, in namespace: String) -> [String] {
    (plan.fields ?? []).flatMap { field in
      guard field == QueryPlan.allFields else { return [field] }
      return schema.attributes(of: namespace).filter { !$0.isIdentity }.map(\.label)
    }
  }

  private func columnOrder(
    of plan: QueryPlan, _ summary: PreparedSummary
  ) throws(QueryError) -> [(column: Int, isDescending: Bool)] {
    var order: [(column: Int, isDescending: Bool)] = []
    for key in plan.order {
      guard let column = summary.column(key.path) else {
        let columns = summary.columns
        let hint = NearestName.hint(key.path.dotted, among: columns).map { ". \($0)" } ?? ""
        throw .invalid(
          path: plan.namespace + ".$.order",
          reason:
            "groups can be sorted only by their columns: \(columns.joined(separator: ", "))\(hint)")
      }
      order.append((column, key.direction == .descending))
    }
    return order
  }
}

extension [String] {
  fileprivate var firstDuplicate: String? {
    var seen: Set<String> = []
    return first { !seen.insert($0).inserted }
  }
}
