import InstaQL
import TerminalUI
import Triples

/// The completions of a typed line, as a list below it.
struct Completion: Sendable, Equatable {
  private(set) var candidates: Candidates
  /// The start of the word to replace, as an offset in bytes.
  private(set) var start: Int
  /// The word to replace, as typed so far.
  private let word: String
  /// Whether the values among the candidates are all existing ones that fit.
  private let hasAllValues: Bool
  /// Whether the word is part of a pattern, which may differ from all values.
  let isPattern: Bool
  /// The selected candidate; nil before the user moves to the list.
  private(set) var chosen: Int?
  private var top = 0

  /// Creates the list of completions.
  ///
  /// - Parameters:
  ///   - found: The completions at the offset in the text.
  ///   - catalog: The catalog that contains the existing values of fields and the keys of JSON.
  ///   - isLoaded: Whether the catalog has the values of the field, or a sample of them.
  /// - Returns: Nil if there are no completions.
  init?(
    _ found: QueryCompletion, in text: String, at offset: Int, catalog: Catalog, isLoaded: Bool
  ) {
    start = found.start
    isPattern = found.isPattern
    word = String(decoding: text.utf8.prefix(offset).dropFirst(found.start), as: UTF8.self)
    let keys = found.keysOf.map { [word] in
      QueryCompletion.ranked(catalog.seenKeys(of: $0).candidates, by: word)
    }
    let words = (keys ?? found.candidates).prefix(Self.maxCandidates)
    let seen = found.valuesOf.map { catalog.seenValues(of: $0) }
    let values = seen?.values(matching: word, limit: Self.maxCandidates - words.count) ?? []
    hasAllValues = values.isEmpty || isLoaded && seen?.areAll == true
    candidates = Candidates(values: values, words: words, comparison: found.comparison)
    if candidates.isEmpty { return nil }
  }

  /// The values of a field, and then the words of the query language. Words for days, such as
  /// `today`, precede the values.
  ///
  /// The texts of values are made only for the visible ones, because there can be many after each
  /// key.
  struct Candidates: Sendable, Equatable, RandomAccessCollection {
    fileprivate let values: [SeenValues.Seen]
    fileprivate let words: ArraySlice<QueryCompletion.Candidate>
    /// The comparison that precedes a value, such as `= `; empty if the text has one.
    fileprivate let comparison: String

    var startIndex: Int { 0 }
    var endIndex: Int { values.count + words.count }
    subscript(index: Int) -> QueryCompletion.Candidate {
      let leading = words.first?.kind == .keyword ? words.count : 0
      if values.indices.contains(index - leading) {
        var candidate = values[index - leading].candidate
        candidate.text = comparison + candidate.text
        return candidate
      }
      return words[words.startIndex + (index < leading ? index : index - values.count)]
    }
  }

  /// The text to insert: the text of the selected candidate, or of the first if none is selected.
  var text: String { candidates[chosen ?? 0].inserted }

  /// The candidates that can replace the typed word without being selected: those that differ from
  /// it only in case and quotes, or else all of them. Empty if no word is begun, or if other values
  /// may fit, too.
  var replacements: [String] {
    let typed = Self.letters(of: word)
    if typed.isEmpty { return [] }
    let equal = candidates.filter { Self.letters(of: $0.text) == typed }
    if equal.isEmpty { return hasAllValues ? candidates.map(\.inserted) : [] }
    return equal.map(\.inserted)
  }

  /// What helps if a value is begun that cannot be completed without a choice; nil if none is begun.
  var advice: String? {
    let begun = word.filter { !"\"'".contains($0) }
    if candidates.values.isEmpty || begun.isEmpty { return nil }
    let quoted = candidates.comparison + JSONWriter.text(.text(begun))
    return "Choose a suggestion (tab, ↓), or put the text in quotes: \(quoted)."
  }

  private static func letters(of text: String) -> String {
    text.lowercased().filter { !"\"'`= ".contains($0) }
  }

  mutating func move(by step: Int) {
    let next = chosen.map { $0 + step } ?? (step > 0 ? 0 : candidates.count - 1)
    chosen = candidates.indices.contains(next) ? next : nil
    let index = chosen ?? 0
    top = min(max(top, index - Self.rows + 1), index)
  }

