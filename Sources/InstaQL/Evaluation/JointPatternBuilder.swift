import Triples

/// Merges paths into one pattern: all paths that reach a namespace at the same depth share one
/// variable.
struct JointPatternBuilder {
  private var variables: [JointPattern.Variable]
  private var edges: [JointPattern.Edge] = []

  init(namespace: String) {
    variables = [JointPattern.Variable(namespace: namespace, depth: 0, test: .always)]
  }

  /// Adds a path of links, and the test of the entity at its end.
  mutating func add(_ links: [Link], _ test: Formula) {
    var current = 0
    for (place, link) in links.enumerated() {
      let next = variable(of: link.target, depth: place + 1)
      let isKnown = edges.contains { $0.from == current && $0.to == next && $0.link == link }
      if !isKnown { edges.append(JointPattern.Edge(from: current, to: next, link: link)) }
      current = next
    }
    variables[current].test = .conjunction([variables[current].test, test])
  }

  private mutating func variable(of namespace: String, depth: Int) -> Int {
    if let known = variables.firstIndex(where: { $0.namespace == namespace && $0.depth == depth }) {
      return known
    }
    variables.append(JointPattern.Variable(namespace: namespace, depth: depth, test: .always))
    return variables.count - 1
  }

  /// The condition as nested `linked` formulas if semi-joins can solve it; otherwise as a joint
  /// pattern.
  var formula: Formula {
    let pattern = JointPattern(variables: variables, edges: edges)
    guard pattern.core.isEmpty else { return .joint(pattern) }
    var formulas = variables.map(\.test)
    let deepestFirst = variables.indices.sorted { variables[$0].depth > variables[$1].depth }
    for variable in deepestFirst where variable != 0 {
      for edge in edges where edge.to == variable {
        formulas[edge.from] = .conjunction([
          formulas[edge.from], .linked(edge.link, formulas[variable]),
        ])
      }
    }
    return formulas[0]
  }
}
