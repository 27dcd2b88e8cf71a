import Triples

/// Finds the entities that satisfy a formula. Each step processes a whole set of entities.
///
/// If there are several conditions, the condition with the smallest estimate runs first, on an
/// index if there is one. The other conditions test only the entities that it found. The order does
/// not affect the result.
struct Evaluator {
  let store: TripleStore
  /// The number of steps that the current search in a joint pattern may still take.
  private var steps = 0
  /// The recorded steps, for `explain`; nil if no caller needs them.
  var trace: EvaluationTrace?

  /// The maximum number of steps of a search. Each starting entity adds `maxStepsPerEntity` to it.
  private static let maxSteps = 1_000_000
  private static let maxStepsPerEntity = 64

  init(store: TripleStore, trace: EvaluationTrace? = nil) {
    self.store = store
    self.trace = trace
  }

  /// Returns the entities in scope that satisfy the formula.
  mutating func rows(_ formula: Formula, in scope: Scope) throws(QueryError) -> RowSet {
    try QueryEngine.checkWanted()
    switch formula {
    case .always: return materialize(scope)
    case .never: return RowSet()
    case .stored(let attribute, let predicate):
      return stored(attribute, predicate, in: scope)
    case .reference(let test):
      return filter(stored(test.attribute, .stored, in: scope)) { store, row in
        test.holds(for: row, in: store)
      }
    case .identity(let predicate): return identities(predicate, in: scope)
    case .identityPrefix(let prefix):
      return filter(materialize(scope)) { store, row in store.id(of: row).text.hasPrefix(prefix) }
    case .linked(let link, let inner): return try linked(link, inner, in: scope)
    case .compared(let comparison):
      return filter(materialize(scope)) { store, row in comparison.holds(for: row, in: store) }
    case .counted(let links, let comparison, let count):
      return filter(materialize(scope)) { store, row in
        comparison.holds(store.countOfLinked(row, along: links), count)
      }
    case .computed(let test): return try computed(test, in: scope)
    case .not(let inner):
      let domain = materialize(scope)
      return domain.subtracting(try rows(inner, in: .rows(domain)))
    case .all(let parts): return try conjunction(parts, in: scope)
    case .any(let parts): return try disjunction(parts, in: scope)
    case .joint(let pattern): return try joint(pattern, in: scope)
    }
  }

  /// Returns an estimate of how many entities satisfy the formula.
  func estimate(_ formula: Formula, in scope: Scope) -> Int {
    let most =
      switch scope {
      case .anything: Int.max / 4
      case .namespace(let namespace): store.count(of: namespace)
      case .rows(let rows): rows.count
      }
    return min(most, estimate(formula, among: most))
  }

  private func estimate(_ formula: Formula, among most: Int) -> Int {
    switch formula {
    case .always, .compared, .counted: most
    case .computed: max(1, most / 3)
    case .not(let inner): max(0, most - estimate(inner, among: most))
    case .never: 0
    case .stored(let attribute, let predicate): store.estimate(attribute.id, predicate)
    case .reference: most / 3
    case .identity(.equal): 1
    case .identity(.oneOf(let values)): values.count
    case .identity, .identityPrefix: most / 3
    case .linked(let link, let inner):
      estimate(inner, in: .namespace(link.target)) * fanIn(of: link)
    case .all(let parts): parts.map { estimate($0, among: most) }.min() ?? most
    case .any(let parts): parts.reduce(0) { min(most, $0 + estimate($1, among: most)) }
    case .joint(let pattern):
      pattern.variables.map { estimate($0.test, among: store.count(of: $0.namespace)) }.min()
        ?? most
    }
  }

  /// Returns the estimated number of entities that link to the same target: the average over all
  /// targets.
  private func fanIn(of link: Link) -> Int {
    switch (link.direction, link.attribute.cardinality) {
    case (.reverse, .one): 1
    case (.forward, .one):
      max(1, store.count(of: link.reversed.target) / max(1, store.count(of: link.target)))
    case (.forward, .many), (.reverse, .many): Self.defaultFanIn
    }
  }

  /// The assumed number of entities that link to the same target, if the link is many-valued.
  private static let defaultFanIn = 4

