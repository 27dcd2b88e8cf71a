/// What an entity type calls its fields and links: read from the values of its `Fields`, so that a name
/// stands in one place.
struct DeclaredNames {
  let namespace: String
  private var fields: Set<String> = ["id"]
  private var links: [String: any QueryEntity.Type] = [:]
  /// Whether any name may be asked for: the type declares none.
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

  /// - Throws: `unknownField` for the first name that the type does not declare, `notALink` for a field
  ///   that is followed.
  func check(_ plan: QueryPlan) throws(QueryError) {
    var paths: [AttributePath] = []
    plan.condition?.forEachPath { paths.append($0) }
    paths += plan.groups + plan.aggregates.compactMap(\.path)
    paths += plan.order.filter { !$0.isCreation && !plan.isColumn($0.path) }.map(\.path)
    paths += (plan.fields ?? []).map { AttributePath([$0]) }
    for path in paths { try check(path) }
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

  /// The names of the entities at a link; nil where any name may be asked for.
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
  /// The entities at the other end of a link; nil of a field.
  var target: (any QueryEntity.Type)? { get }
}

extension Field: DeclaredName {
  fileprivate var target: (any QueryEntity.Type)? { nil }
}

extension LinkField: DeclaredName {
  fileprivate var target: (any QueryEntity.Type)? { Target.self }
}

extension QueryPlan {
  /// Whether a table that the plan asks for has a column of that name.
  fileprivate func isColumn(_ path: AttributePath) -> Bool {
    !groups.isEmpty
      && (aggregates.contains { $0.name == path.dotted } || path == "count" && aggregates.isEmpty)
  }
}

extension EntityQuery {
  /// A query of this type out of a plan from elsewhere: typed by a person, read from a file, received.
  ///
  /// A plan has names and no types; what is read from a row is checked when it is read.
  ///
  /// - Throws: `invalid` for a plan of another namespace, `unknownField` for a name that neither the
  ///   type nor the types at the other ends of its links declare, `notALink` for a field that the plan
  ///   follows. A type whose `Fields` are empty takes any name.
  public init(plan: QueryPlan) throws(QueryError) {
    if !E.namespace.isEmpty, plan.namespace != E.namespace {
      throw .invalid(
        path: plan.namespace,
        reason: "'\(E.namespace)' was expected here, whose entities are read as \(E.self)")
    }
    try DeclaredNames(of: E.self).check(plan)
    self.init(unchecked: plan)
  }
}
