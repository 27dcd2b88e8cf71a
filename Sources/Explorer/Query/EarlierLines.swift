/// The earlier input of a prompt, which the user recalls line by line.
struct EarlierLines: Sendable, Equatable {
  /// The earlier lines, newest first.
  private let lines: [String]
  /// The text that was typed before any line was recalled.
  private let typed: String
  /// The index of the recalled line; nil while the typed text is shown.
  private var index: Int?

  init(_ lines: [String], typed: String) {
    var seen: Set<String> = [typed, typed.withoutTrailingSpace, ""]
    self.lines = lines.filter { seen.insert($0).inserted }
    self.typed = typed
  }

  /// Recalls the line before the current line. Returns nil if there is no earlier line.
  mutating func earlier() -> String? {
    let next = index.map { $0 + 1 } ?? 0
    guard lines.indices.contains(next) else { return nil }
    index = next
    return lines[next]
  }

  /// Recalls the line after the current line, or the typed text. Returns nil if the typed text is
  /// already shown.
  mutating func later() -> String? {
    guard let current = index else { return nil }
    index = current == 0 ? nil : current - 1
    return index.map { lines[$0] } ?? typed
  }
}
