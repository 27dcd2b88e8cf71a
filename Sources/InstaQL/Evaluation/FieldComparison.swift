import Triples

/// A comparison of two values of one entity, each at the end of a path.
///
/// If a path ends at several values, the comparison is true if any pair of values satisfies it. The
/// exception is `different`, which is true if no pair is equal. A missing value or null equals
/// nothing, and is not less or greater than anything.
struct FieldComparison: Sendable {
  enum Relation: Sendable { case equal, different, less, lessOrEqual, greater, greaterOrEqual }

  struct Side: Sendable {
    var links: [Link]
    var attribute: Attribute
  }

  var left: Side
  var relation: Relation
  var right: Side

  func holds(for entity: EntityHandle, in store: TripleStore) -> Bool {
    let left = Self.values(left, of: entity, in: store)
    let right = Self.values(right, of: entity, in: store)
    let isDate = [self.left, self.right].contains { $0.attribute.checkedType == .date }
    return Self.holds(left, relation, right, isDate: isDate)
  }

  /// Returns whether the relation holds for any pair of a left and a right value. `different` holds
  /// only if no pair is equal.
  static func holds(
    _ left: [Value], _ relation: Relation, _ right: [Value], isDate: Bool
  ) -> Bool {
    let test = relation == .different ? Relation.equal : relation
    let found = left.contains { a in
      right.contains { b in Self.holds(a, test, b, isDate: isDate) }
    }
    return relation == .different ? !found : found
  }

  private static func values(_ side: Side, of entity: EntityHandle, in store: TripleStore)
    -> [Value]
  {
    var entities = [entity]
    for link in side.links { entities = entities.flatMap { store.targets($0, link) } }
    return entities.flatMap { store.values($0, side.attribute.id) }.filter { $0 != .null }
  }

  private static func holds(_ a: Value, _ relation: Relation, _ b: Value, isDate: Bool) -> Bool {
    let reading = isDate ? SortValue.Reading.instants : .codeUnits
    let left = SortValue(a, reading)
    let right = SortValue(b, reading)
    guard left.isComparable(to: right) else { return false }
    let order = left.compare(right, collated: false)
    return switch relation {
    case .equal: order == 0
    case .different: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

extension SortValue {
  /// Returns whether both values are numbers, both are texts, or both are booleans.
  fileprivate func isComparable(to other: SortValue) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double): true
    case (.text, .text), (.boolean, .boolean): true
    default: false
    }
  }
}
