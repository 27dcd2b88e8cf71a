/// The routes of lines through the gap between two layers, chosen so that no two lines overlap.
///
///     ╭ a ╮             ╭ b ╮      a line leaves a box in its row, turns up or down in a track of
///     │  x├──╮      ╭───┤y  │      its own, and ends in the row of the other box
///     │  z├╮ ╰──────│───┤v  │
///     ╰───╯╰────────╯   ╰───╯
struct DiagramRoutes {
  /// A line through the gap, with the rows of its ends on the left and right edge of the gap.
  struct Wire: Equatable {
    let edge: Int
    var left: [Int]
    var right: [Int]

    var rows: ClosedRange<Int> {
      let all = left + right
      return (all.min() ?? 0)...(all.max() ?? 0)
    }

    /// Whether the line is straight: both of its ends are in the same row.
    var isStraight: Bool { rows.lowerBound == rows.upperBound }
  }

  /// The column of the gap in which each line turns, from 0 on the left; nil for straight lines.
  private(set) var tracks: [Int?]
  private(set) var trackCount = 0

  /// The width of the gap in columns.
  var width: Int { trackCount + Self.margin * 2 }
  static let margin = 2

  init(_ wires: [Wire]) {
    tracks = Array(repeating: nil, count: wires.count)
    var used: [[ClosedRange<Int>]] = []
    for index in Self.order(wires) {
      let wire = wires[index]
      let first = Self.before(index, wires).compactMap { tracks[$0] }.max().map { $0 + 1 } ?? 0
      var track = first
      while track < used.count, used[track].contains(where: { $0.overlaps(wire.rows) }) {
        track += 1
      }
      while used.count <= track { used.append([]) }
      used[track].append(wire.rows)
      tracks[index] = track
    }
    trackCount = used.count
  }

  /// Returns the lines that must turn further left than the line at `index`, so that they do not
  /// overlap.
  ///
  /// These lines begin at the left edge in a row in which the line at `index` ends at the right
  /// edge.
  private static func before(_ index: Int, _ wires: [Wire]) -> [Int] {
    let rows = wires[index].right
    if rows.isEmpty { return [] }
    return wires.indices.filter { $0 != index && wires[$0].left.contains(where: rows.contains) }
  }

  /// Returns the lines that turn, in the order in which they get their tracks.
  ///
  /// If possible, a line follows the lines that must turn further left. The lowest of the lines
  /// that go down comes first, and the highest of the lines that go up. In this order, they cross
  /// least.
  private static func order(_ wires: [Wire]) -> [Int] {
    let turning = wires.indices.filter { !wires[$0].isStraight }.sorted { a, b in
      rank(wires[a], a) < rank(wires[b], b)
    }
    var done: Set<Int> = []
    var ordered: [Int] = []
    var waiting = turning
    while !waiting.isEmpty {
      let ready = waiting.firstIndex { index in
        before(index, wires).allSatisfy { done.contains($0) || wires[$0].isStraight }
      }
      // If the lines wait for each other in a cycle, one of them has to start.
      let next = waiting.remove(at: ready ?? 0)
      done.insert(next)
      ordered.append(next)
    }
    return ordered
  }

  private static func rank(_ wire: Wire, _ index: Int) -> (Int, Int, Int) {
    let start = wire.left.first ?? wire.rows.lowerBound
    let end = wire.right.first ?? wire.rows.upperBound
    return start < end ? (0, -start, index) : (1, start, index)
  }
}