  /// Returns a copy for a text in which `bytes` bytes were inserted before the completed word.
  func moved(by bytes: Int) -> Completion {
    var copy = self
    copy.start += bytes
    return copy
  }

  /// The maximum number of visible lines.
  static let rows = 8
  private static let maxCandidates = 200

  /// Selects the candidate on a line. Returns false if the line shows no candidate.
  mutating func choose(line: Int) -> Bool {
    guard line >= 0, candidates.indices.contains(top + line) else { return false }
    chosen = top + line
    return true
  }

  /// Scrolls the list without changing the selection.
  mutating func scroll(by lines: Int, rows: Int) {
    top = min(max(0, top + lines), max(0, candidates.count - max(1, rows)))
  }

  /// Returns the offset in bytes at which the list is aligned: the start of the completed word.
  ///
  /// While the user types blanks, it is the end of the first one, so that the list does not move.
  func alignment(in text: String) -> Int {
    guard start == text.utf8.count else { return start }
    return start - max(0, text.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count - 1)
  }

  /// The area of the list on the screen, and the widths of its texts.
  struct Box {
    /// The area of the list with its border; empty if there is no space.
    let area: Rect
    fileprivate let textWidth: Int
    /// The width of the longest number at the start of a note.
    fileprivate let countWidth: Int
    fileprivate let rest: String
  }

  /// Returns the position of the list at `row`, aligned with the word that it completes.
  ///
  /// - Parameter column: The column at which that word begins.
  func box(row: Int, column: Int, area: Rect) -> Box {
    let shown = candidates.dropFirst(top).prefix(min(Self.rows, area.endRow - row - 2))
    let textWidth = shown.map { TextWidth.columns(of: $0.text) }.max() ?? 0
    let countWidth = shown.map { Self.countWidth(of: $0.note) }.max() ?? 0
    let noteWidth =
      shown.map { TextWidth.columns(of: Self.aligned($0.note, to: countWidth)) }.max() ?? 0
    let rest = candidates.count > shown.count ? "\((chosen ?? top) + 1)/\(candidates.count)" : ""
    let width = min(
      max(textWidth + (noteWidth == 0 ? 4 : noteWidth + 6), rest.utf8.count + 6), area.columns)
    let box = Rect(
      row: row, column: max(area.column, min(column - 2, area.endColumn - width)),
      rows: shown.isEmpty ? 0 : shown.count + 2, columns: width)
    return Box(area: box, textWidth: textWidth, countWidth: countWidth, rest: rest)
  }

  /// Returns a note with its number, if it begins with one, at the right of `width` columns.
  private static func aligned(_ note: String, to width: Int) -> String {
    let count = countWidth(of: note)
    return count == 0 ? note : String(repeating: " ", count: max(0, width - count)) + note
  }

  private static func countWidth(of note: String) -> Int {
    note.first?.isNumber == true ? note.prefix { $0 != " " }.count : 0
  }

  func draw(into frame: inout Frame, in place: Box) {
    let (box, textWidth) = (place.area, place.textWidth)
    guard !box.isEmpty else { return }
    let shown = candidates.dropFirst(top).prefix(box.rows - 2)
    frame.fill(box, Paint(.completion, on: .completion))
    frame.box(
      box, detail: place.rest, border: Paint(.completionDetail, on: .completion),
      detailPaint: Paint(.completionDetail, on: .completion))
    let inside = box.inset(by: 1)
    for (line, candidate) in shown.enumerated() {
      let ground: Role = top + line == chosen ? .completionSelected : .completion
      let y = inside.row + line
      frame.fill(
        Rect(row: y, column: inside.column, rows: 1, columns: inside.columns),
        Paint(.completion, on: ground))
      frame.write(
        candidate.text, row: y, column: inside.column + 1, width: max(0, inside.columns - 2),
        paint: Paint(candidate.kind.role, on: ground))
      frame.write(
        Self.aligned(candidate.note, to: place.countWidth), row: y,
        column: inside.column + textWidth + 3, width: max(0, inside.columns - textWidth - 4),
        paint: Paint(.completionDetail, on: ground))
    }
  }
}

extension QueryCompletion.Candidate {
  /// The text to insert. A space follows it if another word must follow.
  fileprivate var inserted: String { needsWord ? text + " " : text }
}
