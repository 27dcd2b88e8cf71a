/// The boxes of a diagram in layers (columns), around the namespace with the most links.
///
/// A layer contains the namespaces on one side of the middle that have the same distance from it.
/// Each link therefore stays within a layer or connects two neighboring layers.
struct DiagramLayers {
  /// The layers, each with its namespaces from top to bottom.
  private(set) var layers: [[Int]]
  /// The index of the layer that contains the namespace with the most links.
  let middle: Int

  /// Creates the layers of one connected component of the graph, whose namespaces are `places`.
  init(_ places: [Int], of graph: DiagramGraph) {
    let root =
      places.max { (graph.touching[$0].count, $1) < (graph.touching[$1].count, $0) } ?? places[0]
    var sides: [[[Int]]] = [[], []]
    var heights = [0, 0]
    // The rest falls into parts that are connected only through the middle. Each part gets one
    // side.
    for part in Self.parts(around: root, in: graph).sorted(by: { $0.count > $1.count }) {
      let side = heights[1] <= heights[0] ? 1 : 0
      let near = Set(graph.neighbors(of: root)).intersection(part)
      let reached = graph.reach(from: part.filter(near.contains), without: [root])
      for (place, distance) in reached {
        while sides[side].count <= distance { sides[side].append([]) }
        sides[side][distance].append(place)
      }
      heights[side] += part.reduce(0) { $0 + 3 + graph.touching[$1].count }
    }
    layers = sides[0].reversed() + [[root]] + sides[1]
    middle = sides[0].count
    order(graph)
  }

  /// Returns the connected components that remain without the root, in the order of the root's
  /// links.
  private static func parts(around root: Int, in graph: DiagramGraph) -> [[Int]] {
    var seen: Set<Int> = [root]
    var parts: [[Int]] = []
    for neighbor in graph.neighbors(of: root) where !seen.contains(neighbor) {
      let part = graph.reach(from: [neighbor], without: [root]).map(\.place)
      seen.formUnion(part)
      parts.append(part)
    }
    return parts
  }

  /// Sorts the namespaces within each layer so that linked ones have similar heights.
  ///
  /// It sorts each layer a few times, from the middle outwards and back.
  private mutating func order(_ graph: DiagramGraph) {
    for _ in 0..<4 {
      for layer in stride(from: middle - 1, through: 0, by: -1) {
        order(layer, by: layer + 1, graph)
      }
      for layer in (middle + 1)..<max(middle + 1, layers.count) {
        order(layer, by: layer - 1, graph)
      }
      for layer in 0..<max(0, middle - 1) { order(layer + 1, by: layer, graph) }
      for layer in stride(from: layers.count - 2, to: middle, by: -1) {
        order(layer, by: layer + 1, graph)
      }
    }
  }

  private mutating func order(_ layer: Int, by other: Int, _ graph: DiagramGraph) {
    let places = Dictionary(
      uniqueKeysWithValues: layers[other].enumerated().map { ($0.element, Double($0.offset)) })
    let ranks = layers[layer].enumerated().map { offset, place in
      let found = graph.touching[place].compactMap { places[graph.other($0, than: place)] }
      let rank = found.isEmpty ? Double(offset) : found.reduce(0, +) / Double(found.count)
      return (place, rank, offset)
    }
    layers[layer] = ranks.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map(\.0)
  }
}
