package import Triples

/// Prepares query plans by resolving their names with a schema.
struct PlanPreparer {
  let schema: Schema
  let options: QueryOptions

  /// The maximum nesting depth of relations.
  static let maxDepth = 400

  func prepare(
    _ plan: QueryPlan, namespace: String, depth: Int = 0
  ) throws(QueryError) -> PreparedPlan {
    guard depth < Self.maxDepth else {
      throw .invalid(
        path: plan.namespace,
        reason: "the query includes links more than \(Self.maxDepth) levels deep"
      )
    }
    if let fault = plan.page.fault {
      throw .invalid(path: "\(plan.namespace).$.\(fault.option)", reason: fault.reason)
    }
    var touched: Set<AttributeID> = []
    if let membership = schema.identity(of: namespace) { touched.insert(membership.id) }
    let formula = try formula(plan.condition, in: namespace)
    formula.collectAttributes(into: &touched)
    let order = try order(of: plan, in: namespace, &touched)
    let computed = try columns(of: plan, in: namespace, &touched)
    let summary = try summary(of: plan, in: namespace, depth: depth, &touched)
    var relations: [PreparedRelation] = []
    for relation in plan.relations {
      let relation = try self.relation(relation, of: namespace, depth: depth)
      if let link = relation.link { touched.insert(link.attribute.id) }
      touched.formUnion(relation.plan.attributes)
      relations.append(relation)
    }
    let hidden = Set(relations.map(\.label))
    let fields = fields(plan.fields, of: namespace).filter { !hidden.contains($0.label) }
    for field in fields { touched.insert(field.id) }
    return PreparedPlan(
      plan: plan, namespace: namespace, formula: formula, order: order, fields: fields,
      computed: computed, members: members(of: plan, in: namespace, fields, computed, relations),
      relations: relations, paging: paging(at: depth), summary: summary, attributes: touched)
  }

  /// Returns how the page at this nesting depth is found. A database finds only the page of the top
  /// level; nested levels are evaluated locally.
  private func paging(at depth: Int) -> QueryOptions.Paging {
    switch options.paging {
    case .whole, .served: options.paging
    case .found, .among: depth == 0 ? options.paging : .whole
    }
  }

  private func formula(
    _ condition: ConditionNode?, in namespace: String
  ) throws(QueryError) -> Formula {
    guard schema.identity(of: namespace) != nil else { return .never }
    guard let condition else { return .always }
    var builder = FormulaBuilder(schema: schema, rules: options.rules)
    let formula = try builder.build(condition, in: namespace)
    return builder.hasUnknownName ? .never : formula
  }

  /// Resolves the sort keys of a plan, and adds the attributes that they read to `touched`.
  ///
  /// If a key's name is unknown, it sorts by creation time, in the key's direction.
  private func order(
    of plan: QueryPlan, in namespace: String, _ touched: inout Set<AttributeID>
  ) throws(QueryError) -> [PreparedOrder] {
    var order: [PreparedOrder] = []
    for key in plan.order {
      let path = plan.computed(key.path.dotted) ?? key.path
      let source = try source(of: path, in: namespace, &touched)
      switch source {
      case .creation: break
      case .computed: break
      case .count(let links): for link in links { touched.insert(link.attribute.id) }
      case .value(let links, let attribute):
        for link in links { touched.insert(link.attribute.id) }
        touched.insert(attribute.id)
      }
      order.append(PreparedOrder(source: source, isDescending: key.direction == .descending))
    }
    return order
  }

  private func source(
    of path: AttributePath, in namespace: String, _ touched: inout Set<AttributeID>
  ) throws(QueryError) -> PreparedOrder.Source {
    let path = path.withoutName
    if let value = try computed(path, in: namespace, &touched) { return .computed(value) }
    let (links, owner) = schema.follow(path.links, from: namespace)
    guard links.count == path.links.count else {
      let label = path.labels[links.count]
      guard schema.attribute(owner, label) == nil else {
        throw .notALink(label: label, namespace: owner)
      }
      return .creation
    }
    if path.label == OrderKey.countLabel, !links.isEmpty { return .count(links) }
    // Ordering by id means ordering by creation, as in InstantDB's client.
    if path.isOwn && path.label == schema.identityLabel(of: namespace) { return .creation }
    guard let attribute = schema.attribute(owner, path.label) else { return .creation }
    return .value(links, attribute)
  }

  /// Resolves a computed path, and adds the attributes that it reads to `touched`. Returns nil for
  /// a plain path.
  func computed(
    _ path: AttributePath, in namespace: String, _ touched: inout Set<AttributeID>
  ) throws(QueryError) -> PreparedExpression? {
    var resolver = ExpressionResolver(schema: schema)
    guard let value = try resolver.computed(path, in: namespace) else { return nil }
    value.forEachSource { links, attribute in
      for link in links { touched.insert(link.attribute.id) }
      if let attribute { touched.insert(attribute.id) }
    }
    return value
  }

