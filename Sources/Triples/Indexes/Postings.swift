/// An index of a column: the rows that contain each text, or that link to each target.
///
/// In a column of texts, `number` is a text code. In a column of links, it is a target row.
///
///     starts   0   2   2   5 …        number first + i has rows[starts[i]..<starts[i + 1]]
struct Postings: Sendable {
  private let first: UInt32
  private let starts: [UInt32]
  private let rows: [UInt32]
  /// The rows of chunks that contain neither text codes nor targets. Their cells must be read
  /// individually.
  let others: [UInt32]

  /// Returns the rows with this text code, or with a link to this row, ascending.
  @inline(__always)
  func rows(_ number: UInt32) -> ArraySlice<UInt32> {
    guard number >= first, Int(number - first) + 1 < starts.count else { return [] }
    let place = Int(number - first)
    return rows[Int(starts[place])..<Int(starts[place + 1])]
  }

  /// Builds the lists in two passes over the column, without sorting. The first pass counts, the
  /// second pass fills the lists.
  init(_ column: Column) {
    var lowest = UInt32.max
    var highest = UInt32.min
    var others: [UInt32] = []
    Self.forEachNumber(column) { _, number in
      lowest = min(lowest, number)
      highest = max(highest, number)
    } other: {
      others.append($0)
    }
    self.others = others
    guard lowest <= highest else {
      first = 0
      starts = []
      rows = []
      return
    }
    let span = Int(highest - lowest) + 1
    var starts = [UInt32](repeating: 0, count: span + 1)
    Self.forEachNumber(column) { _, number in
      starts[Int(number - lowest) + 1] &+= 1
    } other: { _ in
    }
    for place in 0..<span { starts[place + 1] &+= starts[place] }
    var rows = [UInt32](repeating: 0, count: Int(starts[span]))
    var next = starts
    Self.forEachNumber(column) { row, number in
      let place = Int(number - lowest)
      rows[Int(next[place])] = row
      next[place] &+= 1
    } other: { _ in
    }
    first = lowest
    self.starts = starts
    self.rows = rows
  }

  @inline(__always)
  private static func forEachNumber(
    _ column: Column, _ body: (_ row: UInt32, _ number: UInt32) -> Void, other: (UInt32) -> Void
  ) {
    column.forEachChunk { place, chunk in
      let base = UInt32(place) << Chunk.shift
      switch chunk.cells {
      case .texts(let numbers), .targets(let numbers):
        numbers.withUnsafeBufferPointer { numbers in
          chunk.forEachValueSlot { body(base | UInt32($0), numbers[$0]) }
        }
      case .targetLists(let lists):
        chunk.forEachValueSlot { slot in
          for target in lists.items(slot) { body(base | UInt32(slot), target) }
        }
      case .mixed: chunk.forEachValueSlot { other(base | UInt32($0)) }
      case .none, .integers, .doubles, .booleans, .valueLists: break
      }
    }
  }
}
