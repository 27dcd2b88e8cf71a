import Triples

/// Resolves the names of a condition with a schema.
///
/// An unknown name anywhere makes the whole answer empty: check `hasUnknownName` afterwards.
struct FormulaBuilder {
  let schema: Schema
  let rules: QueryOptions.Rules
  private(set) var hasUnknownName = false
  /// Whether the entity is certainly a member of its namespace, like the entities of a plan.
  private var isAboutMember = true

  init(schema: Schema, rules: QueryOptions.Rules = .recommended) {
    self.schema = schema
    self.rules = rules
  }

  /// The maximum nesting depth of conditions and paths.
  static let maxDepth = 400

  /// The formula of a whole filter, in which paths of one object share entities.
  mutating func build(_ node: ConditionNode, in namespace: String) throws(QueryError) -> Formula {
    if case .together(let parts) = node, rules == .recommended {
      return try shared(parts, in: namespace)
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
        AttributePath(links + ["id"]), in: namespace, asking: .idPrefix(prefix.lowercased()))
    case .compareFields(let left, let comparison, let right):
      return try fields(left, comparison, right, in: namespace)
    case .together(let parts) where rules != .recommended:
      return try met(parts, in: namespace, depth: depth + 1)
    case .all(let parts), .together(let parts):
      return .conjunction(try each(parts, in: namespace, depth: depth + 1))
    case .any(let parts):
      return .disjunction(try each(parts, in: namespace, depth: depth + 1))
    case .not(let inner): return .not(try build(inner, in: namespace, depth: depth + 1))
    case .quantified(let quantifier, let path, let inner):
      return try quantified(quantifier, path, inner, in: namespace, depth: depth + 1)
    case .linkCount(let path, let comparison, let count):
      guard let links = try links(path.labels, from: namespace) else { return .never }
      return present(.counted(links, comparison, count), in: namespace)
    }
  }

  /// The formula for members of the namespace only, as a missing entity has no links.
  private func present(_ formula: Formula, in namespace: String) -> Formula {
    if isAboutMember { return formula }
    guard let membership = schema.attribute(namespace, "id") else { return .never }
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
    path: "", reason: "Conditions nest deeper than \(maxDepth) levels; split the query")

  // MARK: Names

  /// The link of that label; nil, and recorded, when the namespace has none.
  mutating func link(_ label: String, of namespace: String) throws(QueryError) -> Link? {
    if let link = schema.link(namespace, label) { return link }
    if schema.attribute(namespace, label) != nil {
      throw .notALink(label: label, namespace: namespace)
    }
    hasUnknownName = true
    return nil
  }

  /// The links of a path, as many as exist.
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

  // MARK: Single conditions

  /// The test at the end of a path.
  enum Question {
    /// Any value satisfies this.
    case positive(ValuePredicate)
    /// Any value differs from this, or there is none.
    case notEqual(Value)
    case isNull
    case idPrefix(String)
    /// Any value passes by the rules of the reference client.
    case reference(ReferenceTest.Question)
    case never

    /// Whether a path that ends early is a match.
    var holdsForMissing: Bool {
      switch self {
      case .notEqual, .isNull: true
      case .positive, .idPrefix, .reference, .never: false
      }
    }
  }

  private mutating func follow(
    _ path: AttributePath, in namespace: String, asking question: Question
  ) throws(QueryError) -> Formula {
    guard let links = try links(path.links, from: namespace) else { return .never }
    let wasAboutMember = isAboutMember
    defer { isAboutMember = wasAboutMember }
    isAboutMember = isAboutMember && links.isEmpty
    var formula = try end(path.label, of: links.last?.target ?? namespace, asking: question)
    for (place, link) in links.enumerated().reversed() {
      formula = .linked(link, formula)
      if question.holdsForMissing {
        let start = place == 0 ? namespace : links[place - 1].target
        formula = .disjunction([formula, missing(.linked(link, .always), of: start)])
      }
    }
    return formula
  }

  /// True without such values. An entity that is not a member of the namespace, but only the
  /// target of a link, is not missing values.
  func missing(_ formula: Formula, of namespace: String) -> Formula {
    guard let membership = schema.attribute(namespace, "id") else { return .never }
    return .conjunction([.not(formula), .stored(membership, .stored)])
  }

  /// The test of the last label of a path.
  mutating func end(
    _ label: String, of namespace: String, asking question: Question
  ) throws(QueryError) -> Formula {
    if label == "id", let membership = schema.attribute(namespace, "id") {
      return identity(membership, asking: question)
    }
    if let attribute = schema.attribute(namespace, label), attribute.valueType == .blob {
      return try own(attribute, asking: question)
    }
    if let link = schema.link(namespace, label) {
      return reference(link, of: namespace, asking: question)
    }
    hasUnknownName = true
    return .never
  }

  private func own(
    _ attribute: Attribute, asking question: Question
  ) throws(QueryError) -> Formula {
    switch question {
    case .never, .idPrefix: return .never
    case .reference(let question): return .reference(reference(attribute, question))
    case .positive(.equal(.null)):
      throw .invalid(
        path: attribute.label, reason: "Null is not a value to compare with; ask for $isNull")
    case .positive(let predicate): return .stored(attribute, predicate)
    case .notEqual(let value) where rules != .recommended && value != .null:
      return .any([
        .reference(reference(attribute, .compare(.notEqual, value))),
        missing(.stored(attribute, .stored), of: attribute.namespace),
      ])
    case .isNull where isAboutMember: return .not(.stored(attribute, .notNull))
    case .isNull: return missing(.stored(attribute, .notNull), of: attribute.namespace)
    case .notEqual(.null): return .always
    case .notEqual(let value) where isAboutMember && attribute.cardinality == .one:
      return .not(.stored(attribute, .equal(value)))
    case .notEqual(let value):
      return .any([
        .stored(attribute, .notEqual(value)),
        missing(.stored(attribute, .stored), of: attribute.namespace),
      ])
    }
  }

  private func identity(_ membership: Attribute, asking question: Question) -> Formula {
    switch question {
    case .never, .isNull: .never
    case .reference(let question): identity(membership, asking: Question(question))
    case .notEqual(.null): .always
    case .positive(.notNull): .stored(membership, .stored)
    case .positive(let predicate): .all([.identity(predicate), .stored(membership, .stored)])
    case .idPrefix(let prefix): .all([.stored(membership, .stored), .identityPrefix(prefix)])
    case .notEqual(let value):
      .all([.stored(membership, .stored), .not(.identity(.equal(value)))])
    }
  }

  /// A comparison of a link with an id; the target does not need to exist.
  private func reference(
    _ link: Link, of namespace: String, asking question: Question
  ) -> Formula {
    let missing = missing(.linked(link, .always), of: namespace)
    let isOdd = rules != .recommended && link.direction == .reverse
    switch question {
    // The reference client supports only equality on reverse links.
    case .reference(.isIn) where isOdd: return .never
    case .notEqual(let value) where isOdd && value != .null: return missing
    case .reference(let inner): return reference(link, of: namespace, asking: Question(inner))
    case .never, .positive(.equal(.null)): return .never
    case .notEqual(.null): return .always
    case .positive(.notNull): return .linked(link, .always)
    case .positive(let predicate): return .linked(link, .identity(predicate))
    case .isNull: return missing
    case .idPrefix(let prefix): return .linked(link, .identityPrefix(prefix))
    case .notEqual(let value):
      return .any([.linked(link, .not(.identity(.equal(value)))), missing])
    }
  }

  private mutating func fields(
    _ left: AttributePath, _ comparison: Comparison, _ right: AttributePath, in namespace: String
  ) throws(QueryError) -> Formula {
    guard let relation = FieldComparison.Relation(comparison) else {
      throw .invalid(
        path: left.dotted, reason: "Two fields cannot be compared with '\(comparison.spelling)'")
    }
    guard let left = try side(left, in: namespace), let right = try side(right, in: namespace)
    else { return .never }
    return .compared(FieldComparison(left: left, relation: relation, right: right))
  }

  private mutating func side(
    _ path: AttributePath, in namespace: String
  ) throws(QueryError) -> FieldComparison.Side? {
    guard let links = try links(path.links, from: namespace) else { return nil }
    let namespace = links.last?.target ?? namespace
    guard let attribute = schema.attribute(namespace, path.label) else {
      hasUnknownName = true
      return nil
    }
    return FieldComparison.Side(links: links, attribute: attribute)
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

  // MARK: Paths that share

  /// Combines the parts of one object. Parts that follow links to existing values share entities.
  private mutating func shared(
    _ parts: [ConditionNode], in namespace: String
  ) throws(QueryError) -> Formula {
    var pattern = JointPatternBuilder(namespace: namespace)
    var formulas: [Formula] = []
    for part in parts {
      guard let (path, question) = sharing(part) else {
        formulas.append(try build(part, in: namespace, depth: 0))
        continue
      }
      guard let links = try links(path.links, from: namespace) else { return .never }
      isAboutMember = false
      let test = try end(path.label, of: links.last?.target ?? namespace, asking: question)
      isAboutMember = true
      pattern.add(links, test)
    }
    return .conjunction(formulas + [pattern.formula])
  }

  /// The path and test of a condition that binds entities on its path; nil for others.
  private func sharing(
    _ node: ConditionNode
  ) -> (path: AttributePath, question: Question)? {
    switch node {
    case .compare(let path, let comparison, let value) where !path.isOwn:
      let question = Question(comparison, value)
      return question.holdsForMissing ? nil : (path, question)
    case .isIn(let path, let values) where !path.isOwn: return (path, .positive(.oneOf(values)))
    case .isNull(let path, false) where !path.isOwn: return (path, .positive(.notNull))
    case .idStartsWith(let links, let prefix) where !links.isEmpty:
      return (AttributePath(links + ["id"]), .idPrefix(prefix.lowercased()))
    default: return nil
    }
  }
}

