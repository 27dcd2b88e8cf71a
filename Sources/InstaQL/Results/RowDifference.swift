/// The fewest changes that turn one list of rows with distinct keys into another.
///
/// All comparisons of whole lists use it: of the rows of answers, of the entities of stores, and of
/// the targets of links.
package struct RowDifference<Key: Hashable> {
  /// The indexes in the later list of the rows that the earlier list lacks.
  package private(set) var inserted: [Int] = []
  /// The indexes in the earlier list of the rows that the later list lacks.
  package private(set) var removed: [Int] = []
  /// The indexes in the later list of the fewest remaining rows that must move.
  package private(set) var moved: [Int] = []

  /// The number of equal rows at the beginning of both lists.
  private var start = 0
  /// The index in the earlier list of each later row from the first to the last difference.
  private var places: [Int?] = []
  /// The difference between the indexes of the equal rows at the end of the lists.
  private var shift = 0

  /// Computes the difference between two lists of distinct keys.
  ///
  /// - Complexity: O(n), and O(m log m) for the m rows from the first to the last difference.
  package init(from old: [Key], to new: [Key]) {
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var ends = (old: old.count, new: new.count)
    while ends.old > start, ends.new > start, old[ends.old - 1] == new[ends.new - 1] {
      ends.old -= 1
      ends.new -= 1
    }
    shift = old.count - new.count
    if start == ends.old && start == ends.new { return }
    var gone: [Key: Int] = [:]
    for place in start..<ends.old { gone[old[place]] = place }
    places = new[start..<ends.new].map { gone.removeValue(forKey: $0) }
    inserted = (start..<ends.new).filter { places[$0 - start] == nil }
    removed = (start..<ends.old).filter { gone[old[$0]] != nil }
    let stayed = (start..<ends.new).filter { places[$0 - start] != nil }
    let still = Self.longestIncreasingSubsequence(places.compactMap { $0 })
    moved = stayed.indices.filter { !still.contains($0) }.map { stayed[$0] }
  }

  /// Returns the index in the earlier list of a row of the later list; nil for an inserted row.
  package func place(of row: Int) -> Int? {
    if row < start { return row }
    return row < start + places.count ? places[row - start] : row + shift
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
