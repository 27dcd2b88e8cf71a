package import TerminalUI
import Triples

/// The positions of boxes and lines in a diagram, relative to its upper left corner.
///
/// The layout is computed once per schema. Drawing adds the counts in the boxes.
package struct DiagramLayout: Sendable, Equatable {
  /// The place where a line meets a box, labeled with the link's name.
  package struct Port: Sendable, Equatable {
    package let edge: Int
    /// The link in the direction that leaves the box; nil if it has no name in that direction.
    let link: Link?
    package internal(set) var row = 0
  }

  package struct Box: Sendable, Equatable {
    let place: Int
    package internal(set) var area: Rect
    package internal(set) var left: [Port] = []
    package internal(set) var right: [Port] = []
    /// The links of the namespace to itself.
    var loops: [Link] = []

    var middle: Position {
      Position(row: area.row + area.rows / 2, column: area.column + area.columns / 2)
    }
  }

  /// A straight line segment along a row or a column.
  package struct Piece: Sendable, Equatable {
    package let edge: Int
    package let isAcross: Bool
    /// The row of a horizontal segment, or the column of a vertical segment.
    package let line: Int
    /// The columns or rows of the segment, from the first cell to the last.
    package let cells: ClosedRange<Int>
  }

  let graph: DiagramGraph
  /// The box of each namespace, in the same order as in the graph.
  package private(set) var boxes: [Box]
  package private(set) var pieces: [Piece] = []
  private(set) var size = Size(columns: 0, rows: 0)

  static let maxNameLength = 24
  static let maxLabelWidth = 18
  /// The maximum width of the entity count next to a namespace's name.
  static let countColumns = 9
  private static let widestRow = 110
  private static let gapRows = 1
  private static let gapColumns = 3

  package init(_ graph: DiagramGraph) {
    self.graph = graph
    boxes = graph.namespaces.indices.map { place in
      Box(
        place: place, area: Rect(row: 0, column: 0, rows: 0, columns: 0),
        loops: graph.edges.filter { $0.from == place && $0.to == place }.map(\.link))
    }
    var seen: Set<Int> = []
    var parts: [[Int]] = []
    for place in graph.namespaces.indices where !seen.contains(place) {
      let part = graph.reach(from: [place]).map(\.place)
      seen.formUnion(part)
      parts.append(part)
    }
    for part in parts.filter({ $0.count > 1 }).sorted(by: { $0.count > $1.count }) {
      placeLayers(DiagramLayers(part, of: graph))
    }
    placeUnlinked(parts.filter { $0.count == 1 }.compactMap(\.first))
  }

  /// Places namespaces without links next to each other, below all others.
  private mutating func placeUnlinked(_ places: [Int]) {
    let width = max(Self.widestRow, size.columns)
    var row = size.rows
    var column = 0
    var height = 0
    for place in places {
      let own = naturalSize(of: place)
      if column > 0, column + own.columns > width {
        row += height + Self.gapRows
        (column, height) = (0, 0)
      }
      boxes[place].area = Rect(row: row, column: column, rows: own.rows, columns: own.columns)
      column += own.columns + Self.gapColumns
      height = max(height, own.rows)
      grow(boxes[place].area)
    }
    // The parts that are placed next begin below these boxes.
    if !places.isEmpty { size.rows += Self.gapRows }
  }

  private mutating func grow(_ area: Rect) {
    size.columns = max(size.columns, area.endColumn)
    size.rows = max(size.rows, area.endRow)
  }

  // MARK: A connected part

  private mutating func placeLayers(_ layers: DiagramLayers) {
    attachPorts(layers)
    let top = size.rows
    placeRows(layers, top: top)
    sortPorts(layers)
    route(layers)
    size.rows += Self.gapRows
  }

  /// Adds the ports of each box, on the left or the right depending on the layers.
  private mutating func attachPorts(_ layers: DiagramLayers) {
    var layerOf: [Int: Int] = [:]
    for (layer, places) in layers.layers.enumerated() {
      for place in places { layerOf[place] = layer }
    }
    for (index, edge) in graph.edges.enumerated() where edge.from != edge.to {
      guard let from = layerOf[edge.from], let to = layerOf[edge.to] else { continue }
      let outer = from < layers.middle
      attach(
        Port(edge: index, link: edge.link), to: edge.from,
        right: from < to || (from == to && !outer))
      attach(
        Port(edge: index, link: edge.reverse), to: edge.to,
        right: to < from || (from == to && !outer))
    }
  }

  private mutating func attach(_ port: Port, to place: Int, right: Bool) {
    if right { boxes[place].right.append(port) } else { boxes[place].left.append(port) }
  }

  /// Stacks the boxes of each layer, close to the boxes with which they are linked.
  private mutating func placeRows(_ layers: DiagramLayers, top: Int) {
    let order =
      [layers.middle] + (0..<layers.middle).reversed()
      + ((layers.middle + 1)..<max(layers.middle + 1, layers.layers.count))
    for layer in order {
      let toward = layer < layers.middle ? layer + 1 : layer - 1
      let near = layer == layers.middle ? [] : Set(layers.layers[toward])
      var end = 0
      var drift = 0
      var demands = 0
      for place in layers.layers[layer] {
        let rows = naturalSize(of: place).rows
        let linked = graph.neighbors(of: place).filter(near.contains)
        var row = end
        if !linked.isEmpty {
          let demand = linked.reduce(0) { $0 + boxes[$1].middle.row } / linked.count - rows / 2
          row = max(end, demand)
          drift += demand - row
          demands += 1
        }
        boxes[place].area = Rect(row: row, column: 0, rows: rows, columns: 0)
        end = row + rows + Self.gapRows
      }
      // Boxes were pushed down by the boxes above them, so the whole layer moves up by the average
      // distance.
      let shift = demands == 0 ? 0 : drift / demands
      for place in layers.layers[layer] { boxes[place].area.row += shift }
    }
    let all = layers.layers.flatMap { $0 }
    let least = all.map { boxes[$0].area.row }.min() ?? 0
    for place in all { boxes[place].area.row += top - least }
  }

  /// Sorts ports so that lines leading up start above lines leading down.
  private mutating func sortPorts(_ layers: DiagramLayers) {
    func sorted(_ ports: [Port], of place: Int) -> [Port] {
      ports.enumerated().sorted { a, b in
        let rows = [a, b].map { boxes[graph.other($0.element.edge, than: place)].middle.row }
        return (rows[0], a.offset) < (rows[1], b.offset)
      }.map(\.element)
    }
    for place in layers.layers.flatMap({ $0 }) {
      boxes[place].left = sorted(boxes[place].left, of: place)
      boxes[place].right = sorted(boxes[place].right, of: place)
      let first = boxes[place].area.row + 1
      for index in boxes[place].left.indices { boxes[place].left[index].row = first + index }
      for index in boxes[place].right.indices { boxes[place].right[index].row = first + index }
    }
  }

  /// Assigns columns to layers and draws the lines in the gaps between them.
  private mutating func route(_ layers: DiagramLayers) {
    var column = 0
    // The gap before the first layer only contains lines between boxes of that layer.
    for gap in 0...layers.layers.count {
      let leftLayer = gap > 0 ? layers.layers[gap - 1] : []
      let rightLayer = gap < layers.layers.count ? layers.layers[gap] : []
      let wires = wires(leftLayer, rightLayer)
      let routes = DiagramRoutes(wires)
      let width = wires.isEmpty ? 0 : routes.width
      for (index, wire) in wires.enumerated() {
        draw(
          wire, turningAt: routes.tracks[index].map { column + DiagramRoutes.margin + $0 },
          from: column - 1, to: column + width)
      }
      if !wires.isEmpty { size.columns = max(size.columns, column + width) }
      column += width
      let layerWidth = rightLayer.map { naturalSize(of: $0).columns }.max() ?? 0
      for place in rightLayer {
        boxes[place].area.column = column
        boxes[place].area.columns = layerWidth
        grow(boxes[place].area)
      }
      column += layerWidth
    }
  }

  /// Returns the lines in the gap between two neighboring layers. Both ends of a line can be in the
  /// same layer.
  private func wires(_ left: [Int], _ right: [Int]) -> [DiagramRoutes.Wire] {
    var rows: [Int: (left: [Int], right: [Int])] = [:]
    for place in left {
      for port in boxes[place].right { rows[port.edge, default: ([], [])].left.append(port.row) }
    }
    for place in right {
      for port in boxes[place].left { rows[port.edge, default: ([], [])].right.append(port.row) }
    }
    return rows.sorted { $0.key < $1.key }.map {
      DiagramRoutes.Wire(edge: $0.key, left: $0.value.left, right: $0.value.right)
    }
  }

  /// Adds the line segments of a wire, between the columns `from` and `to` of the box borders.
  private mutating func draw(
    _ wire: DiagramRoutes.Wire, turningAt track: Int?, from: Int, to: Int
  ) {
    guard let track else {
      pieces.append(
        Piece(edge: wire.edge, isAcross: true, line: wire.rows.lowerBound, cells: from...to))
      return
    }
    for row in wire.left {
      pieces.append(Piece(edge: wire.edge, isAcross: true, line: row, cells: from...track))
    }
    for row in wire.right {
      pieces.append(Piece(edge: wire.edge, isAcross: true, line: row, cells: track...to))
    }
    pieces.append(Piece(edge: wire.edge, isAcross: false, line: track, cells: wire.rows))
  }

  // MARK: Sizes

  /// Returns the size that a box needs for all of its text.
  private func naturalSize(of place: Int) -> Size {
    let box = boxes[place]
    let lines = max(box.left.count, box.right.count)
    let name = min(Self.maxNameLength, TextWidth.columns(of: graph.namespaces[place]))
    var width = name + Self.countColumns + 5
    for line in 0..<lines {
      let left = line < box.left.count ? Self.text(box.left[line], right: false) : ""
      let right = line < box.right.count ? Self.text(box.right[line], right: true) : ""
      width = max(width, TextWidth.columns(of: left) + TextWidth.columns(of: right) + 5)
    }
    for loop in box.loops { width = max(width, TextWidth.columns(of: Self.text(loop)) + 4) }
    return Size(columns: width, rows: 2 + max(1, lines + box.loops.count))
  }

  /// Returns the text that labels a link at the border where it leaves a box.
  static func text(_ port: Port, right: Bool) -> String {
    guard let link = port.link else { return "" }
    let name = TextWidth.truncated(link.label, to: maxLabelWidth)
    return right
      ? name + (link.cardinality == .one ? " →" : " ⇉")
      : (link.cardinality == .one ? "← " : "⇇ ") + name
  }

  /// Returns the text that labels a link from a namespace to itself.
  static func text(_ loop: Link) -> String {
    "↻ \(TextWidth.truncated(loop.label, to: maxLabelWidth))"
      + " / \(TextWidth.truncated(loop.otherLabel, to: maxLabelWidth))"
  }
}
