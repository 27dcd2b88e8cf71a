package import Triples

/// The namespaces and links of a diagram.
package struct DiagramGraph: Sendable, Equatable {
  /// A link between two namespaces, given as indices in `namespaces`.
  struct Edge: Sendable, Equatable {
    let from: Int
    let to: Int
    /// The link in its forward direction.
    let link: Link
    /// The same link from its target back to its source; nil if it has no name in that direction.
    let reverse: Link?
  }

  let namespaces: [String]
  let edges: [Edge]
  /// For each namespace, the indices of the edges that connect it with other namespaces.
  let touching: [[Int]]

  package init(_ schema: Schema) {
    namespaces = schema.namespaces
    let places = Dictionary(
      namespaces.enumerated().map { ($0.element, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    var edges: [Edge] = []
    for (place, namespace) in namespaces.enumerated() {
      for link in schema.links(of: namespace) where link.direction == .forward {
        // The schema may not contain the target of a link.
        guard let target = places[link.target] else { continue }
        edges.append(
          Edge(
            from: place, to: target, link: link,
            reverse: schema.link(link.target, link.otherLabel)))
      }
    }
    self.edges = edges
    var touching = Array(repeating: [Int](), count: namespaces.count)
    for (index, edge) in edges.enumerated() where edge.from != edge.to {
      touching[edge.from].append(index)
      touching[edge.to].append(index)
    }
    self.touching = touching
  }

  /// Returns the index of the namespace at the other end of an edge.
  func other(_ edge: Int, than place: Int) -> Int {
    edges[edge].from == place ? edges[edge].to : edges[edge].from
  }

  /// Returns the namespaces linked with `place`, each once, in the order of the edges.
  func neighbors(of place: Int) -> [Int] {
    touching[place].map { other($0, than: place) }.uniqued
  }

  /// Returns the namespaces that can be reached from `starts` without passing through those in
  /// `closed`, with their distances. The nearest comes first.
  func reach(from starts: [Int], without closed: Set<Int> = []) -> [(place: Int, distance: Int)] {
    var seen = closed.union(starts)
    var reached = starts.map { (place: $0, distance: 0) }
    var next = 0
    while next < reached.count {
      let (place, distance) = reached[next]
      next += 1
      for other in neighbors(of: place) where seen.insert(other).inserted {
        reached.append((other, distance + 1))
      }
    }
    return reached
  }
}
