import Triples

/// Builds the tests at the ends of paths.
extension FormulaBuilder {
  mutating func follow(
    _ path: AttributePath, in namespace: String, asking question: ValueQuestion
  ) throws(QueryError) -> Formula {
    if let expression = path.expression {
      guard case .path(let plain) = expression else {
        return try computed(path, in: namespace, asking: question)
      }
      return try follow(plain, in: namespace, asking: question)
    }
    if let json = jsonPath(path, in: namespace) {
      return try follow(json, of: path, in: namespace, asking: question)
    }
    guard let links = try links(path.links, from: namespace) else { return .never }
    let wasAboutMember = isAboutMember
    defer { isAboutMember = wasAboutMember }
    isAboutMember = isAboutMember && links.isEmpty
    let formula = try end(path.label, of: links.last?.target ?? namespace, asking: question)
    return through(links, formula, from: namespace, holdsForMissing: question.holdsForMissing)
  }

  /// Returns a formula that is true if any entity at the end of the links satisfies `formula`.
  ///
  /// - Parameter holdsForMissing: Whether the new formula is also true for an entity without these
  ///   links.
  func through(
    _ links: [Link], _ formula: Formula, from namespace: String, holdsForMissing: Bool
  ) -> Formula {
    var formula = formula
    for (place, link) in links.enumerated().reversed() {
      formula = .linked(link, formula)
      if holdsForMissing {
        let start = place == 0 ? namespace : links[place - 1].target
        formula = .disjunction([formula, missing(.linked(link, .always), of: start)])
      }
    }
    return formula
  }

  /// Returns a formula that is true for the members of the namespace that do not satisfy `formula`.
  ///
  /// So it is false for a link's target that is not a member.
  func missing(_ formula: Formula, of namespace: String) -> Formula {
    guard let membership = schema.identity(of: namespace) else { return .never }
    return .conjunction([.not(formula), .stored(membership, .stored)])
  }

  /// Returns the formula for the test of a path's last label.
  mutating func end(
    _ label: String, of namespace: String, asking question: ValueQuestion
  ) throws(QueryError) -> Formula {
    if let membership = schema.identity(of: namespace), label == membership.label {
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
    _ attribute: Attribute, asking question: ValueQuestion
  ) throws(QueryError) -> Formula {
    switch question {
    case .never, .idPrefix: return .never
    case .reference(let question): return .reference(reference(attribute, question))
    case .positive(.equal(.null)):
      throw .invalid(
        path: attribute.label,
        reason: "a value cannot be compared with null; use $isNull, or 'is null' in query text")
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

  private func identity(_ membership: Attribute, asking question: ValueQuestion) -> Formula {
    switch question {
    case .never, .isNull: .never
    case .reference(let question): identity(membership, asking: ValueQuestion(question))
    case .notEqual(.null): .always
    case .positive(.notNull): .stored(membership, .stored)
    case .positive(let predicate): .all([.identity(predicate), .stored(membership, .stored)])
    case .idPrefix(let prefix): .all([.stored(membership, .stored), .identityPrefix(prefix)])
    case .notEqual(let value):
      .all([.stored(membership, .stored), .not(.identity(.equal(value)))])
    }
  }

  /// Returns a formula that compares a link's targets with an id. No entity with this id needs to
  /// exist.
  private func reference(
    _ link: Link, of namespace: String, asking question: ValueQuestion
  ) -> Formula {
    let missing = missing(.linked(link, .always), of: namespace)
    let isOdd = rules != .recommended && link.direction == .reverse
    switch question {
    // For a reverse link, InstantDB's client supports only equality.
    case .reference(.isIn) where isOdd: return .never
    case .notEqual(let value) where isOdd && value != .null: return missing
    case .reference(let inner): return reference(link, of: namespace, asking: ValueQuestion(inner))
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

  mutating func fields(
    _ left: AttributePath, _ comparison: Comparison, _ right: AttributePath, in namespace: String
  ) throws(QueryError) -> Formula {
    guard let relation = FieldComparison.Relation(comparison) else {
      throw .invalid(
        path: left.dotted, reason: "two fields cannot be compared with '\(comparison.spelling)'")
    }
    var isComputed = left.expression != nil || right.expression != nil
    for path in [left, right] where jsonPath(path, in: namespace) != nil { isComputed = true }
    if isComputed {
      return try computed(left, relation, right, in: namespace)
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
    case .like, .ilike, .matches: return nil
    }
  }
}
