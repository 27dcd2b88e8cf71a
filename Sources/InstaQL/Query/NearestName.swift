/// What a person probably meant by a name that is not known.
package enum NearestName {
  /// "Did you mean 'population'?", or nil when nothing is near enough.
  package static func hint(_ name: String, among known: [String]) -> String? {
    nearest(name, among: known).map { "Did you mean '\($0)'?" }
  }

  /// The same, or the known names where they are few enough to read at a glance.
  package static func suggestion(_ name: String, among known: [String]) -> String? {
    if let hint = hint(name, among: known) { return hint }
    let list = known.joined(separator: ", ")
    return known.isEmpty || list.count > longestList ? nil : "Known: \(list)."
  }

  /// In characters.
  private static let longestList = 120

  /// The known name that needs the fewest changes: at most a third of its letters, at least one.
  package static func nearest(_ name: String, among known: [String]) -> String? {
    let typed = Array(name.lowercased().prefix(64))
    var best: (name: String, distance: Int)?
    for candidate in known {
      let letters = Array(candidate.lowercased().prefix(64))
      let allowed = max(1, max(typed.count, letters.count) / 3)
      guard abs(letters.count - typed.count) <= allowed else { continue }
      let distance = distance(typed, letters)
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Letters to insert, delete, replace, or swap with a neighbour.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, beforeLast[j - 1] + 1)
        }
        row.append(least)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
