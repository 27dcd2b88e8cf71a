import Triples

/// Paths of one condition that pass through the same entities: variables, and links between them.
///
/// Variable 0 is the entity asked about. Every other one is an entity of some namespace at some
/// depth, and each link leads from a variable to one that is deeper by one. A pattern is only made
/// where some variable is reached in more than one way; otherwise nested links say the same.
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

  /// Edges that lead to a variable.
  func edges(to variable: Int) -> [Edge] { edges.filter { $0.to == variable } }

  /// The variables for which a semi-join is not enough: what remains when those that are reached
  /// one way and lead no further are taken away, again and again. Ascending by depth.
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