extension FormulaBuilder.Question {
  /// A comparison with a value. Null has no order and matches no pattern.
  init(_ comparison: Comparison, _ value: Value) {
    switch comparison {
    case .equal: self = .positive(.equal(value))
    case .notEqual: self = .notEqual(value)
    case .greater: self = value == .null ? .never : .positive(.greater(than: value))
    case .greaterOrEqual:
      self = value == .null ? .never : .positive(.greater(than: value, orEqual: true))
    case .less: self = value == .null ? .never : .positive(.less(than: value))
    case .lessOrEqual:
      self = value == .null ? .never : .positive(.less(than: value, orEqual: true))
    case .like, .ilike:
      guard case .text(let pattern) = value else {
        self = .never
        return
      }
      self = .positive(.like(LikePattern(pattern, ignoringCase: comparison == .ilike)))
    }
  }
}

extension FormulaBuilder.Question {
  /// The test of ids, which are texts, by the rules of the reference client.
  init(_ question: ReferenceTest.Question) {
    switch question {
    case .compare(let comparison, let value): self.init(comparison, value)
    case .isIn(let values): self = .positive(.oneOf(values))
    }
  }
}

extension FieldComparison.Relation {
  init?(_ comparison: Comparison) {
    switch comparison {
    case .equal: self = .equal
    case .notEqual: self = .different
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    case .like, .ilike: return nil
    }
  }
}
