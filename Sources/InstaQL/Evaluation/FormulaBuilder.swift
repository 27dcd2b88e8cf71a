import Triples

/// Converts a condition to a formula by resolving its names with a schema.
///
/// If any name is unknown, the whole answer is empty. So check `hasUnknownName` after building.
struct FormulaBuilder {
  let schema: Schema
  let rules: QueryOptions.Rules
  var hasUnknownName = false
  /// Whether the tested entity is certainly a member of its namespace. False for a link's target,
  /// which may not exist.
  var isAboutMember = true

  init(schema: Schema, rules: QueryOptions.Rules = .recommended) {
    self.schema = schema
    self.rules = rules
  }

  /// The maximum nesting depth of conditions and paths.
  static let maxDepth = 400

  /// Returns the formula of a whole filter. The parts of a top-level JSON object share linked
  /// entities.
  mutating func build(_ node: ConditionNode, in namespace: String) throws(QueryError) -> Formula {
    if case .together(let parts) = node, rules == .recommended {
      return try shared(parts, in: namespace, depth: 0)
    }
    return try build(node, in: namespace, depth: 0)
  }

  mutating func build(
    _ node: ConditionNode, in namespace: String, depth: Int
  ) throws(QueryError) -> Formula {
    guard depth < Self.maxDepth else { throw Self.tooDeep }
    switch node {
    case .compare(let path, let comparison, let value):
      return try follow(path, in: namespace, asking: question(comparison, value))
    case .isIn(let path, let values):
      return try follow(path, in: namespace, asking: question(isIn: values))
    case .isNull(let path, let isNull):
      return try follow(path, in: namespace, asking: isNull ? .isNull : .positive(.notNull))
    case .idStartsWith(let links, let prefix):
      return try follow(
        schema.identityPath(along: links, from: namespace), in: namespace,
        asking: .idPrefix(prefix.lowercased()))
    case .compareFields(let left, let comparison, let right):
      return try fields(left, comparison, right, in: namespace)
    case .together(let parts) where rules != .recommended:
      return try joint(parts, in: namespace, depth: depth + 1)
    case .all(let parts), .together(let parts):
      return .conjunction(try each(parts, in: namespace, depth: depth + 1))
    case .any(let parts):
      return .disjunction(try each(parts, in: namespace, depth: depth + 1))
    case .not(.together(let parts)) where rules == .recommended && isAboutMember:
      return .not(try shared(parts, in: namespace, depth: depth + 1))
    case .not(let inner): return .not(try build(inner, in: namespace, depth: depth + 1))
    case .quantified(let quantifier, let path, let inner):
      return try quantified(quantifier, path, inner, in: namespace, depth: depth + 1)
    case .linkCount(let path, let comparison, let count):
      guard let links = try links(path.labels, from: namespace) else { return .never }
      return present(.counted(links, comparison, count), in: namespace)
    }
  }

  /// Returns the formula, limited to members of the namespace. This is needed for a link's target,
  /// which may not exist.
  func present(_ formula: Formula, in namespace: String) -> Formula {
    if isAboutMember { return formula }
    guard let membership = schema.identity(of: namespace) else { return .never }
    return .conjunction([formula, .stored(membership, .stored)])
  }

  private mutating func each(
    _ parts: [ConditionNode], in namespace: String, depth: Int
  ) throws(QueryError) -> [Formula] {
    var formulas: [Formula] = []
    formulas.reserveCapacity(parts.count)
    for part in parts { formulas.append(try build(part, in: namespace, depth: depth)) }
    return formulas
  }

  static let tooDeep = QueryError.invalid(
    path: "",
    reason: "The conditions are nested more than \(maxDepth) levels deep. Simplify the query."
  )

  // MARK: Names

  /// Returns the link with this label. If the namespace does not have the name, sets
  /// `hasUnknownName` and returns nil.
  ///
  /// - Throws: `notALink` if the label is an attribute.
  mutating func link(_ label: String, of namespace: String) throws(QueryError) -> Link? {
    if let link = schema.link(namespace, label) { return link }
    if schema.attribute(namespace, label) != nil {
      throw .notALink(label: label, namespace: namespace)
    }
    hasUnknownName = true
    return nil
  }

  /// Returns the links with these labels. If one does not exist, sets `hasUnknownName` and returns
  /// nil.
  mutating func links(
    _ labels: some Collection<String>, from namespace: String
  ) throws(QueryError) -> [Link]? {
    guard labels.count < Self.maxDepth else { throw Self.tooDeep }
    var links: [Link] = []
    for label in labels {
      guard let link = try link(label, of: links.last?.target ?? namespace) else { return nil }
      links.append(link)
    }
    return links
  }

  private mutating func quantified(
    _ quantifier: Quantifier, _ path: AttributePath, _ inner: ConditionNode, in namespace: String,
    depth: Int
  ) throws(QueryError) -> Formula {
    guard let links = try links(path.labels, from: namespace) else { return .never }
    let wasAboutMember = isAboutMember
    isAboutMember = false
    var formula = try build(inner, in: links.last?.target ?? namespace, depth: depth)
    isAboutMember = wasAboutMember
    if quantifier == .every { formula = .not(formula) }
    for link in links.reversed() { formula = .linked(link, formula) }
    return quantifier == .some ? formula : .not(formula)
  }
}
