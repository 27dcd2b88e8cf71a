import InstaQL
import TerminalUI
import Triples

/// What could be typed next in a prompt, as a list beneath it.
struct Completion: Sendable, Equatable {
  private(set) var candidates: [QueryCompletion.Candidate]
  /// Where the word begins that a candidate takes the place of, in bytes.
  private(set) var start: Int
  /// The chosen candidate; nil while nobody has moved into the list.
  private(set) var chosen: Int?
  private var top = 0

  /// - Parameters:
  ///   - found: What fits in the text at the offset.
  ///   - catalog: Whose values are offered.
  /// - Returns: nil when nothing fits.
  init?(_ found: QueryCompletion, in text: String, at offset: Int, catalog: Catalog) {
    start = found.start
    candidates = Array(found.candidates.prefix(Self.most))
    if let field = found.valuesOf {
      let word = String(decoding: Array(text.utf8.prefix(offset))[found.start...], as: UTF8.self)
      let seen = catalog.seenValues(of: field).literals(matching: word, most: Self.most)
      candidates = Array((seen + candidates).prefix(Self.most))
    }
    if candidates.isEmpty { return nil }
  }

  /// The candidate to put in: the chosen one, else the first.
  var text: String { candidates[chosen ?? 0].text }

  mutating func move(by step: Int) {
    let next = chosen.map { $0 + step } ?? (step > 0 ? 0 : candidates.count - 1)
    chosen = candidates.indices.contains(next) ? next : nil
    let index = chosen ?? 0
    top = min(max(top, index - Self.rows + 1), index)
  }

  /// The same for a text that begins so many bytes later.
  func moved(by bytes: Int) -> Completion {
    var copy = self
    copy.start += bytes
    return copy
  }

  /// In lines of the list.
  static let rows = 8
  private static let most = 200

  /// The candidate on a line of the list is chosen; false where there is none.
  mutating func choose(line: Int) -> Bool {
    guard line >= 0, candidates.indices.contains(top + line) else { return false }
    chosen = top + line
    return true
  }

  /// Shows other candidates and chooses none.
  mutating func scroll(by lines: Int, rows: Int) {
    top = min(max(0, top + lines), max(0, candidates.count - max(1, rows)))
  }

  /// Where the list is drawn, and how much room its texts have there.
  struct Box {
    /// With its border; empty where nothing can be shown.
    let area: Rect
    fileprivate let textWidth: Int
    fileprivate let rest: String
  }

  /// The box from `row` on, its words beneath the word that they complete.
  ///
  /// - Parameter column: Where that word begins.
  func box(row: Int, column: Int, area: Rect) -> Box {
    let shown = candidates.dropFirst(top).prefix(min(Self.rows, area.endRow - row - 2))
    let textWidth = shown.map { TextWidth.columns(of: $0.text) }.max() ?? 0
    let noteWidth = shown.map { TextWidth.columns(of: $0.note) }.max() ?? 0
    let rest = candidates.count > shown.count ? "\((chosen ?? top) + 1)/\(candidates.count)" : ""
    let width = min(
      max(textWidth + (noteWidth == 0 ? 4 : noteWidth + 6), rest.utf8.count + 6), area.columns)
    let box = Rect(
      row: row, column: max(area.column, min(column - 2, area.endColumn - width)),
      rows: shown.isEmpty ? 0 : shown.count + 2, columns: width)
    return Box(area: box, textWidth: textWidth, rest: rest)
  }

  func draw(into frame: inout Frame, in place: Box) {
    let (box, textWidth) = (place.area, place.textWidth)
    guard !box.isEmpty else { return }
    let shown = candidates.dropFirst(top).prefix(box.rows - 2)
    frame.fill(box, Paint(.completion, on: .completion))
    frame.box(
      box, detail: place.rest, border: Paint(.borderFocused, on: .completion),
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
        candidate.note, row: y, column: inside.column + textWidth + 3,
        width: max(0, inside.columns - textWidth - 4), paint: Paint(.completionDetail, on: ground))
    }
  }
}

extension QueryCompletion.Kind {
  fileprivate var role: Role {
    switch self {
    case .namespace: .namespace
    case .attribute: .attribute
    case .link: .link
    case .word: .keyword
    case .comparison: .operator
    case .value: .string
    }
  }
}

/// The values that entities have under a field, the most frequent first.
struct SeenValues: Sendable {
  private struct Seen: Sendable {
    /// As one types it.
    let text: String
    let lowered: [UInt8]
    let count: Int
  }

  private var values: [Seen] = []

  /// Looks at some entities only, so that typing is as quick in a large store.
  init(of field: QueryCompletion.Field, in catalog: Catalog) {
    guard let (namespace, attribute) = Self.end(of: field, catalog.schema) else { return }
    let rows = catalog.store.rows(of: namespace)
    var seen: [Value: Int] = [:]
    for entity in rows.handles.prefix(Self.entitiesLookedAt) {
      guard let value = catalog.store.value(entity, attribute.id) else { continue }
      switch value {
      case .text(let text) where text.utf8.count > Self.longest: continue
      case .array, .object, .null: continue
      case .bool, .integer, .double, .text: seen[value, default: 0] += 1
      }
    }
    values = seen.map { value, count in
      let text = JSONWriter.text(value)
      return Seen(text: text, lowered: Array(text.lowercased().utf8), count: count)
    }
    .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
  }

  /// What to ask a store elsewhere for, so that there are entities to look at; nil where a field's
  /// values are not offered.
  static func sample(of field: QueryCompletion.Field, _ schema: Schema) -> QueryPlan? {
    end(of: field, schema).map { namespace, attribute in
      QueryPlan(namespace).fields([attribute.label]).limit(Beside.mostRows)
    }
  }

  /// The attribute that a field leads to, and whose it is; nil for none that holds values.
  private static func end(
    of field: QueryCompletion.Field, _ schema: Schema
  ) -> (namespace: String, attribute: Attribute)? {
    var namespace = field.namespace
    var labels = field.path.labels
    while labels.count > 1 {
      guard let link = schema.link(namespace, labels.removeFirst()) else { return nil }
      namespace = link.target
    }
    guard let label = labels.first, label != "id",
      let attribute = schema.attribute(namespace, label), attribute.valueType == .blob
    else { return nil }
    return (namespace, attribute)
  }

  private static let entitiesLookedAt = 2_000
  private static let longest = 100

  /// As one types them, with how often each was seen, `most` of them if there are so many: first those
  /// that begin with the word, then those that hold it.
  func literals(matching word: String, most: Int) -> [QueryCompletion.Candidate] {
    let typed = word.lowercased().utf8.filter {
      $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'")
    }
    var beginning: [Seen] = []
    var holding: [Seen] = []
    for value in values where beginning.count < most {
      if typed.isEmpty || Self.content(of: value).starts(with: typed) {
        if typed.isEmpty || value.text != word { beginning.append(value) }
      } else if holding.count < most, Self.holds(value.lowered, typed) {
        holding.append(value)
      }
    }
    return (beginning + holding).prefix(most).map {
      QueryCompletion.Candidate(text: $0.text, kind: .value, note: NumberText.grouped($0.count))
    }
  }

  /// Without the quote that a text begins with.
  private static func content(of value: Seen) -> ArraySlice<UInt8> {
    value.lowered.drop { $0 == UInt8(ascii: "\"") }
  }

  /// Whether `part`, which is not empty, stands somewhere in a text.
  private static func holds(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard part.count <= text.count else { return false }
    return (0...text.count - part.count).contains { start in
      text[start] == part[0] && text[start..<start + part.count].elementsEqual(part)
    }
  }
}
