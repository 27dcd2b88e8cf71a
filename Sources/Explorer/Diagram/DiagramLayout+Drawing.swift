import TerminalUI

// Draws the visible part of a diagram.
extension DiagramLayout {
  /// Draws the part of the diagram that begins at `origin`.
  ///
  /// - Parameter chosen: The focused namespace, whose lines are highlighted.
  /// - Complexity: O(boxes + lines), regardless of the diagram's size.
  func draw(into frame: inout Frame, area: Rect, origin: Position, chosen: Int?, catalog: Catalog) {
    frame.clipped(to: area) { frame in
      var lines = LineGrid(area: area)
      for piece in pieces {
        let edge = graph.edges[piece.edge]
        let isChosen = edge.from == chosen || edge.to == chosen
        lines.add(
          piece, by: Position(row: area.row - origin.row, column: area.column - origin.column),
          isChosen: isChosen)
      }
      lines.draw(into: &frame)
      let inView = Rect(
        row: origin.row, column: origin.column, rows: area.rows, columns: area.columns)
      for box in boxes where !box.area.intersection(inView).isEmpty {
        let place = Rect(
          row: box.area.row - origin.row + area.row,
          column: box.area.column - origin.column + area.column, rows: box.area.rows,
          columns: box.area.columns)
        draw(box, into: &frame, area: place, isChosen: box.place == chosen, catalog: catalog)
      }
    }
  }

  private func draw(
    _ box: Box, into frame: inout Frame, area: Rect, isChosen: Bool, catalog: Catalog
  ) {
    let name = graph.namespaces[box.place]
    frame.fill(area, Paint(.text))
    frame.box(
      area, title: (isChosen ? "▸ " : "") + TextWidth.truncated(name, to: Self.maxNameLength),
      detail: catalog.count(of: name).map { NumberText.grouped($0) } ?? "",
      style: isChosen ? .double : .rounded,
      border: Paint(isChosen ? .borderFocused : .diagramBox),
      titlePaint: Paint(isChosen ? .titleFocused : .namespace), detailPaint: Paint(.count))
    let rowOffset = area.row - box.area.row
    let inside = max(0, area.columns - 4)
    let border = Paint(isChosen ? .borderFocused : .diagramBox)
    func draw(_ port: Port, right: Bool, at column: Int, _ sign: Unicode.Scalar) {
      let row = port.row + rowOffset
      frame.write(
        Self.text(port, right: right), row: row, column: area.column + 2, width: inside,
        paint: Paint(.link), alignment: right ? .trailing : .leading)
      frame.put(sign, row: row, column: column, paint: border)
    }
    for port in box.left { draw(port, right: false, at: area.column, isChosen ? "╣" : "┤") }
    for port in box.right { draw(port, right: true, at: area.endColumn - 1, isChosen ? "╠" : "├") }
    let first = area.row + 1 + max(box.left.count, box.right.count)
    for (line, loop) in box.loops.enumerated() {
      frame.write(
        Self.text(loop), row: first + line, column: area.column + 2, width: inside,
        paint: Paint(.link))
    }
  }

  /// Returns the diagram as text. Of a very large diagram, only the upper left part is included.
  func picture(in catalog: Catalog?) -> String {
    guard let catalog else { return "" }
    let shown = Size(columns: min(size.columns, 1_000), rows: min(size.rows, 1_000))
    var frame = Frame(size: shown)
    draw(
      into: &frame, area: Rect(shown), origin: Position(row: 0, column: 0), chosen: nil,
      catalog: catalog)
    return frame.text
  }
}

/// The lines of a diagram in the visible cells. Where two lines meet, one character shows both.
struct LineGrid {
  private struct Directions: OptionSet {
    let rawValue: UInt8
    static let up = Directions(rawValue: 1)
    static let down = Directions(rawValue: 2)
    static let left = Directions(rawValue: 4)
    static let right = Directions(rawValue: 8)
    static let chosen = Directions(rawValue: 16)
  }

