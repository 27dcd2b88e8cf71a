import Triples

/// A condition whose paths must lead through the same linked entities, as a graph of variables and
/// links.
///
/// Variable 0 stands for the queried entity. Every other variable stands for an entity of a certain
/// namespace at a certain depth, and each link leads one level deeper. A pattern is needed only if
/// two links lead to the same variable; otherwise nested `linked` formulas are equivalent.
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

  /// The variables that semi-joins alone cannot solve, by ascending depth.
  ///
  /// Semi-joins solve a variable if only one link leads to it, and if no unsolved variable follows
  /// it.
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
