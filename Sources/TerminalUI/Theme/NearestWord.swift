/// Finds the known word that is closest to a mistyped word.
package enum NearestWord {
  /// Returns the known word with the smallest edit distance to `word`. Nil if that distance exceeds
  /// about a third of the length of `word`.
  package static func find(_ word: String, among known: some Sequence<String>) -> String? {
    let ranked = known.map { (word: $0, distance: distance(Array(word.utf8), Array($0.utf8))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, (word.utf8.count + 1) / 3) ? best.word : nil
  }

  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var before: [Int] = []
    var row = Array(0...second.count)
    for (i, a) in first.enumerated() {
      var next = [i + 1]
      for (j, b) in second.enumerated() {
        var best = min(next[j] + 1, row[j + 1] + 1, row[j] + (a == b ? 0 : 1))
        if i > 0, j > 0, a == second[j - 1], first[i - 1] == b {
          best = min(best, before[j - 1] + 1)
        }
        next.append(best)
      }
      before = row
      row = next
    }
    return row[second.count]
  }
}