  // MARK: Parts

  mutating func materialize(_ scope: Scope) -> RowSet {
    switch scope {
    case .anything: store.schema.namespaces.reduce(RowSet()) { $0.union(store.rows(of: $1)) }
    case .namespace(let namespace): store.rows(of: namespace)
    case .rows(let rows): rows
    }
  }

  /// Returns the entities of `rows` that are in scope.
  func clip(_ rows: RowSet, to scope: Scope) -> RowSet {
    switch scope {
    case .anything: return rows
    case .rows(let domain): return rows.intersection(domain)
    case .namespace(let namespace):
      if rows.count < Self.maxRowsTestedSingly {
        var kept = RowSet()
        rows.forEach { if store.contains($0, in: namespace) { kept.insert($0) } }
        return kept
      }
      return rows.intersection(store.rows(of: namespace))
    }
  }

  /// Sets with fewer entities are tested entity by entity, larger sets with an index.
  private static let maxRowsTestedSingly = 64

  private func stored(
    _ attribute: Attribute, _ predicate: ValuePredicate, in scope: Scope
  ) -> RowSet {
    switch scope {
    case .rows(let domain): store.rows(attribute.id, predicate, within: domain)
    case .anything, .namespace: clip(store.rows(attribute.id, predicate), to: scope)
    }
  }

  private mutating func identities(_ predicate: ValuePredicate, in scope: Scope) -> RowSet {
    let wanted: [Value]
    switch predicate {
    case .equal(let value): wanted = [value]
    case .oneOf(let values): wanted = values
    case .stored, .notNull: return materialize(scope)
    case .null: return RowSet()
    case .notEqual, .range, .like, .matches:
      return filter(materialize(scope)) { store, row in
        predicate.matches(text: store.id(of: row).text)
      }
    }
    var found = RowSet()
    for case .text(let text) in wanted {
      // An id is compared as text, so case matters.
      if let row = store.handle(of: EntityID(text)), store.id(of: row).text == text {
        found.insert(row)
      }
    }
    return clip(found, to: scope)
  }

  private func filter(_ rows: RowSet, _ holds: (TripleStore, EntityHandle) -> Bool) -> RowSet {
    var kept = RowSet()
    rows.forEach { if holds(store, $0) { kept.insert($0) } }
    return kept
  }

  /// Returns the entities in scope whose computed value passes the test.
  private mutating func computed(_ test: ComputedTest, in scope: Scope) throws(QueryError) -> RowSet
  {
    var kept = RowSet()
    for (number, entity) in materialize(scope).handles.enumerated() {
      if number % 1_024 == 0 { try QueryEngine.checkWanted() }
      if test.holds(for: entity, in: store) { kept.insert(entity) }
    }
    return kept
  }

  private mutating func conjunction(
    _ parts: [Formula], in scope: Scope
  ) throws(QueryError) -> RowSet {
    let guesses = parts.map { estimate($0, in: scope) }
    let order = parts.indices.sorted { a, b in
      let (left, right) = (parts[a], parts[b])
      if left.findsByItself != right.findsByItself { return left.findsByItself }
      return (guesses[a], a) < (guesses[b], b)
    }
    var scope = scope
    for place in order {
      let token = beginStep(parts[place], in: scope)
      let found = try rows(parts[place], in: scope)
      trace?.end(token, found: found.count)
      if found.isEmpty { return found }
      scope = .rows(found)
    }
    return materialize(scope)
  }

  private mutating func disjunction(
    _ parts: [Formula], in scope: Scope
  ) throws(QueryError) -> RowSet {
    var scope = scope
    if parts.count > 1, !parts.allSatisfy({ $0.findsByItself }) {
      scope = .rows(materialize(scope))
    }
    var found = RowSet()
    for part in parts { found.formUnion(try rows(part, in: scope)) }
    return found
  }

