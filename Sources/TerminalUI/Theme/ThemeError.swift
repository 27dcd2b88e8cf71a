/// What is wrong with a theme file, where, and what to do about it.
package struct ThemeError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case syntax(String)
    case unknownKey(String, nearest: String?)
    case unknownRole(String, nearest: String?)
    case unknownProperty(String, nearest: String?)
    case unknownColor(String, nearest: String?)
    case wrongType(String, expected: String)
    case unknownAppearance(String)
  }

  package let file: String
  /// From 1.
  package let line: Int
  package let reason: Reason

  /// `midnight.toml, line 7: unknown role 'titel'. Did you mean 'title'?`
  package var message: String { "\(file), line \(line): \(sentence)" }

  private var sentence: String {
    switch reason {
    case .syntax(let text): "\(text)."
    case .unknownKey(let name, let nearest):
      "unknown key '\(name)'."
        + Self.hint(nearest, "Known are name, appearance, [palette] and [roles].")
    case .unknownRole(let name, let nearest):
      "unknown role '\(name)'." + Self.hint(nearest, "`sonde themes --roles` lists them.")
    case .unknownProperty(let name, let nearest):
      "unknown property '\(name)'."
        + Self.hint(nearest, "Known are fg, bg, bold, dim, italic, underline and reverse.")
    case .unknownColor(let text, let nearest):
      "'\(text)' is no colour."
        + Self.hint(
          nearest, "Write #rrggbb, a name of [palette], a name such as bright-blue, or default.")
    case .wrongType(let name, let expected): "'\(name)' must be \(expected)."
    case .unknownAppearance(let text): "appearance '\(text)' is neither 'dark' nor 'light'."
    }
  }

  private static func hint(_ nearest: String?, _ otherwise: String) -> String {
    if let nearest { " Did you mean '\(nearest)'?" } else { " " + otherwise }
  }
}

/// The known word that a mistyped one is closest to.
enum NearestWord {
  /// The word with the fewest letters added, dropped, changed or swapped: at most a third of them.
  static func find(_ word: String, among known: some Sequence<String>) -> String? {
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