  private let area: Rect
  private var cells: [Directions]

  init(area: Rect) {
    self.area = area
    cells = Array(repeating: [], count: area.rows * area.columns)
  }

  /// Adds a line segment.
  ///
  /// - Parameter offset: The offset from a position in the diagram to the position on the screen.
  mutating func add(_ piece: DiagramLayout.Piece, by offset: Position, isChosen: Bool) {
    let mark: Directions = isChosen ? .chosen : []
    let line = piece.line + (piece.isAcross ? offset.row : offset.column)
    let shift = piece.isAcross ? offset.column : offset.row
    let (first, last) = (piece.cells.lowerBound + shift, piece.cells.upperBound + shift)
    let visible =
      piece.isAcross ? area.column..<area.endColumn : area.row..<area.endRow
    for cell in (first..<last + 1).clamped(to: visible) {
      var directions = mark
      if cell > first { directions.insert(piece.isAcross ? .left : .up) }
      if cell < last { directions.insert(piece.isAcross ? .right : .down) }
      if piece.isAcross {
        insert(directions, row: line, column: cell)
      } else {
        insert(directions, row: cell, column: line)
      }
    }
  }

  private mutating func insert(_ directions: Directions, row: Int, column: Int) {
    guard area.contains(row: row, column: column) else { return }
    cells[(row - area.row) * area.columns + column - area.column].formUnion(directions)
  }

  func draw(into frame: inout Frame) {
    for row in 0..<area.rows {
      for column in 0..<area.columns {
        let directions = cells[row * area.columns + column]
        guard let sign = Self.signs[Int(directions.subtracting(.chosen).rawValue)] else { continue }
        frame.put(
          sign, row: area.row + row, column: area.column + column,
          paint: Paint(directions.contains(.chosen) ? .diagramLine : .border))
      }
    }
  }

  /// The characters for lines, indexed by the directions in which lines leave a cell.
  ///
  /// The index is a sum: up 1, down 2, left 4, right 8.
  private static let signs: [Unicode.Scalar?] = [
    nil, "│", "│", "│", "─", "╯", "╮", "┤", "─", "╰", "╭", "├", "─", "┴", "┬", "┼",
  ]
}

// Moves the cursor by arrow keys.
extension DiagramLayout {
  enum Direction: Sendable { case up, down, left, right }

  /// Returns the nearest box in a direction, preferably a box linked with the current box. Nil if
  /// no box is there.
  func place(_ direction: Direction, of place: Int) -> Int? {
    let linked = Set(graph.neighbors(of: place))
    return nearest(direction, of: place) { linked.contains($0) }
      ?? nearest(direction, of: place) { _ in true }
  }

  private func nearest(
    _ direction: Direction, of place: Int, among isMeant: (Int) -> Bool
  ) -> Int? {
    let own = boxes[place]
    var best: (place: Int, distance: Int)?
    for box in boxes where box.place != place && isMeant(box.place) {
      guard let distance = Self.distance(direction, from: own, to: box) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (box.place, distance) }
    }
    return best?.place
  }

  /// Returns the distance of a box in a direction; nil if the box is not in that direction. An
  /// offset across the direction counts more than an offset along the direction.
  private static func distance(_ direction: Direction, from: Box, to: Box) -> Int? {
    // A row is about as high as two columns are wide.
    let across = to.middle.column - from.middle.column
    let down = (to.middle.row - from.middle.row) * 2
    switch direction {
    case .left: return to.area.endColumn <= from.area.column ? -across + abs(down) * 2 : nil
    case .right: return to.area.column >= from.area.endColumn ? across + abs(down) * 2 : nil
    case .up: return to.area.endRow <= from.area.row ? -down + abs(across) * 2 : nil
    case .down: return to.area.row >= from.area.endRow ? down + abs(across) * 2 : nil
    }
  }
}