  /// Returns the entities in scope with a link to an entity that satisfies `inner` (a semi-join).
  ///
  /// It follows the link from the entities in scope if they are few, or if no index can find the
  /// matches of `inner`. Otherwise it first finds these matches, and follows the link backwards.
  private mutating func linked(
    _ link: Link, _ inner: Formula, in scope: Scope
  ) throws(QueryError) -> RowSet {
    if case .always = inner { return connected(link, in: scope) }
    var goesForward = !inner.findsByItself
    if case .rows(let domain) = scope, !goesForward {
      goesForward = domain.count * 4 < estimate(inner, in: .namespace(link.target))
    }
    guard goesForward else {
      let ends = try ends(of: link, inner, in: .anything)
      return clip(store.reaching(along: link, to: ends), to: scope)
    }
    let domain = materialize(scope)
    let ends = try ends(of: link, inner, in: .rows(store.reached(along: link, from: domain)))
    return store.reaching(along: link, to: ends).intersection(domain)
  }

  private mutating func ends(
    of link: Link, _ inner: Formula, in scope: Scope
  ) throws(QueryError) -> RowSet {
    guard trace != nil else { return try rows(inner, in: scope) }
    let token = beginStep(of: link.target, inner, in: scope)
    let found = try rows(inner, in: scope)
    trace?.end(token, found: found.count)
    return found
  }

  /// Records the start of a step. Returns nil if no trace is recorded.
  ///
  /// - Parameter namespace: The namespace to write before the formula; nil to write only the
  ///   formula.
  mutating func beginStep(
    of namespace: String? = nil, _ formula: Formula, in scope: Scope
  ) -> EvaluationTrace.Token? {
    guard trace != nil else { return nil }
    let prefix = namespace.map { $0 + ": " } ?? ""
    let what = StepText { prefix + formula.described(in: $0) }
    let how = StepText { way(of: formula, in: scope, $0) }
    let guess = estimate(formula, in: scope)
    return trace?.begin(what, how, estimate: guess)
  }

  /// Returns how a formula finds entities, for `explain`: `by id`, `semi-join along author`.
  private func way(of formula: Formula, in scope: Scope, _ wording: StepWording) -> String {
    let isPlain = wording == .plain
    let among =
      switch scope {
      case .rows(let rows) where isPlain:
        ", tested on \(rows.count) \(rows.count == 1 ? "row" : "rows")"
      case .rows(let rows): " among \(rows.count)"
      case .anything, .namespace: ""
      }
    switch formula {
    case .always: return isPlain ? "full scan" : "all"
    case .never: return "no entity can match"
    case .stored(let attribute, let predicate):
      return store.way(attribute.id, predicate, isForPeople: isPlain) + among
    case .identity, .identityPrefix: return "by id" + among
    case .linked(let link, _):
      let isForward = link.direction == .forward
      return "semi-join along \(link.attribute.label)"
        + (isForward ? " by the \(store.wayBack(link.attribute.id))" : ", backwards") + among
    case .compared, .counted, .computed, .reference:
      return (isPlain ? "row by row" : "one by one") + among
    case .not: return (isPlain ? "the condition below must not match" : "all others") + among
    case .all: return (isPlain ? "all conditions below must match" : "combined") + among
    case .any: return (isPlain ? "one of the conditions below must match" : "combined") + among
    case .joint:
      return (isPlain ? "semi-joins, then row by row" : "semi-joins, then a search") + among
    }
  }

  /// Returns the entities in scope that have at least one target of the link.
  private mutating func connected(_ link: Link, in scope: Scope) -> RowSet {
    switch link.direction {
    case .forward: return stored(link.attribute, .stored, in: scope)
    case .reverse:
      if case .rows(let domain) = scope, domain.count < Self.maxRowsTestedSingly {
        return filter(domain) { store, row in !store.targets(row, link).isEmpty }
      }
      let all = store.rows(link.attribute.id, .stored)
      return clip(store.targets(link.attribute.id, of: all), to: scope)
    }
  }

  /// Sets the number of steps for a search that starts from this many entities.
  mutating func beginSearch(from entities: Int) {
    steps = Self.maxSteps + entities * Self.maxStepsPerEntity
  }

  /// Counts one step of a search.
  ///
  /// - Throws: `store` if the search takes too many steps.
  mutating func step() throws(QueryError) {
    steps -= 1
    if steps < 0 {
      throw .store(
        "The filter must compare too many combinations of linked rows. Use fewer conditions on links."
      )
    }
  }
}
