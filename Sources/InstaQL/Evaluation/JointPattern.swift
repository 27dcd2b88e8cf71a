import Triples

/// Paths of one condition through the same entities, as variables and the links between them.
///
/// Variable 0 is the entity of the query. Each other variable stands for an entity of a namespace
/// at a depth, and each link leads one level deeper. A pattern is only created if some variable is
/// reached in several ways; otherwise nested links are equivalent.
struct JointPattern: Sendable {
  struct Variable: Sendable {
    let namespace: String
    let depth: Int
    var test: Formula
  }

  struct Edge: Sendable {
    let from: Int
    let to: Int
    let link: Link
  }

  var variables: [Variable]
  var edges: [Edge]

  /// Returns the edges that lead to a variable.
  func edges(to variable: Int) -> [Edge] { edges.filter { $0.to == variable } }

  /// The variables that semi-joins alone cannot solve, by ascending depth. They remain after
  /// removing, repeatedly, the leaves that are reached in only one way.
  var core: [Int] {
    var remaining = Set(variables.indices.dropFirst())
    while true {
      let leaf = remaining.first { variable in
        edges(to: variable).count == 1
          && !edges.contains { $0.from == variable && remaining.contains($0.to) }
      }
      guard let leaf else { break }
      remaining.remove(leaf)
    }
    return remaining.sorted { (variables[$0].depth, $0) < (variables[$1].depth, $1) }
  }
}
