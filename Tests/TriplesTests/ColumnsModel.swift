import Triples

/// A reference store: a list of triples that is scanned for every query.
struct ListOfTriples: Equatable {
  struct Triple: Equatable {
    var entity: String
    var attribute: AttributeID
    var value: Value
    var time: Int64
  }

  var attributes: [Attribute] = []
  var triples: [Triple] = []

  func attribute(_ id: AttributeID) -> Attribute { attributes.first { $0.id == id }! }

  func values(_ entity: String, _ attribute: AttributeID) -> [Value] {
    triples.filter { $0.entity == entity && $0.attribute == attribute }.map(\.value)
  }

  mutating func insert(_ value: Value, of entity: String, _ id: AttributeID, at time: Int64) {
    let existing = triples.indices.filter {
      triples[$0].entity == entity && triples[$0].attribute == id
    }
    if existing.contains(where: { triples[$0].value == value }) { return }
    if attribute(id).cardinality == .one, let place = existing.first {
      triples[place].value = value
    } else {
      triples.append(Triple(entity: entity, attribute: id, value: value, time: time))
    }
  }

  mutating func retract(_ value: Value, of entity: String, _ id: AttributeID) {
    triples.removeAll { $0.entity == entity && $0.attribute == id && $0.value == value }
  }

  mutating func removeTriples(of entity: String, in namespace: String?) {
    let known = attributes
    triples.removeAll { triple in
      let attribute = known.first { $0.id == triple.attribute }!
      let isOwn = triple.entity == entity
      if isOwn && (namespace == nil || attribute.namespace == namespace) { return true }
      guard attribute.valueType == .ref, triple.value == .text(entity) else { return false }
      return namespace == nil || attribute.reverse?.namespace == namespace
    }
  }

  /// The entities with any value that passes.
  func entities(_ attribute: AttributeID, where passes: (Value) -> Bool) -> Set<String> {
    Set(triples.filter { $0.attribute == attribute && passes($0.value) }.map(\.entity))
  }
}

/// An independent implementation of predicates without shortcuts.
func holds(_ predicate: ValuePredicate, _ value: Value, isDate: Bool) -> Bool {
  func number(_ value: Value) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .bool(let value): value ? 1 : 0
    default: nil
    }
  }
  func instant(_ value: Value) -> Int64? {
    switch value {
    case .integer(let number): number
    case .double(let number): Int64(number)
    case .text(let text): Instant(text)?.milliseconds
    default: nil
    }
  }
  func equal(_ a: Value, _ b: Value) -> Bool {
    if isDate, let a = instant(a), let b = instant(b) { return a == b }
    switch (a, b) {
    case (.array, _), (.object, _): return false
    case (.integer(let a), .double(let b)), (.double(let b), .integer(let a)):
      return Double(a) == b
    default: return a == b
    }
  }
  /// Negative, zero or positive; nil when the two cannot be compared.
  func order(_ a: Value, _ b: Value) -> Int? {
    func sign<N: Comparable>(_ a: N, _ b: N) -> Int { a < b ? -1 : a > b ? 1 : 0 }
    if isDate {
      guard let a = instant(a), let b = instant(b) else { return nil }
      return sign(a, b)
    }
    if case .text(let a) = a, case .text(let b) = b {
      if a == b { return 0 }
      return a.utf16.lexicographicallyPrecedes(b.utf16) ? -1 : 1
    }
    func isBool(_ value: Value) -> Bool { if case .bool = value { true } else { false } }
    guard isBool(a) == isBool(b), let a = number(a), let b = number(b) else { return nil }
    return sign(a, b)
  }
  switch predicate {
  case .equal(let wanted): return equal(value, wanted)
  case .oneOf(let wanted): return wanted.contains { equal(value, $0) }
  case .notEqual(let wanted): return !equal(value, wanted)
  case .null: return value == .null
  case .notNull: return value != .null
  case .stored: return true
  case .like(let pattern):
    guard case .text(let text) = value else { return false }
    return isLike(Array(text), Array(pattern.text)[...])
  case .matches(let expression):
    guard case .text(let text) = value else { return false }
    return expression.matches(text)
  case .range(let lower, let upper):
    if let lower {
      guard let order = order(value, lower.value) else { return false }
      if order < 0 || (order == 0 && !lower.isInclusive) { return false }
    }
    if let upper {
      guard let order = order(value, upper.value) else { return false }
      if order > 0 || (order == 0 && !upper.isInclusive) { return false }
    }
    return true
  }
}

/// Matches `%` and `_` by trying everything.
private func isLike(_ text: [Character], _ pattern: ArraySlice<Character>) -> Bool {
  guard let first = pattern.first else { return text.isEmpty }
  let rest = pattern.dropFirst()
  if first == "%" {
    return (0...text.count).contains { isLike(Array(text[$0...]), rest) }
  }
  guard let next = text.first, first == "_" || first == next else { return false }
  return isLike(Array(text.dropFirst()), rest)
}
