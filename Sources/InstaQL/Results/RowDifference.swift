/// Computes the fewest moves that turn one list of distinct entities into another.
struct RowDifference<Entity: Hashable> {
  /// The added entities, with their index in the later list.
  private(set) var inserted: [(entity: Entity, row: Int)] = []
  private(set) var removed: [Entity] = []
  /// The moved entities, with their index in the later list.
  private(set) var moved: [(entity: Entity, row: Int)] = []

  /// Computes the difference between two lists of distinct entities.
  ///
  /// - Complexity: O(n), and O(m log m) for the m entities from the first to the last difference.
  init(from old: [Entity], to new: [Entity]) {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var ends = (old: old.count, new: new.count)
    while ends.old > start, ends.new > start, old[ends.old - 1] == new[ends.new - 1] {
      ends.old -= 1
      ends.new -= 1
    }
    if start == ends.old && start == ends.new { return }
    var places: [Entity: Int] = [:]
    for place in start..<ends.old { places[old[place]] = place }
    var stayed: [(row: Int, place: Int)] = []
    for row in start..<ends.new {
      if let place = places.removeValue(forKey: new[row]) {
        stayed.append((row, place))
      } else {
        inserted.append((new[row], row))
      }
    }
    for place in start..<ends.old where places[old[place]] != nil { removed.append(old[place]) }
    let still = Self.longestIncreasingSubsequence(stayed.map(\.place))
    for (index, row) in stayed.enumerated() where !still.contains(index) {
      moved.append((new[row.row], row.row))
    }
  }

  /// Returns the indexes of a longest increasing subsequence of distinct numbers.
  private static func longestIncreasingSubsequence(_ numbers: [Int]) -> Set<Int> {
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var chosen: Set<Int> = []
    var index = tails.last ?? -1
    while index >= 0 {
      chosen.insert(index)
      index = previous[index]
    }
    return chosen
  }
}