  /// Resolves the computed columns that the plan's fields name, and adds the attributes that they
  /// read to `touched`.
  func columns(
    of plan: QueryPlan, in namespace: String, _ touched: inout Set<AttributeID>
  ) throws(QueryError) -> [PreparedColumn] {
    let shown = plan.shownComputed
    guard shown.count <= TextParser.maxComputed else {
      throw .invalid(
        path: plan.namespace,
        reason: "the query has more than \(TextParser.maxComputed) computed columns")
    }
    var columns: [PreparedColumn] = []
    for column in shown {
      let name = column.label
      guard schema.attribute(namespace, name) == nil, schema.link(namespace, name) == nil else {
        throw .invalid(
          path: "\(plan.namespace).\(name)",
          reason: "the computed column has the name of a field; choose another name")
      }
      // A column that only renames a plain path is resolved like an expression.
      var resolver = ExpressionResolver(schema: schema)
      let value = try resolver.resolve(column.expression ?? .path(column), in: namespace)
      value.forEachSource { links, attribute in
        for link in links { touched.insert(link.attribute.id) }
        if let attribute { touched.insert(attribute.id) }
      }
      columns.append(PreparedColumn(name: name, expression: value, path: column))
    }
    return columns
  }

  private func relation(
    _ relation: QueryPlan.Relation, of namespace: String, depth: Int
  ) throws(QueryError) -> PreparedRelation {
    let link = schema.link(namespace, relation.label)
    if link == nil, schema.attribute(namespace, relation.label) != nil {
      throw .notALink(label: relation.label, namespace: namespace)
    }
    let isSingular = options.infersCardinality && link?.cardinality == .one
    let plan = try prepare(
      relation.plan, namespace: link?.target ?? relation.label, depth: depth + 1)
    return PreparedRelation(
      label: relation.label, link: link, isSingular: isSingular, plan: plan)
  }

  /// Returns the members of the plan's JSON objects: the columns that the plan names, in its order,
  /// then the other relations.
  private func members(
    of plan: QueryPlan, in namespace: String, _ fields: [Attribute], _ computed: [PreparedColumn],
    _ relations: [PreparedRelation]
  ) -> [PreparedMember] {
    var left = fields
    if options.objects == .stored {
      let hidden = Set(relations.map(\.label))
      left += schema.ownLinks(of: plan, in: namespace).filter { !hidden.contains($0.label) }
        .map(\.attribute)
    }
    var builder = MemberBuilder(showsMissing: options.objects == .stored)
    for column in plan.namedColumns {
      switch column {
      case .all:
        builder.add(left)
        left = []
      case .attribute(let label):
        guard let place = left.firstIndex(where: { $0.label == label }) else { continue }
        builder.add([left.remove(at: place)])
      case .computed(let name):
        guard let column = computed.first(where: { $0.name == name }) else { continue }
        builder.add(.computed(column))
      case .relation(let relation):
        guard let relation = relations.first(where: { $0.label == relation.label }) else {
          continue
        }
        builder.add(.relation(relation))
      }
    }
    for relation in plan.unnamedRelations {
      guard let relation = relations.first(where: { $0.label == relation.label }) else { continue }
      builder.add(.relation(relation))
    }
    return builder.members(adding: left)
  }

  /// Returns the attributes in each object: the given names and `id`. If `names` is nil, these are
  /// all attributes.
  private func fields(_ names: [String]?, of namespace: String) -> [Attribute] {
    let all = schema.attributes(of: namespace)
    guard let names, !names.contains(QueryPlan.allFields) else { return all }
    var wanted: [Attribute] = []
    for name in names where !wanted.contains(where: { $0.label == name }) {
      if let attribute = all.first(where: { $0.label == name }) { wanted.append(attribute) }
    }
    if let id = schema.shownID(of: namespace), !wanted.contains(id) { wanted.append(id) }
    return wanted
  }
}

extension Schema {
  /// Returns the namespace's single-valued forward links that the plan's fields include.
  func ownLinks(of plan: QueryPlan, in namespace: String) -> [Link] {
    links(of: namespace).filter { link in
      link.direction == .forward && link.cardinality == .one
        && plan.fields?.contains(link.label) != false
    }
  }
}

extension Formula {
  /// Adds the attributes and links that the formula reads. Changes of other attributes cannot
  /// affect which entities match.
  func collectAttributes(into found: inout Set<AttributeID>) {
    switch self {
    case .always, .never, .identity, .identityPrefix: break
    case .stored(let attribute, _): found.insert(attribute.id)
    case .reference(let test): found.insert(test.attribute.id)
    case .linked(let link, let inner):
      found.insert(link.attribute.id)
      inner.collectAttributes(into: &found)
    case .compared(let comparison):
      for side in [comparison.left, comparison.right] {
        found.insert(side.attribute.id)
        for link in side.links { found.insert(link.attribute.id) }
      }
    case .computed(let test):
      test.forEachSource { links, attribute in
        for link in links { found.insert(link.attribute.id) }
        if let attribute { found.insert(attribute.id) }
      }
    case .counted(let links, _, _): for link in links { found.insert(link.attribute.id) }
    case .not(let inner): inner.collectAttributes(into: &found)
    case .all(let parts), .any(let parts):
      for part in parts { part.collectAttributes(into: &found) }
    case .joint(let pattern):
      for variable in pattern.variables { variable.test.collectAttributes(into: &found) }
      for edge in pattern.edges { found.insert(edge.link.attribute.id) }
    }
  }
}

extension QueryPlan {
  /// Resolves the computed columns that the plan's fields name. Returns an empty list if any column
  /// is invalid.
  package func preparedColumns(of namespace: String, in schema: Schema) -> [PreparedColumn] {
    if computed.isEmpty { return [] }
    var touched: Set<AttributeID> = []
    let preparer = PlanPreparer(schema: schema, options: .standard)
    return (try? preparer.columns(of: self, in: namespace, &touched)) ?? []
  }
}
