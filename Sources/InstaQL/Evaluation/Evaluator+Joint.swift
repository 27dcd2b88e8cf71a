import Triples

/// Evaluates joint patterns, in which several paths must meet in the same linked entity.
///
/// Semi-joins narrow the candidates of each variable. If the pattern has a core that semi-joins
/// cannot solve, a backtracking search tests each remaining root.
extension Evaluator {
  mutating func joint(_ pattern: JointPattern, in scope: Scope) throws(QueryError) -> RowSet {
    guard let candidates = try narrow(pattern, in: scope) else { return RowSet() }
    let core = pattern.core
    guard !core.isEmpty else { return candidates[0] }
    var found = RowSet()
    beginSearch(from: candidates[0].count)
    for root in candidates[0].handles {
      var chosen: [Int: EntityHandle] = [0: root]
      if try extend(&chosen, core[...], pattern, candidates) { found.insert(root) }
    }
    return found
  }

  /// Returns the candidates of each variable after semi-joins. Nil when a variable has no
  /// candidates left, so that nothing matches.
  private mutating func narrow(
    _ pattern: JointPattern, in scope: Scope
  ) throws(QueryError) -> [RowSet]? {
    let byDepth = pattern.variables.indices.sorted {
      (pattern.variables[$0].depth, $0) < (pattern.variables[$1].depth, $1)
    }
    var candidates = [RowSet](repeating: RowSet(), count: pattern.variables.count)
    candidates[0] = try rows(pattern.variables[0].test, in: .rows(materialize(scope)))
    for variable in byDepth where variable != 0 {
      var reached: RowSet?
      for edge in pattern.edges(to: variable) {
        let ends = store.reached(along: edge.link, from: candidates[edge.from])
        reached = reached.map { $0.intersection(ends) } ?? ends
      }
      candidates[variable] = try rows(
        pattern.variables[variable].test, in: .rows(reached ?? RowSet()))
      if candidates[variable].isEmpty { return nil }
    }
    for _ in 0..<Self.narrowingRounds {
      let before = candidates.map(\.count)
      for edge in pattern.edges.sorted(by: { $0.to > $1.to }) {
        candidates[edge.from].formIntersection(
          store.reaching(along: edge.link, to: candidates[edge.to]))
      }
      for edge in pattern.edges {
        candidates[edge.to].formIntersection(
          store.reached(along: edge.link, from: candidates[edge.from]))
      }
      if candidates.contains(where: \.isEmpty) { return nil }
      if candidates.map(\.count) == before { break }
    }
    return candidates
  }

  /// The maximum number of semi-join rounds. The sets of candidates usually stop shrinking after
  /// two.
  private static let narrowingRounds = 8

  /// Returns whether the search can find an entity for each remaining variable.
  ///
  /// The recursion is as deep as the number of variables, which is limited.
  private mutating func extend(
    _ chosen: inout [Int: EntityHandle], _ remaining: ArraySlice<Int>, _ pattern: JointPattern,
    _ candidates: [RowSet]
  ) throws(QueryError) -> Bool {
    guard let variable = remaining.first else { return true }
    var possible: RowSet?
    for edge in pattern.edges(to: variable) {
      guard let from = chosen[edge.from] else { continue }
      let ends = RowSet(store.targets(from, edge.link))
      possible = possible.map { $0.intersection(ends) } ?? ends
    }
    for entity in (possible ?? RowSet()).intersection(candidates[variable]).handles {
      try step()
      chosen[variable] = entity
      if try extend(&chosen, remaining.dropFirst(), pattern, candidates) { return true }
    }
    chosen[variable] = nil
    return false
  }
}
