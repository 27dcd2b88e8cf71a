package import Triples

/// Suggests a known name for an unknown one.
package enum NearestName {
  /// Returns a hint such as "Did you mean 'population'?", or nil when no name is close enough.
  package static func hint(_ name: String, among known: [String]) -> String? {
    nearest(name, among: known).map { "Did you mean '\($0)'?" }
  }

  /// Returns a hint with the most similar name. If no name is similar, the hint lists all known
  /// names.
  ///
  /// Nil if the list would be too long. Names are in backquotes where necessary.
  package static func suggestion(_ name: String, among known: [String]) -> String? {
    if let nearest = nearest(name, among: known) { return "Did you mean \(Words.quoted(nearest))?" }
    let list = known.map(Words.written).joined(separator: ", ")
    return known.isEmpty || list.count > maxListCharacters ? nil : "Available: \(list)."
  }

  /// Returns a hint such as "Did you mean 'shop.item'?" for an unknown namespace `item`, or nil when
  /// no namespace is close enough.
  package static func hint(namespace name: String, in schema: Schema) -> String? {
    qualified(name, in: schema).map { "Did you mean '\($0)'?" }
      ?? hint(name, among: schema.namespaces)
  }

  /// Returns a hint for an unknown namespace. If no namespace is similar, the hint lists them.
  package static func suggestion(namespace name: String, in schema: Schema) -> String? {
    qualified(name, in: schema).map { "Did you mean \(Words.quoted($0))?" }
      ?? suggestion(name, among: schema.namespaces)
  }

  /// Returns the first table or partition of this name that a query must name with its database
  /// schema; nil if there is none.
  private static func qualified(_ name: String, in schema: Schema) -> String? {
    let ending = "." + name.lowercased()
    return (schema.namespaces + schema.partitions.keys.sorted()).first {
      $0.lowercased().hasSuffix(ending)
    }
  }

  /// The maximum length of the list of known names, in characters.
  private static let maxListCharacters = 120

  /// Returns the known name with the smallest edit distance to `name`, or else a related name.
  ///
  /// The maximum distance is a third of the letters of `name`, but at least one. If no name is that
  /// close, the result is the plural or singular form, or the shortest name that begins with
  /// `name`.
  package static func nearest(_ name: String, among known: [String]) -> String? {
    if let close = closest(name, among: known) { return close }
    let typed = name.lowercased()
    if let other = known.first(where: { stem($0.lowercased()) == stem(typed) }) { return other }
    guard typed.count > 2 else { return nil }
    return known.filter { $0.lowercased().hasPrefix(typed) }.min { $0.count < $1.count }
  }

  /// Returns a word without its English plural ending.
  private static func stem(_ word: String) -> String {
    for (ending, rest) in [("ies", "y"), ("es", ""), ("s", "")]
    where word.hasSuffix(ending) && word.count > ending.count + 1 {
      return word.dropLast(ending.count) + rest
    }
    return word
  }

  private static func closest(_ name: String, among known: [String]) -> String? {
    let typed = Array(name.lowercased().unicodeScalars.prefix(64))
    var best: (name: String, distance: Int)?
    for candidate in known {
      let letters = Array(candidate.lowercased().unicodeScalars.prefix(64))
      let allowed = max(1, max(typed.count, letters.count) / 3)
      guard abs(letters.count - typed.count) <= allowed else { continue }
      let distance = distance(typed, letters)
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Returns the edit distance: the number of insertions, deletions, replacements and swaps.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
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
