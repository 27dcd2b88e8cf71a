package import Triples

/// A value that every entity of an answer must have: `city = "Lyon"`, `id = …`, `author.handle = …`.
///
/// It tells of many queries at once which of them an entity can concern: those that ask for one of
/// the values that it has or had.
package struct Selector: Sendable {
  /// Where the value is; queries that differ only in the value have it in common.
  package struct Place: Hashable, Sendable {
    /// From the entity of the answer.
    let links: [Link]
    /// Nil is the id of the entity at the end.
    let attribute: AttributeID?
  }

  package let place: Place
  /// One of them is the entity's.
  package let keys: Set<Key>

  /// A value as far as equality in queries tells values apart, or less exactly.
  package enum Key: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)

    /// Nil for what is never equal to anything.
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

  /// The keys that an entity has at a place; as many as there are values.
  package static func keys(
    of entity: EntityHandle, at place: Place, in store: TripleStore
  ) -> [Key] {
    var ends = [entity]
    for link in place.links { ends = ends.flatMap { store.targets($0, link) } }
    guard let attribute = place.attribute else {
      // An entity that is new now is not known to the store as it was.
      return ends.filter(store.knows).map { .text(store.id(of: $0).text) }
    }
    return ends.flatMap { store.values($0, attribute).compactMap(Key.init) }
  }
}

extension Selector {
  /// The most telling selector of a plan; nil when no single value must be there, or when entities
  /// that do not match have a say.
  package init?(_ plan: PreparedPlan) {
    if plan.plan.page.after != nil || plan.plan.page.before != nil { return nil }
    guard let best = Self.selectors(plan.formula, []).min(by: { $0.cost < $1.cost }) else {
      return nil
    }
    self = best.selector
  }

  /// So many values are no selection.
  private static let mostKeys = 64

  private init?(_ links: [Link], _ attribute: Attribute?, _ predicate: ValuePredicate) {
    let values: [Value]
    switch predicate {
    case .equal(let value): values = [value]
    case .oneOf(let list) where list.count <= Self.mostKeys: values = list
    case .oneOf, .notEqual, .range, .like, .null, .notNull, .stored: return nil
    }
    // Dates are equal in many spellings.
    if attribute?.checkedType == .date { return nil }
    place = Place(links: links, attribute: attribute?.id)
    keys = Set(values.compactMap(Key.init))
  }

  private static func selectors(
    _ formula: Formula, _ links: [Link]
  ) -> [(selector: Selector, cost: Int)] {
    switch formula {
    case .stored(let attribute, let predicate):
      let isKey = attribute.isUnique || attribute.valueType == .ref
      return Selector(links, attribute, predicate)
        .map { [($0, links.count * 4 + (isKey ? 1 : 2))] } ?? []
    case .identity(let predicate):
      return Selector(links, nil, predicate).map { [($0, links.count * 4)] } ?? []
    case .linked(let link, let inner): return selectors(inner, links + [link])
    case .all(let parts): return parts.flatMap { selectors($0, links) }
    case .always, .never, .reference, .identityPrefix, .compared, .not, .any, .joint: return []
    }
  }
}
