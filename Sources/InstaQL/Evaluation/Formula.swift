import Triples

/// A condition with resolved names.
///
/// It is created by `FormulaBuilder` from a plan and a schema, with limited nesting depth, and
/// evaluated by `Evaluator` for sets of entities.
indirect enum Formula: Sendable {
  case always
  case never
  /// Any stored value of the attribute satisfies the predicate.
  case stored(Attribute, ValuePredicate)
  /// Any stored value satisfies the test by the rules of the reference client.
  case reference(ReferenceTest)
  /// The entity's own id satisfies the predicate. The entity may belong to no namespace.
  case identity(ValuePredicate)
  /// The id begins with these hexadecimal digits.
  case identityPrefix(String)
  /// Any entity at the other end of the link satisfies the formula.
  case linked(Link, Formula)
  /// Compares two values of one entity.
  case compared(FieldComparison)
  /// Compares the number of entities at the end of the links.
  case counted([Link], Comparison, Int)
  /// Tests a computed value.
  case computed(ComputedTest)
  case not(Formula)
  case all([Formula])
  case any([Formula])
  /// Joint paths that must meet in the same entities.
  case joint(JointPattern)

  /// Whether the formula can find its matching entities without a set of candidates to test.
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

  /// Returns the conjunction of the parts, without unnecessary nesting.
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

  /// Returns the disjunction of the parts, without unnecessary nesting. Equalities of one attribute
  /// become one list, so that a long `or` reads the column once.
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

/// The set of entities that an evaluation considers.
enum Scope {
  case anything
  case namespace(String)
  case rows(RowSet)
}

extension TripleStore {
  /// Returns the entities that the link reaches from any of `rows`.
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

  /// Returns the entities from which a link leads to any of `rows`.
  func reaching(along link: Link, to rows: RowSet) -> RowSet {
    switch link.direction {
    case .forward: sources(link.attribute.id, pointingTo: rows)
    case .reverse: targets(link.attribute.id, of: rows)
    }
  }
}
