package import Triples

/// A condition that every entity of an answer must meet: `city = "Lyon"`, `id = …`,
/// `author.handle = …`.
///
/// A change can affect the query only if the changed entity has or had the required value.
package struct EqualityConstraint: Sendable {
  /// Where the required value is. Queries that differ only in the value have the same place.
  package struct Place: Hashable, Sendable {
    /// The links from the answer's entity to the entity with the value.
    let links: [Link]
    /// The attribute of the value; nil for the entity's id.
    let attribute: AttributeID?
  }

  package let place: Place
  /// The required values. Every entity of the answer has at least one of them.
  package let keys: Set<Key>

  /// A value as a key for lookups. Values that a query considers equal have equal keys, but
  /// different values may also have equal keys.
  package enum Key: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)

    /// Creates the key of a value; nil for lists and objects, which a query never considers equal.
    init?(_ value: Value) {
      switch value {
      case .null: self = .null
      case .bool(let bool): self = .bool(bool)
      case .integer(let number): self = .number(Double(number))
      case .double(let number): self = .number(number)
      case .text(let text): self = .text(text)
      case .array, .object: return nil
      }
    }
  }

  /// Returns the keys of the values that an entity has at this path.
  package static func keys(
    of entity: EntityHandle, at place: Place, in store: TripleStore
  ) -> [Key] {
    var ends = [entity]
    for link in place.links { ends = ends.flatMap { store.targets($0, link) } }
    guard let attribute = place.attribute else {
      // A new entity does not exist in the old store.
      return ends.filter(store.knows).map { .text(store.id(of: $0).text) }
    }
    return ends.flatMap { store.values($0, attribute).compactMap(Key.init) }
  }
}

extension EqualityConstraint {
  /// Finds the most selective constraint of a plan.
  ///
  /// Nil if no condition requires a value. Nil also if the page has a cursor, since other entities
  /// can then affect the answer.
  package init?(_ plan: PreparedPlan) {
    if plan.plan.page.after != nil || plan.plan.page.before != nil { return nil }
    guard let best = Self.constraints(plan.formula, []).min(by: { $0.cost < $1.cost }) else {
      return nil
    }
    self = best.constraint
  }

  /// The maximum number of values of a constraint. A condition with more values is not used.
  private static let maxKeys = 64

  private init?(_ links: [Link], _ attribute: Attribute?, _ predicate: ValuePredicate) {
    let values: [Value]
    switch predicate {
    case .equal(let value): values = [value]
    case .oneOf(let list) where list.count <= Self.maxKeys: values = list
    case .oneOf, .notEqual, .range, .like, .matches, .null, .notNull, .stored: return nil
    }
    // Equal dates can be stored as different texts.
    if attribute?.checkedType == .date { return nil }
    place = Place(links: links, attribute: attribute?.id)
    keys = Set(values.compactMap(Key.init))
  }

  private static func constraints(
    _ formula: Formula, _ links: [Link]
  ) -> [(constraint: EqualityConstraint, cost: Int)] {
    switch formula {
    case .stored(let attribute, let predicate):
      let isKey = attribute.isUnique || attribute.valueType == .ref
      return EqualityConstraint(links, attribute, predicate)
        .map { [($0, links.count * 4 + (isKey ? 1 : 2))] } ?? []
    case .identity(let predicate):
      return EqualityConstraint(links, nil, predicate).map { [($0, links.count * 4)] } ?? []
    case .linked(let link, let inner): return constraints(inner, links + [link])
    case .all(let parts): return parts.flatMap { constraints($0, links) }
    case .always, .never, .reference, .identityPrefix, .compared, .counted, .computed, .not, .any,
      .joint:
      return []
    }
  }
}
