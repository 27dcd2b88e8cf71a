import Triples

/// A condition whose names are resolved to the attributes and links of a schema.
///
/// `FormulaBuilder` creates the formula from a plan's condition, and limits its depth. `Evaluator`
/// finds the entities that satisfy the formula.
indirect enum Formula: Sendable {
  case always
  case never
  /// Any stored value of the attribute satisfies the predicate.
  case stored(Attribute, ValuePredicate)
  /// Any stored value passes the test, by the rules of InstantDB's client.
  case reference(ReferenceTest)
  /// The entity's own id satisfies the predicate. The entity need not belong to any namespace.
  case identity(ValuePredicate)
  /// The id begins with these hexadecimal digits.
  case identityPrefix(String)
  /// Any entity at the other end of the link satisfies the formula.
  case linked(Link, Formula)
  /// Compares two values of one entity.
  case compared(FieldComparison)
  /// The number of entities at the end of the links satisfies the comparison.
  case counted([Link], Comparison, Int)
  /// The entity's computed value passes the test.
  case computed(ComputedTest)
  case not(Formula)
  case all([Formula])
  case any([Formula])
  /// Several paths lead through the same linked entities; see `JointPattern`.
  case joint(JointPattern)

  /// Whether the formula can find its matches with an index. Otherwise it can only test given
  /// entities.
  var findsByItself: Bool {
    switch self {
    case .always, .not, .compared, .counted, .computed, .identityPrefix: false
    case .never, .stored, .reference, .joint: true
    case .identity(.equal), .identity(.oneOf), .identity(.null): true
    case .identity: false
    case .linked(_, .always): true
    case .linked(_, let inner): inner.findsByItself
    case .all(let parts): parts.contains { $0.findsByItself }
    case .any(let parts): parts.allSatisfy { $0.findsByItself }
    }
  }

  /// Returns a formula that requires all parts. Nested conjunctions become part of it.
  static func conjunction(_ parts: [Formula]) -> Formula {
    var flat: [Formula] = []
    for part in parts {
      switch part {
      case .always: continue
      case .never: return .never
      case .all(let inner): flat += inner
      default: flat.append(part)
      }
    }
    return flat.isEmpty ? .always : flat.count == 1 ? flat[0] : .all(flat)
  }

  /// Returns a formula that requires at least one part. Nested disjunctions become part of it.
  ///
  /// Equality tests of the same attribute become a single list test, so that a long `or` reads the
  /// attribute's column only once.
  static func disjunction(_ parts: [Formula]) -> Formula {
    var flat: [Formula] = []
    var lists: [AttributeID: Int] = [:]
    var wanted: [AttributeID: [Value]] = [:]
    for part in parts {
      switch part {
      case .never: continue
      case .always: return .always
      case .any(let inner): flat += inner
      case .stored(let attribute, .equal(let value)):
        if lists.updateValue(lists[attribute.id] ?? flat.count, forKey: attribute.id) == nil {
          flat.append(part)
        }
        wanted[attribute.id, default: []].append(value)
      default: flat.append(part)
      }
    }
    for (attribute, place) in lists {
      guard let values = wanted[attribute], values.count > 1,
        case .stored(let attribute, _) = flat[place]
      else { continue }
      flat[place] = .stored(attribute, .oneOf(values))
    }
    return flat.isEmpty ? .never : flat.count == 1 ? flat[0] : .any(flat)
  }
}

/// The entities among which an evaluation searches.
enum Scope {
  case anything
  case namespace(String)
  case rows(RowSet)
}

extension TripleStore {
  /// Returns the targets to which the link leads from any entity in `rows`.
  func reached(along link: Link, from rows: RowSet) -> RowSet {
    switch link.direction {
    case .forward: targets(link.attribute.id, of: rows)
    case .reverse: sources(link.attribute.id, pointingTo: rows)
    }
  }

  /// Returns the number of distinct entities at the end of the links.
  func countOfLinked(_ entity: EntityHandle, along links: [Link]) -> Int {
    linked(entity, along: links).count
  }

  /// Returns the entities with a link to any entity in `rows`.
  func reaching(along link: Link, to rows: RowSet) -> RowSet {
    switch link.direction {
    case .forward: sources(link.attribute.id, pointingTo: rows)
    case .reverse: targets(link.attribute.id, of: rows)
    }
  }
}
