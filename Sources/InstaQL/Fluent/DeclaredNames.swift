/// The names that an entity type declares in its `Fields`, read by reflection. Plans are checked
/// against them.
struct DeclaredNames {
  let namespace: String
  private var fields: Set<String> = ["id"]
  private var links: [String: any QueryEntity.Type] = [:]
  /// Whether the type allows any name, because it declares no names.
  private var isOpen: Bool { fields.count == 1 && links.isEmpty }

  init<E: QueryEntity>(of entity: E.Type) {
    namespace = E.namespace
    for child in Mirror(reflecting: E.fields).children {
      guard let member = child.value as? any DeclaredName else { continue }
      if let target = member.target {
        links[member.name] = target
      } else {
        fields.insert(member.name)
      }
    }
  }

  /// Checks the names of a plan.
  /// - Throws: `unknownField` for the first name that is not declared, `notALink` for a field that
  ///   is used as a link.
  func check(_ plan: QueryPlan) throws(QueryError) {
    var paths: [AttributePath] = []
    plan.condition?.forEachPath { paths.append($0) }
    paths += plan.groups + (plan.aggregates + plan.hiddenAggregates).compactMap(\.path)
    paths += plan.order.filter { !$0.isCreation && !plan.isColumn($0.path) }.map { key in
      key.countedLinks.map { AttributePath($0.labels + ["id"]) } ?? plan.computed(key.path.dotted)
        ?? key.path
    }
    for field in plan.fields ?? [] where field != QueryPlan.allFields {
      paths.append(plan.computed(field) ?? AttributePath([field]))
    }
    for path in paths.flatMap(\.plainPaths) { try check(path) }
    for relation in plan.relations {
      try names(at: relation.label)?.check(relation.plan)
    }
  }

  private func check(_ path: AttributePath) throws(QueryError) {
    var names: DeclaredNames? = self
    for link in path.links { names = try names?.names(at: link) }
    guard let names, !names.isOpen else { return }
    if names.fields.contains(path.label) || names.links[path.label] != nil { return }
    throw names.unknown(path.label)
  }

  /// Returns the names that the target type of a link declares. Nil if this type allows any name.
  private func names(at link: String) throws(QueryError) -> DeclaredNames? {
    if isOpen { return nil }
    if let target = links[link] { return DeclaredNames(of: target) }
    if fields.contains(link) { throw .notALink(label: link, namespace: namespace) }
    throw unknown(link)
  }

  private func unknown(_ name: String) -> QueryError {
    .unknownField(
      name, namespace: namespace,
      hint: NearestName.hint(name, among: fields.union(links.keys).sorted()))
  }
}

/// A member of an entity's `Fields`.
private protocol DeclaredName {
  var name: String { get }
  /// The target type of a link; nil for a field.
  var target: (any QueryEntity.Type)? { get }
}

extension Field: DeclaredName {
  fileprivate var target: (any QueryEntity.Type)? { nil }
}

extension LinkField: DeclaredName {
  fileprivate var target: (any QueryEntity.Type)? { Target.self }
}

extension QueryPlan {
  /// Returns whether the path is the name of an aggregate, and so a column of the grouped answer.
  fileprivate func isColumn(_ path: AttributePath) -> Bool {
    !groups.isEmpty
      && (aggregates.contains { $0.name == path.dotted } || path == "count" && aggregates.isEmpty)
  }
}

extension EntityQuery {
  /// Creates a query of this type from an existing plan, for example from user input or a file.
  ///
  /// A plan contains names but no types. So values are checked only when a row is read.
  ///
  /// - Throws: `invalid` for a plan of another namespace; `unknownField` for a name that neither
  ///   the type nor its link targets declare, unless `Fields` is empty; `notALink` for a field that
  ///   is used as a link.
  public init(plan: QueryPlan) throws(QueryError) {
    if !E.namespace.isEmpty, plan.namespace != E.namespace {
      throw .invalid(
        path: plan.namespace,
        reason: "the query must read '\(E.namespace)', the namespace of \(E.self)")
    }
    try DeclaredNames(of: E.self).check(plan)
    self.init(unchecked: plan)
  }
}
